package refclient

import (
	"context"
	"errors"
	"io"
	"net"
	"testing"
	"testing/synctest"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/memnet"
	"github.com/monolock-dev/monolock-conform/conformance/wire"
	"github.com/monolock-dev/monolock-conform/refserver"
)

// house is a network in a bubble, with a server that a test plays by hand.
type house struct {
	t   *testing.T
	net *memnet.Network
	l   *memnet.Listener
	cfg Config
}

// inHouse runs f in virtual time.
func inHouse(t *testing.T, f func(h *house)) {
	synctest.Test(t, func(t *testing.T) {
		h := &house{t: t, net: memnet.New()}
		l, err := h.net.Listen("")
		if err != nil {
			t.Fatal(err)
		}
		h.l = l
		h.cfg.Dial = func(ctx context.Context) (net.Conn, error) { return h.net.Dial(ctx, l.Addr().String()) }
		defer l.Close()
		f(h)
	})
}

// serve puts a reference server behind the listener, until stop.
func (h *house) serve() (stop func()) {
	s := refserver.New(refserver.Config{})
	served := make(chan struct{})
	go func() {
		defer close(served)
		_ = s.Serve(h.l)
	}()
	return func() {
		_ = s.Close()
		<-served
	}
}

// call is a Do or DoRetry that runs, and its work.
type call struct {
	h       *house
	begun   time.Time
	cancel  context.CancelFunc
	granted chan uint64
	stopped chan error // the work's context has ended, and why
	finish  chan error // what the work is to return
	result  chan error
}

func (h *house) do() *call      { return h.call(New(h.cfg).Do, "x", lease) }
func (h *house) doRetry() *call { return h.call(New(h.cfg).DoRetry, "x", lease) }

func (h *house) call(do func(context.Context, string, time.Duration, Work) error, name string, lease time.Duration) *call {
	ctx, cancel := context.WithCancel(h.t.Context())
	c := &call{
		h: h, begun: time.Now(), cancel: cancel,
		granted: make(chan uint64, 1), stopped: make(chan error, 1), finish: make(chan error), result: make(chan error, 1),
	}
	go func() {
		c.result <- do(ctx, name, lease, func(ctx context.Context, token uint64) error {
			c.granted <- token
			stopped := context.AfterFunc(ctx, func() { c.stopped <- context.Cause(ctx) })
			defer stopped()
			return <-c.finish
		})
	}()
	return c
}

// wantResult waits for the call to return.
func (c *call) wantResult(want error) error {
	c.h.t.Helper()
	err := <-c.result
	if !errors.Is(err, want) {
		c.h.t.Errorf("result %v, want %v", err, want)
	}
	return err
}

// wantAt compares how long the call has run.
func (c *call) wantAt(why string, want time.Duration) {
	c.h.t.Helper()
	if got := time.Since(c.begun); got != want {
		c.h.t.Errorf("%s: after %v, want %v", why, got, want)
	}
}

// wantIdle says that neither grant nor result has come.
func (c *call) wantIdle(why string) {
	c.h.t.Helper()
	synctest.Wait()
	select {
	case token := <-c.granted:
		c.h.t.Errorf("%s: granted %d, want nothing", why, token)
	case err := <-c.result:
		c.h.t.Errorf("%s: result %v, want nothing", why, err)
	default:
	}
}

// peer is the server's end of a connection, played by a test.
type peer struct {
	t      *testing.T
	nc     *memnet.Conn
	frames *wire.Reader
}

// accept waits for the next connection and its ACQUIRE.
func (h *house) accept() *peer {
	h.t.Helper()
	p := h.open()
	p.want("first of all", wire.TypeAcquire)
	return p
}

// open waits for the next connection.
func (h *house) open() *peer {
	h.t.Helper()
	nc, err := h.l.Accept()
	if err != nil {
		h.t.Fatal(err)
	}
	return &peer{t: h.t, nc: nc.(*memnet.Conn), frames: wire.NewReader(nc)}
}

func (p *peer) send(frames ...wire.Frame) {
	p.t.Helper()
	var b []byte
	for _, f := range frames {
		b = wire.Append(b, f)
	}
	p.sendBytes(b...)
}

func (p *peer) sendBytes(b ...byte) {
	p.t.Helper()
	if _, err := p.nc.Write(b); err != nil {
		p.t.Errorf("the client has closed: %v", err)
	}
}

// want waits for the next message.
func (p *peer) want(why string, t wire.Type) wire.Frame {
	p.t.Helper()
	f, err := p.frames.ReadClient()
	if err != nil || f.Type != t {
		p.t.Errorf("%s: got %v and %v, want %v", why, f, err, t)
	}
	return f
}

// wantFIN waits for the client's close, with nothing said before it.
func (p *peer) wantFIN(why string) {
	p.t.Helper()
	if f, err := p.frames.ReadClient(); err != io.EOF {
		p.t.Errorf("%s: got %v and %v, want the close", why, f, err)
	}
	_ = p.nc.Close()
}
