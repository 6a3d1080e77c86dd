package memnet

import (
	"bytes"
	"errors"
	"io"
	"net"
	"slices"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/net/nettest"
)

var (
	_ net.Conn     = (*Conn)(nil)
	_ net.Listener = (*Listener)(nil)
)

func TestConnIsANetConn(t *testing.T) {
	for _, test := range []struct {
		name        string
		bufferBytes int
	}{{"default buffer", DefaultBuffer}, {"tiny buffer", 7}} {
		t.Run(test.name, func(t *testing.T) {
			nettest.TestConn(t, func() (c1, c2 net.Conn, stop func(), err error) {
				n := New()
				n.SetBuffer(test.bufferBytes)
				l, err := n.Listen("")
				if err != nil {
					return nil, nil, nil, err
				}
				if c1, err = n.Dial(t.Context(), l.Addr().String()); err != nil {
					return nil, nil, nil, err
				}
				if c2, err = l.Accept(); err != nil {
					return nil, nil, nil, err
				}
				return c1, c2, func() { c1.Close(); c2.Close(); l.Close() }, nil
			})
		})
	}
}

func TestHalfClose(t *testing.T) {
	c, s := newConns(t, DefaultBuffer)
	mustWrite(t, c, "last words")
	if err := c.CloseWrite(); err != nil {
		t.Fatal(err)
	}
	wantRead(t, s, "last words")
	wantReadError(t, s, io.EOF)
	wantWriteError(t, c, syscall.EPIPE)

	mustWrite(t, s, "the other direction goes on")
	wantRead(t, c, "the other direction goes on")
}

// What ends a connection decides what its peer's calls say afterwards, in
// this order: what Read gives once the bytes are read, then Write, then Read.
func TestWhatThePeerSees(t *testing.T) {
	tests := []struct {
		name      string
		end       func(t *testing.T, c, peer *Conn)
		read      error
		write     error // nil: one Write vanishes, the next is EPIPE
		readAgain error
	}{
		{
			name: "close with everything read",
			end:  func(t *testing.T, c, _ *Conn) { c.Close() },
			read: io.EOF, write: nil, readAgain: io.EOF,
		},
		{
			name: "close with data unread",
			end: func(t *testing.T, c, peer *Conn) {
				mustWrite(t, peer, "unread")
				c.Close()
			},
			read: syscall.ECONNRESET, write: syscall.EPIPE, readAgain: syscall.ECONNRESET,
		},
		{
			name: "close with data partly read",
			end: func(t *testing.T, c, peer *Conn) {
				mustWrite(t, peer, "partly unread")
				wantRead(t, c, "partly")
				c.Close()
			},
			read: syscall.ECONNRESET, write: syscall.EPIPE, readAgain: syscall.ECONNRESET,
		},
		{
			name: "close with no linger",
			end: func(t *testing.T, c, _ *Conn) {
				c.SetLinger(0)
				c.Close()
			},
			read: syscall.ECONNRESET, write: syscall.EPIPE, readAgain: syscall.ECONNRESET,
		},
		{
			name: "a reset behind a FIN",
			end: func(t *testing.T, c, _ *Conn) {
				c.CloseWrite()
				c.SetLinger(0)
				c.Close()
			},
			read: io.EOF, write: syscall.EPIPE, readAgain: io.EOF,
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c, s := newConns(t, DefaultBuffer)
			mustWrite(t, c, "written before")
			test.end(t, c, s)
			wantRead(t, s, "written before")
			wantReadError(t, s, test.read)
			if test.write == nil {
				mustWrite(t, s, "vanishes")
				wantWriteError(t, s, syscall.EPIPE)
			} else {
				wantWriteError(t, s, test.write)
			}
			wantReadError(t, s, test.readAgain)
		})
	}
}

// A Write that is larger than the buffer vanishes as a whole, too.
func TestALargeWriteToAClosedPeerVanishes(t *testing.T) {
	c, s := newConns(t, 10)
	s.Close()
	mustWrite(t, c, string(make([]byte, 1000)))
	wantWriteError(t, c, syscall.EPIPE)
}

