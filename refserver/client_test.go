package refserver

import (
	"context"
	"errors"
	"io"
	"net"
	"slices"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/memnet"
	"github.com/monolock-dev/monolock-conform/conformance/wire"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// house is a server in a bubble and the network to it.
type house struct {
	t      *testing.T
	net    *memnet.Network
	addr   string
	server *Server
	served chan error
}

// inBubble runs f in virtual time with a server that is closed afterwards.
func inBubble(t *testing.T, cfg Config, f func(h *house)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t, cfg)
		defer func() { h.close() }()
		f(h)
	})
}

func newHouse(t *testing.T, cfg Config) *house {
	t.Helper()
	h := &house{t: t, net: memnet.New()}
	h.serve(cfg)
	return h
}

// serve starts a server, a new one if there was one.
func (h *house) serve(cfg Config) {
	h.t.Helper()
	l, err := h.net.Listen(h.addr)
	if err != nil {
		h.t.Fatalf("listen: %v", err)
	}
	h.addr = l.Addr().String()
	server, served := New(cfg), make(chan error, 1)
	h.server, h.served = server, served
	go func() { served <- server.Serve(l) }()
}

func (h *house) close() {
	h.t.Helper()
	if err := h.server.Close(); err != nil {
		h.t.Errorf("Close: %v", err)
	}
	if err := <-h.served; !errors.Is(err, ErrServerClosed) {
		h.t.Errorf("Serve returned %v, want ErrServerClosed", err)
	}
}

// client is a raw connection. Its methods fail the test.
type client struct {
	t      *testing.T
	nc     net.Conn
	frames *wire.Reader
}

func (h *house) dial() *client {
	h.t.Helper()
	nc, err := h.net.Dial(context.Background(), h.addr)
	if err != nil {
		h.t.Fatalf("dial: %v", err)
	}
	h.t.Cleanup(func() { nc.Close() })
	return newClient(h.t, nc)
}

func newClient(t *testing.T, nc net.Conn) *client {
	return &client{t: t, nc: nc, frames: wire.NewReader(nc)}
}

// send writes frames in one segment.
func (c *client) send(frames ...wire.Frame) {
	c.t.Helper()
	var b []byte
	for _, f := range frames {
		b = wire.Append(b, f)
	}
	c.sendBytes(b)
}

func (c *client) sendBytes(b []byte) {
	c.t.Helper()
	if _, err := c.nc.Write(b); err != nil {
		c.t.Fatalf("write: %v", err)
	}
}

// want reads one frame of that type.
func (c *client) want(why string, want wire.Type) wire.Frame {
	c.t.Helper()
	got, err := c.frames.ReadServer()
	if err != nil || got.Type != want {
		c.t.Fatalf("%s: got %v, %v; want %v", why, got, err, want)
	}
	return got
}

// wantError reads one ERROR and then the FIN.
func (c *client) wantError(why string, want wire.Code) {
	c.t.Helper()
	if got := c.want(why, wire.TypeError); got.Code != want {
		c.t.Fatalf("%s: got %v, want %v", why, got, want)
	}
	c.wantFIN(why)
}

func (c *client) wantFIN(why string) {
	c.t.Helper()
	if f, err := c.frames.ReadServer(); !errors.Is(err, io.EOF) {
		c.t.Fatalf("%s: got %v, %v; want the end of the stream", why, f, err)
	}
}

// wantClosed is wantFIN where a reset is as good.
func (c *client) wantClosed(why string) {
	c.t.Helper()
	if f, err := c.frames.ReadServer(); !errors.Is(err, io.EOF) && !errors.Is(err, syscall.ECONNRESET) {
		c.t.Fatalf("%s: got %v, %v; want the connection closed", why, f, err)
	}
}

// wantIdle asserts that nothing is there to read now.
func (c *client) wantIdle(why string) {
	c.t.Helper()
	synctest.Wait()
	_ = c.nc.SetReadDeadline(time.Now())
	defer c.nc.SetReadDeadline(time.Time{})
	if f, err := c.frames.ReadServer(); !errors.Is(err, context.DeadlineExceeded) && !isTimeout(err) {
		c.t.Fatalf("%s: got %v, %v; want nothing", why, f, err)
	}
}

func isTimeout(err error) bool {
	var n net.Error
	return errors.As(err, &n) && n.Timeout()
}

func acquire(name string, lease time.Duration) wire.Frame {
	return wire.AcquireFrame(name, uint32(lease.Milliseconds()))
}

// hold and queue are clients that hold, and wait for, a lock.
func (h *house) hold(name string, lease time.Duration) *client {
	h.t.Helper()
	c := h.dial()
	c.send(acquire(name, lease))
	c.want("a free lock", wire.TypeAcquired)
	return c
}

func (h *house) queue(name string, lease time.Duration) *client {
	h.t.Helper()
	c := h.dial()
	c.send(acquire(name, lease))
	c.want("a busy lock", wire.TypeWaiting)
	return c
}

// bytesOf concatenates frames.
func bytesOf(frames ...wire.Frame) []byte {
	var b []byte
	for _, f := range frames {
		b = slices.Concat(b, wire.Bytes(f))
	}
	return b
}
