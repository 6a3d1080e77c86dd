package memnet

import (
	"io"
	"net"
	"os"
	"sync"
	"syscall"
	"time"
)

// Conn is one end of a connection. It implements [net.Conn], and like
// [net.TCPConn] it has CloseWrite and SetLinger. All methods may be called at
// the same time from several goroutines; one Write's bytes stay together.
// Every error but io.EOF is a *net.OpError.
type Conn struct {
	mu     *sync.Mutex // of both ends
	peer   *Conn
	local  *net.TCPAddr
	remote *net.TCPAddr

	// mu guards what follows.
	in            pipe // what the peer wrote; this end's writes go to peer.in
	readDeadline  deadline
	writeDeadline deadline
	writing       bool // a Write is at work and others stand behind it
	shut          bool // CloseWrite was called
	abortive      bool // Close resets: SetLinger(0)
	closed        bool // Close was called
	reset         bool // the peer's reset arrived
	told          bool // a call has reported the reset
}

// newPair returns the two ends of a connection. The limits are what each end may
// have unread, in bytes.
func newPair(clientAddr, serverAddr *net.TCPAddr, clientLimit, serverLimit int) (client, server *Conn) {
	var pair struct {
		mu             sync.Mutex
		client, server Conn
	}
	client, server = &pair.client, &pair.server
	client.init(&pair.mu, server, clientAddr, serverAddr, clientLimit)
	server.init(&pair.mu, client, serverAddr, clientAddr, serverLimit)
	return client, server
}

func (c *Conn) init(mu *sync.Mutex, peer *Conn, local, remote *net.TCPAddr, limit int) {
	c.mu, c.peer, c.local, c.remote = mu, peer, local, remote
	c.in.init(mu, limit)
	c.readDeadline.wakes = &c.in.readable
	c.writeDeadline.wakes = &peer.in.writable
}

// LocalAddr returns this end's address, a *net.TCPAddr.
func (c *Conn) LocalAddr() net.Addr { return c.local }

// RemoteAddr returns the peer's address, a *net.TCPAddr: for a client the one
// that it dialled.
func (c *Conn) RemoteAddr() net.Addr { return c.remote }

// Read takes what has arrived, at least one byte, into b. It blocks while
// there is nothing. Reading into an empty b takes nothing and does not block.
// Errors: net.ErrClosed after Close; os.ErrDeadlineExceeded, also while bytes
// wait; and when all bytes are read, io.EOF after the peer's FIN or
// syscall.ECONNRESET after its reset.
func (c *Conn) Read(b []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for {
		switch {
		case c.closed:
			return 0, c.opError("read", net.ErrClosed)
		case len(b) == 0:
			return 0, nil
		case c.readDeadline.expired:
			return 0, c.opError("read", os.ErrDeadlineExceeded)
		case c.in.size > 0:
			return c.in.take(b), nil
		case c.in.fin:
			return 0, io.EOF
		case c.reset:
			c.told = true
			return 0, c.opError("read", os.NewSyscallError("read", syscall.ECONNRESET))
		}
		c.in.readers++
		c.in.readable.Wait()
		c.in.readers--
	}
}

// Write puts b into the peer's receive buffer. It blocks while that is full
// or another Write is at work, and returns less than len(b) only with an error.
// The first Write to a peer that has closed succeeds, its bytes vanish, and
// the peer's reset comes back. Writing an empty b reports errors only.
// Errors: net.ErrClosed after Close; os.ErrDeadlineExceeded, also while there
// is room; syscall.ECONNRESET from the call that is first to learn of a reset
// with no FIN before it; syscall.EPIPE otherwise after a reset, and after
// CloseWrite.
func (c *Conn) Write(b []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	out := &c.peer.in
	for c.writing {
		if err := c.writeError(); err != nil {
			return 0, err
		}
		out.writable.Wait()
	}
	c.writing = true
	defer func() {
		c.writing = false
		out.writable.Broadcast()
	}()

	for n := 0; ; {
		if err := c.writeError(); err != nil {
			return n, err
		}
		if c.peer.closed && n < len(b) {
			c.receiveReset()
			return len(b), nil
		}
		if n += out.put(b[n:]); n == len(b) {
			return n, nil
		}
		out.writable.Wait()
	}
}

