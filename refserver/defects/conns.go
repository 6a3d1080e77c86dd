package defects

import (
	"io"
	"net"
	"sync"

	"github.com/monolock-dev/monolock-conform/conformance/wire"
	"github.com/monolock-dev/monolock-conform/refserver"
)

// wrapped is a server whose connections are wrapped before it sees them.
type wrapped struct {
	*refserver.Server
	wrap func(net.Conn) net.Conn // nil result: the connection is not served
}

// Serve is the server's, on a listener that wraps.
func (s wrapped) Serve(l net.Listener) error {
	return s.Server.Serve(&wrappingListener{l, s.wrap})
}

type wrappingListener struct {
	net.Listener
	wrap func(net.Conn) net.Conn
}

// Accept is the listener's; it passes over connections that are not served.
func (l *wrappingListener) Accept() (net.Conn, error) {
	for {
		nc, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		if c := l.wrap(nc); c != nil {
			return c, nil
		}
	}
}

// conns makes a standard server whose connections are wrapped. setUp is
// called once a server.
func conns(setUp func() func(net.Conn) net.Conn) func(refserver.Config) Server {
	return func(cfg refserver.Config) Server { return wrapped{refserver.New(cfg), setUp()} }
}

// through is a connection with some methods replaced: those that are set.
type through struct {
	net.Conn
	read  func(p []byte) (int, error)
	write func(p []byte) (int, error)
	close func() error
}

func (t *through) Read(p []byte) (int, error) {
	if t.read != nil {
		return t.read(p)
	}
	return t.Conn.Read(p)
}

func (t *through) Write(p []byte) (int, error) {
	if t.write != nil {
		return t.write(p)
	}
	return t.Conn.Write(p)
}

func (t *through) Close() error {
	if t.close != nil {
		return t.close()
	}
	return t.Conn.Close()
}

// CloseWrite passes the half-close on, where the connection has one.
func (t *through) CloseWrite() error {
	if c, ok := t.Conn.(interface{ CloseWrite() error }); ok {
		return c.CloseWrite()
	}
	return t.Conn.Close()
}

// SetLinger passes the wish for a reset on, where the connection has one.
func (t *through) SetLinger(sec int) error {
	if c, ok := t.Conn.(interface{ SetLinger(int) error }); ok {
		return c.SetLinger(sec)
	}
	return nil
}

// reset closes nc so that the peer sees a reset. It does not block.
func reset(nc net.Conn) {
	if c, ok := nc.(interface{ SetLinger(int) error }); ok {
		_ = c.SetLinger(0)
	}
	_ = nc.Close()
}

// chunkSize is how much a server that thinks in reads takes at once, in bytes.
const chunkSize = 4 << 10

// chunks wraps a connection so that edit sees what each read returned, and
// decides what of it the server gets. An error of edit ends the stream.
func chunks(nc net.Conn, edit func(chunk []byte) ([]byte, error)) net.Conn {
	var rest []byte
	var end error
	buf := make([]byte, chunkSize)
	return &through{Conn: nc, read: func(p []byte) (int, error) {
		for len(rest) == 0 {
			if end != nil {
				return 0, end
			}
			n, err := nc.Read(buf)
			if rest, end = edit(buf[:n]); end == nil {
				end = err
			}
		}
		n := copy(p, rest)
		rest = rest[n:]
		return n, nil
	}}
}

// header wraps a connection so that edit can change the fixed part of its
// first ACQUIRE, type byte included.
func header(nc net.Conn, edit func(h []byte)) net.Conn {
	var rest []byte
	seen := false
	return &through{Conn: nc, read: func(p []byte) (int, error) {
		if !seen {
			seen = true
			var err error
			if rest, err = readHeader(nc); err != nil {
				return 0, err
			}
			if len(rest) == wire.AcquireHeaderSize {
				edit(rest)
			}
		}
		if len(rest) == 0 {
			return nc.Read(p)
		}
		n := copy(p, rest)
		rest = rest[n:]
		return n, nil
	}}
}

// readHeader reads the fixed part of an ACQUIRE, or one byte of anything else.
func readHeader(r io.Reader) ([]byte, error) {
	h := make([]byte, wire.AcquireHeaderSize)
	if _, err := io.ReadFull(r, h[:1]); err != nil {
		return nil, err
	}
	if wire.Type(h[0]) != wire.TypeAcquire {
		return h[:1], nil
	}
	_, err := io.ReadFull(r, h[1:])
	return h, err
}

// cursor finds the ends of messages in a client's bytes, however they are cut.
type cursor struct {
	head []byte // of an ACQUIRE, as far as it came
	left int    // bytes of its name still to come
}

// next returns how many bytes of b belong to the message that b goes on with
// or begins.
func (c *cursor) next(b []byte) int {
	n := 0
	if c.left == 0 {
		if len(c.head) == 0 && wire.Type(b[0]) != wire.TypeAcquire {
			return 1
		}
		n = min(len(b), wire.AcquireHeaderSize-len(c.head))
		c.head = append(c.head, b[:n]...)
		if !c.measure() {
			return n
		}
	}
	part := min(len(b)-n, c.left)
	c.left -= part
	return n + part
}

// measure reads the length once the header is whole.
func (c *cursor) measure() bool {
	if len(c.head) < wire.AcquireHeaderSize {
		return false
	}
	c.left = int(c.head[6])<<8 | int(c.head[7])
	c.head = c.head[:0]
	return true
}

// inside reports whether a message has begun and is not complete.
func (c *cursor) inside() bool { return len(c.head) > 0 || c.left > 0 }

// crowd is the set of a server's open connections.
type crowd struct {
	mu  sync.Mutex
	all map[net.Conn]bool
}

func newCrowd() *crowd { return &crowd{all: make(map[net.Conn]bool)} }

// join wraps nc so that it is in the crowd until it is closed.
func (c *crowd) join(nc net.Conn) net.Conn {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.all[nc] = true
	return &through{Conn: nc, close: func() error {
		c.mu.Lock()
		delete(c.all, nc)
		c.mu.Unlock()
		return nc.Close()
	}}
}

func (c *crowd) size() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.all)
}

// others returns all connections but those of that remote address.
func (c *crowd) others(remote net.Addr) []net.Conn {
	c.mu.Lock()
	defer c.mu.Unlock()
	var list []net.Conn
	for nc := range c.all {
		if nc.RemoteAddr().String() != remote.String() {
			list = append(list, nc)
		}
	}
	return list
}