func TestAResetIsReportedOnceToAWriter(t *testing.T) {
	c, s := newConns(t, DefaultBuffer)
	s.SetLinger(0)
	s.Close()
	wantWriteError(t, c, syscall.ECONNRESET)
	wantWriteError(t, c, syscall.EPIPE)
	wantReadError(t, c, syscall.ECONNRESET)
}

// blocked is a Read and a Write that block on one end of a connection.
type blocked struct {
	calls       sync.WaitGroup
	read, write error
	written     int
}

// block returns once a Read and a Write that is a byte too large for the
// buffer both block on c.
func block(c *Conn, bufferBytes int) *blocked {
	b := new(blocked)
	b.calls.Go(func() { _, b.read = c.Read(make([]byte, 1)) })
	b.calls.Go(func() { b.written, b.write = c.Write(make([]byte, bufferBytes+1)) })
	synctest.Wait()
	return b
}

func TestWhatWakesBlockedCalls(t *testing.T) {
	tests := []struct {
		name        string
		end         func(c, peer *Conn)
		read, write error
	}{
		{"own close", func(c, _ *Conn) { c.Close() }, net.ErrClosed, net.ErrClosed},
		{"the peer's reset", func(_, peer *Conn) { peer.Close() }, syscall.ECONNRESET, syscall.EPIPE},
		{"the peer's close behind its FIN", func(_, peer *Conn) { peer.CloseWrite(); peer.Close() }, io.EOF, syscall.EPIPE},
		{"FINs of both", func(c, peer *Conn) { c.CloseWrite(); peer.CloseWrite() }, io.EOF, syscall.EPIPE},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				const bufferBytes = 10
				c, s := newConns(t, bufferBytes)
				b := block(c, bufferBytes)
				time.Sleep(time.Hour) // a blocked call lets the clock move on
				test.end(c, s)
				b.calls.Wait()
				wantError(t, "Read", b.read, test.read)
				wantError(t, "Write", b.write, test.write)
				if b.written != bufferBytes {
					t.Errorf("Write returned %d; want the %d bytes that were delivered", b.written, bufferBytes)
				}
			})
		})
	}
}

func TestWriteGoesOnWhenTheReaderMakesRoom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, s := newConns(t, 10)
		sent := bytes.Repeat([]byte("0123456789abc"), 100)
		go func() {
			c.Write(sent)
			c.CloseWrite()
		}()
		synctest.Wait()
		if s.in.size != 10 {
			t.Fatalf("%d bytes are buffered; want the bound of 10", s.in.size)
		}
		if got, err := io.ReadAll(s); err != nil || !bytes.Equal(got, sent) {
			t.Fatalf("read %d bytes, %v; want the %d that were sent", len(got), err, len(sent))
		}
	})
}

func TestConcurrentWritesStayTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, s := newConns(t, 10)
		const writers, size = 8, 101
		var calls sync.WaitGroup
		for i := range writers {
			calls.Go(func() { c.Write(bytes.Repeat([]byte{byte(i)}, size)) })
		}
		go func() {
			calls.Wait()
			c.CloseWrite()
		}()
		got, err := io.ReadAll(s)
		if err != nil || len(got) != writers*size {
			t.Fatalf("read %d bytes, %v; want %d", len(got), err, writers*size)
		}
		for message := range slices.Chunk(got, size) {
			if !bytes.Equal(message, bytes.Repeat(message[:1], size)) {
				t.Fatalf("the bytes of two Writes are mixed: % x", message)
			}
		}
	})
}

// Closing from every side at once neither panics nor leaves a call behind.
func TestConcurrentCloses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, s := newConns(t, 10)
		var calls sync.WaitGroup
		var mu sync.Mutex
		var firsts int
		for _, end := range []*Conn{c, s, c, s} {
			calls.Go(func() { io.Copy(io.Discard, end) })
			calls.Go(func() { end.Write(make([]byte, 100)) })
			calls.Go(func() { end.CloseWrite() })
			calls.Go(func() {
				time.Sleep(time.Second)
				if err := end.Close(); err == nil {
					mu.Lock()
					firsts++
					mu.Unlock()
				} else if !errors.Is(err, net.ErrClosed) {
					t.Errorf("Close: %v; want net.ErrClosed", err)
				}
			})
		}
		calls.Wait()
		if firsts != 2 {
			t.Errorf("%d Closes succeeded; want one for each end", firsts)
		}
	})
}