// writeError returns why nothing can be written now, or nil. mu is held.
func (c *Conn) writeError() error {
	switch {
	case c.closed:
		return c.opError("write", net.ErrClosed)
	case c.writeDeadline.expired:
		return c.opError("write", os.ErrDeadlineExceeded)
	case c.reset && !c.told && !c.in.fin:
		c.told = true
		return c.opError("write", os.NewSyscallError("write", syscall.ECONNRESET))
	case c.reset, c.shut:
		return c.opError("write", os.NewSyscallError("write", syscall.EPIPE))
	}
	return nil
}

// CloseWrite sends a FIN behind what was written: the peer reads the rest and
// then io.EOF. Reading goes on. Blocked and later Writes fail with
// syscall.EPIPE. Calling it twice is no error. It does not block.
// Errors: net.ErrClosed after Close, syscall.ENOTCONN after a reset.
func (c *Conn) CloseWrite() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.closed:
		return c.opError("close", net.ErrClosed)
	case c.reset:
		return c.opError("close", os.NewSyscallError("shutdown", syscall.ENOTCONN))
	}
	c.shut = true
	c.peer.in.finish()
	c.peer.in.writable.Broadcast()
	return nil
}

// Close ends the connection and wakes this end's blocked calls. It sends a FIN
// behind what was written; but where received bytes were left unread, or after
// SetLinger(0), a reset. Either way the peer can still read what was written.
// It does not block.
// Errors: net.ErrClosed when it was closed before.
func (c *Conn) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return c.opError("close", net.ErrClosed)
	}
	c.close(c.abortive || c.in.size > 0)
	return nil
}

// abort closes with a reset.
func (c *Conn) abort() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.closed {
		c.close(true)
	}
}

// close is what Close and abort have in common. mu is held.
func (c *Conn) close(withReset bool) {
	c.closed = true
	switch {
	case c.reset:
		// The peer has gone already and hears nothing more.
	case withReset:
		// Always so where the peer's Write blocks: what fills the buffer is
		// unread. This wakes it.
		c.peer.receiveReset()
	default:
		c.peer.in.finish()
	}
	c.readDeadline.stop()
	c.writeDeadline.stop()
	c.in.discard()
	c.wake()
}

// receiveReset is the arrival of the peer's reset. A Read that waits is the
// one to report it, so that a Write which waits too sees EPIPE in every run.
// mu is held.
func (c *Conn) receiveReset() {
	c.reset = true
	c.told = c.in.readers > 0
	c.wake()
}

// wake wakes this end's blocked calls. mu is held.
func (c *Conn) wake() {
	c.in.readable.Broadcast()
	c.peer.in.writable.Broadcast()
}

// SetLinger with 0 makes Close reset the connection; any other value takes
// that back. Close never waits for the peer, whatever sec says.
// Errors: net.ErrClosed after Close.
func (c *Conn) SetLinger(sec int) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return c.opError("set", net.ErrClosed)
	}
	c.abortive = sec == 0
	return nil
}

// SetDeadline sets the deadlines of Read and Write. Calls that block are woken
// when it comes, or at once where it has passed; the zero time means none.
// Errors: net.ErrClosed after Close.
func (c *Conn) SetDeadline(t time.Time) error {
	return c.setDeadlines(t, &c.readDeadline, &c.writeDeadline)
}

// SetReadDeadline is SetDeadline for Read alone.
func (c *Conn) SetReadDeadline(t time.Time) error {
	return c.setDeadlines(t, &c.readDeadline)
}

// SetWriteDeadline is SetDeadline for Write alone.
func (c *Conn) SetWriteDeadline(t time.Time) error {
	return c.setDeadlines(t, &c.writeDeadline)
}

func (c *Conn) setDeadlines(t time.Time, deadlines ...*deadline) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return c.opError("set", net.ErrClosed)
	}
	for _, d := range deadlines {
		d.set(t)
	}
	return nil
}

func (c *Conn) opError(op string, err error) error {
	return &net.OpError{Op: op, Net: "tcp", Source: c.local, Addr: c.remote, Err: err}
}
