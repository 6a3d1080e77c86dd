package faultproxy

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"os"
	"slices"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/monolock-dev/monolock-conform/conformance/memnet"
	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// network is where a test runs: the kernel's loopback, or memory in virtual time.
type network struct {
	virtual bool
	listen  func(addr string) (net.Listener, error)
	dial    func(ctx context.Context, addr string) (Conn, error)
}

func kernel() network {
	return network{
		listen: func(addr string) (net.Listener, error) { return net.Listen("tcp", addr) },
		dial: func(ctx context.Context, addr string) (Conn, error) {
			c, err := new(net.Dialer).DialContext(ctx, "tcp", addr)
			if err != nil {
				return nil, err
			}
			return c.(*net.TCPConn), nil
		},
	}
}

func memory() network {
	n := memnet.New()
	return network{
		virtual: true,
		listen:  func(addr string) (net.Listener, error) { return n.Listen(addr) },
		dial:    func(ctx context.Context, addr string) (Conn, error) { return n.Dial(ctx, addr) },
	}
}

// rig is a proxy between a test's clients and a test's server.
type rig struct {
	*testing.T
	network
	p      *Proxy
	log    *log
	addr   string
	server net.Listener
}

// everywhere runs a test on the kernel's TCP and in virtual time.
func everywhere(t *testing.T, cfg Config, test func(*rig)) {
	t.Run("tcp", func(t *testing.T) { run(t, kernel(), cfg, test) })
	inVirtualTime(t, cfg, test)
}

func inVirtualTime(t *testing.T, cfg Config, test func(*rig)) {
	t.Run("virtual", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) { run(t, memory(), cfg, test) })
	})
}

// watched is a Config whose events the rig logs.
func watched(rules ...Rule) Config { return Config{Rules: rules, Record: func(Event) {}} }

// unwatched is a Config whose connections are plain where no rule concerns them.
func unwatched(rules ...Rule) Config { return Config{Rules: rules} }

func run(t *testing.T, n network, cfg Config, test func(*rig)) {
	r := &rig{T: t, network: n, log: &log{}}
	r.server = r.must(n.listen("127.0.0.1:0"))
	at := r.server.Addr().String()
	cfg.Dial = func(ctx context.Context) (Conn, error) { return n.dial(ctx, at) }
	cfg.Listen = func(a net.Addr) (net.Listener, error) { return n.listen(a.String()) }
	if cfg.Record != nil {
		cfg.Record = r.log.add
	}
	r.p = New(cfg)
	l := r.must(n.listen("127.0.0.1:0"))
	r.addr = l.Addr().String()
	served := make(chan error, 1)
	go func() { served <- r.p.Serve(l) }()
	t.Cleanup(func() {
		r.server.Close()
		if err := r.p.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
		if err := <-served; !errors.Is(err, ErrClosed) {
			t.Errorf("Serve: %v, want ErrClosed", err)
		}
	})
	test(r)
}

func (r *rig) must(l net.Listener, err error) net.Listener {
	r.Helper()
	if err != nil {
		r.Fatal(err)
	}
	return l
}

// connect opens a connection through the proxy and returns both ends. It waits until
// the proxy knows that its dial succeeded, which the kernel tells the server first.
func (r *rig) connect() (client, server *end) {
	r.Helper()
	client = r.client()
	server = r.accept()
	addr := client.LocalAddr().String()
	r.eventually("the proxy's dial", func() bool {
		return !slices.ContainsFunc(r.p.Connections(), func(c Connection) bool { return c.Client == addr && c.Upstream == "" })
	})
	return client, server
}

func (r *rig) client() *end {
	r.Helper()
	c, err := r.dial(r.Context(), r.addr)
	if err != nil {
		r.Fatal(err)
	}
	return r.end(c, "client")
}

func (r *rig) accept() *end {
	r.Helper()
	c, err := r.server.Accept()
	if err != nil {
		r.Fatal(err)
	}
	return r.end(c.(Conn), "server")
}

func (r *rig) end(c Conn, name string) *end {
	r.Cleanup(func() { c.Close() })
	return &end{Conn: c, r: r, name: name}
}

// add parses a rule and adds it.
func (r *rig) add(line string) ID {
	r.Helper()
	rule, err := ParseRule(line)
	if err != nil {
		r.Fatal(err)
	}
	id, err := r.p.Add(rule)
	if err != nil {
		r.Fatal(err)
	}
	return id
}

