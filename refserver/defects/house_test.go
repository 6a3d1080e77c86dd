package defects

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/monolock-dev/monolock-conform/conformance/memnet"
	"github.com/monolock-dev/monolock-conform/conformance/wire"
	"github.com/monolock-dev/monolock-conform/refserver"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const (
	base      = 500 * time.Millisecond
	patient   = 10 * time.Minute
	ioTimeout = 2 * time.Second
)

var standardConfig = refserver.Config{IOTimeout: ioTimeout}

// house is a server in a bubble, and the network to it.
type house struct {
	t      *testing.T
	net    *memnet.Network
	make   func(refserver.Config) Server
	addr   string
	server Server
	served chan error
	guests []*guest
}

// inHouse runs f in virtual time with a server that make makes.
func inHouse(t *testing.T, make func(refserver.Config) Server, f func(h *house)) {
	synctest.Test(t, func(t *testing.T) {
		h := &house{t: t, net: memnet.New(), make: make}
		h.start()
		defer func() {
			for _, g := range h.guests {
				g.nc.Close()
			}
			_ = h.server.Close()
			<-h.served
		}()
		f(h)
	})
}

func (h *house) start() {
	l, err := h.net.Listen(h.addr)
	if err != nil {
		h.t.Fatal(err)
	}
	h.addr = l.Addr().String()
	server, served := h.make(standardConfig), make(chan error, 1)
	h.server, h.served = server, served
	go func() { served <- server.Serve(l) }()
	synctest.Wait()
}

// stop is the controlled stop, with clients that close when they are told.
func (h *house) stop() {
	ctx, cancel := context.WithTimeout(h.t.Context(), 5*time.Second)
	defer cancel()
	_ = h.server.Shutdown(ctx)
	<-h.served
	h.served <- nil
}

// guest is a client that notes all that it hears.
type guest struct {
	nc net.Conn

	mu     sync.Mutex
	frames []wire.Frame
	heard  []string
}

func (h *house) guest() *guest {
	g := &guest{nc: mustDial(h)}
	h.guests = append(h.guests, g)
	go g.listen()
	return g
}

func mustDial(h *house) net.Conn {
	nc, err := h.net.Dial(context.Background(), h.addr)
	if err != nil {
		h.t.Fatal(err)
	}
	return nc
}

func (g *guest) listen() {
	r := wire.NewReader(g.nc)
	for {
		f, err := r.ReadServer()
		g.note(f, err)
		var unknown *wire.UnknownTypeError
		if err != nil && !errors.As(err, &unknown) {
			return
		}
	}
}

func (g *guest) note(f wire.Frame, err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	switch {
	case errors.Is(err, io.EOF) || errors.Is(err, syscall.ECONNRESET):
		g.heard = append(g.heard, "end")
	case err != nil:
		g.heard = append(g.heard, "garbage")
	case f.Type == wire.TypeError:
		g.heard = append(g.heard, fmt.Sprintf("%02x", byte(f.Code)))
	default:
		g.heard = append(g.heard, f.Type.String())
	}
	if err == nil {
		g.frames = append(g.frames, f)
	}
}

// hears waits until nothing moves any more and returns what was heard since
// the last time, as "WAITING ACQUIRED 12 end".
func (g *guest) hears() string {
	synctest.Wait()
	g.mu.Lock()
	defer g.mu.Unlock()
	said := strings.Join(g.heard, " ")
	g.heard = nil
	return said
}

// token is that of the last ACQUIRED heard.
func (g *guest) token() uint64 {
	synctest.Wait()
	g.mu.Lock()
	defer g.mu.Unlock()
	for i := len(g.frames) - 1; i >= 0; i-- {
		if g.frames[i].Type == wire.TypeAcquired {
			return g.frames[i].Token
		}
	}
	return 0
}

func (g *guest) send(frames ...wire.Frame) *guest {
	var b []byte
	for _, f := range frames {
		b = wire.Append(b, f)
	}
	return g.sendBytes(b...)
}

func (g *guest) sendBytes(b ...byte) *guest {
	_, _ = g.nc.Write(b)
	return g
}

// beat sends a heartbeat and returns what is heard.
func (g *guest) beat() string { return g.send(wire.HeartbeatFrame).hears() }

// ask connects and sends an ACQUIRE. What is heard stays to be read.
func (h *house) ask(name string, lease time.Duration) *guest {
	g := h.guest().send(wire.AcquireFrame(name, uint32(lease.Milliseconds())))
	synctest.Wait()
	return g
}

// seat is ask with the answer taken.
func (h *house) seat(name string, lease time.Duration) *guest {
	g := h.ask(name, lease)
	g.hears()
	return g
}

// seats is seat, for several of one lock.
func (h *house) seats(name string, count int) []*guest {
	all := make([]*guest, count)
	for i := range all {
		all[i] = h.seat(name, patient)
	}
	return all
}

func (g *guest) close() {
	g.nc.Close()
	synctest.Wait()
}

func (g *guest) reset() {
	reset(g.nc)
	synctest.Wait()
}

// order closes the holder, and then each that is promoted, and returns the
// promoted ones' numbers.
func order(holder *guest, waiters []*guest) string {
	var numbers []string
	for range waiters {
		holder.close()
		holder = nil
		for i, w := range waiters {
			if w.hears() == "ACQUIRED" {
				numbers, holder = append(numbers, fmt.Sprint(i)), w
			}
		}
		if holder == nil {
			break
		}
	}
	return strings.Join(numbers, " ")
}

// wait lets virtual time pass.
func wait(leases float64) { time.Sleep(time.Duration(leases * float64(base))) }
