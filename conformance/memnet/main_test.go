package memnet

import (
	"errors"
	"io"
	"net"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const serverAddr = "127.0.0.1:7000"

// newConns returns both ends of a connection on a network of its own whose
// buffers hold the given number of bytes. The test's end closes them.
func newConns(t *testing.T, bufferBytes int) (client, server *Conn) {
	t.Helper()
	n := New()
	n.SetBuffer(bufferBytes)
	l := mustListen(t, n, serverAddr)
	client = mustDial(t, n, serverAddr)
	return client, mustAccept(t, l)
}

func mustListen(t *testing.T, n *Network, addr string) *Listener {
	t.Helper()
	l, err := n.Listen(addr)
	if err != nil {
		t.Fatalf("Listen(%q): %v", addr, err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

func mustDial(t *testing.T, n *Network, addr string) *Conn {
	t.Helper()
	c, err := n.Dial(t.Context(), addr)
	if err != nil {
		t.Fatalf("Dial(%q): %v", addr, err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

func mustAccept(t *testing.T, l *Listener) *Conn {
	t.Helper()
	c, err := l.Accept()
	if err != nil {
		t.Fatalf("Accept: %v", err)
	}
	t.Cleanup(func() { c.Close() })
	return c.(*Conn)
}

func mustWrite(t *testing.T, c net.Conn, s string) {
	t.Helper()
	if n, err := io.WriteString(c, s); n != len(s) || err != nil {
		t.Fatalf("Write(%q) = %d, %v; want all of it and no error", s, n, err)
	}
}

// wantRead asserts that the next bytes are s.
func wantRead(t *testing.T, c net.Conn, s string) {
	t.Helper()
	got := make([]byte, len(s))
	if n, err := io.ReadFull(c, got); err != nil || string(got) != s {
		t.Fatalf("read %q, %v; want %q", got[:n], err, s)
	}
}

// wantReadError asserts that nothing can be read and why.
func wantReadError(t *testing.T, c net.Conn, want error) {
	t.Helper()
	n, err := c.Read(make([]byte, 1))
	if n != 0 {
		t.Fatalf("Read returned %d bytes; want the error %v", n, want)
	}
	wantError(t, "Read", err, want)
}

// wantWriteError asserts that nothing can be written and why.
func wantWriteError(t *testing.T, c net.Conn, want error) {
	t.Helper()
	n, err := c.Write([]byte{0})
	if n != 0 {
		t.Fatalf("Write took %d bytes; want the error %v", n, want)
	}
	wantError(t, "Write", err, want)
}

// wantError asserts that err wraps want and, unless it is io.EOF, has the
// type that the net package promises.
func wantError(t *testing.T, call string, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Fatalf("%s: error %v; want %v", call, err, want)
	}
	var op *net.OpError
	if want != nil && want != io.EOF && !errors.As(err, &op) {
		t.Fatalf("%s: error has type %T; want a *net.OpError", call, err)
	}
}