func (r *rig) remove(id ID) {
	r.Helper()
	if err := r.p.Remove(id); err != nil {
		r.Fatal(err)
	}
}

// wantHits waits until a rule has bitten that often.
func (r *rig) wantHits(id ID, want int64) {
	r.Helper()
	r.eventually("the rule bites", func() bool { return r.p.Hits(id) >= want })
	if got := r.p.Hits(id); got != want {
		r.Errorf("the rule bit %d times, want %d", got, want)
	}
}

// eventually waits for something that happens in another goroutine.
func (r *rig) eventually(what string, happened func() bool) {
	r.Helper()
	if r.virtual {
		synctest.Wait()
	}
	for end := time.Now().Add(5 * time.Second); !happened(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			r.Fatalf("%s: not within 5 s", what)
		}
	}
}

// settle lets what was sent arrive: in virtual time all of it.
func (r *rig) settle() {
	if r.virtual {
		synctest.Wait()
		return
	}
	time.Sleep(20 * time.Millisecond)
}

// wantTook checks how long something took: exactly, in virtual time.
func (r *rig) wantTook(what string, got, want time.Duration) {
	r.Helper()
	slack := 500 * time.Millisecond // a loaded machine is late; virtual time is never
	if r.virtual {
		slack = 0
	}
	if got < want || got > want+slack {
		r.Errorf("%s took %v, want %v", what, got, want)
	}
}

// end is one end of a connection in a test.
type end struct {
	Conn
	r    *rig
	name string
}

func (e *end) send(data string) {
	e.r.Helper()
	if _, err := e.Write([]byte(data)); err != nil {
		e.r.Fatalf("%s: %v", e.name, err)
	}
}

// want reads exactly those bytes.
func (e *end) want(data string) {
	e.r.Helper()
	e.patience(5 * time.Second)
	got := make([]byte, len(data))
	n, err := io.ReadFull(e, got)
	if err != nil || string(got[:n]) != data {
		e.r.Fatalf("%s read %q, %v, want %q", e.name, got[:n], err, data)
	}
}

// wantFIN reads the end of the stream, and nothing before it.
func (e *end) wantFIN() {
	e.r.Helper()
	e.patience(5 * time.Second)
	if rest, err := io.ReadAll(e); err != nil || len(rest) > 0 {
		e.r.Fatalf("%s read %q, %v, want a FIN", e.name, rest, err)
	}
}

// wantReset reads a reset. Bytes in front of it are lost or not, as in TCP.
func (e *end) wantReset() {
	e.r.Helper()
	e.patience(5 * time.Second)
	if _, err := io.Copy(io.Discard, e); !errors.Is(err, syscall.ECONNRESET) {
		e.r.Fatalf("%s read to %v, want a reset", e.name, err)
	}
}

// wantSilence checks that nothing comes, not even an ending, for a while.
func (e *end) wantSilence(d time.Duration) {
	e.r.Helper()
	e.patience(d)
	if n, err := e.Read(make([]byte, 100)); !errors.Is(err, os.ErrDeadlineExceeded) {
		e.r.Fatalf("%s read %d bytes, %v, want silence", e.name, n, err)
	}
}

func (e *end) patience(d time.Duration) { _ = e.SetReadDeadline(time.Now().Add(d)) }

func (e *end) finish() {
	e.r.Helper()
	if err := e.CloseWrite(); err != nil {
		e.r.Fatal(err)
	}
}

func (e *end) abort() {
	_ = e.SetLinger(0)
	_ = e.Close()
}

// log keeps the events of a proxy.
type log struct {
	mu     sync.Mutex
	events []Event
}

func (l *log) add(e Event) {
	e.Bytes = bytes.Clone(e.Bytes)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.events = append(l.events, e)
}

func (l *log) of(what What) (found []Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, e := range l.events {
		if e.What == what {
			found = append(found, e)
		}
	}
	return found
}

// Frames for tests.
var (
	acquire   = string(wire.Bytes(wire.AcquireFrame("job", 500)))
	heartbeat = string(wire.Bytes(wire.HeartbeatFrame))
	waiting   = string(wire.Bytes(wire.WaitingFrame))
	acquired  = string(wire.Bytes(wire.AcquiredFrame(7)))
	refusal   = string(wire.Bytes(wire.ErrorFrame(wire.CodeEmptyName, "no")))
)
