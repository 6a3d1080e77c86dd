package refserver

import (
	"bufio"
	"errors"
	"io"
	"net"
	"runtime/debug"

	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

const (
	// readBuffer holds the longest good ACQUIRE, in bytes. There is one a
	// connection, so it is small.
	readBuffer = 512
	// drainLimit is how much is read and thrown away after an ERROR, in bytes.
	drainLimit = 256 << 10
)

// conn is one connection: its session, its reader and its output. The loop
// owns the session and the reader's goroutine owns in and frames.
type conn struct {
	session Session
	nc      net.Conn
	in      *bufio.Reader
	frames  *wire.Reader
	out     output
	why     Occasion // why it ended, for the log; the loop sets it before burial
}

// newConn wraps nc. spawn starts a flusher, buried is called at the very end.
func (s *Server) newConn(nc net.Conn) *conn {
	c := &conn{nc: nc, in: bufio.NewReaderSize(nc, readBuffer)}
	c.frames = wire.NewReader(c.in)
	c.session = Session{remote: nc.RemoteAddr(), ioTimeout: s.cfg.IOTimeout, leaseAt: -1, conn: c}
	flush := c.out.flush // one closure a connection, so that starting it costs none
	c.out.init(nc, s.cfg.IOTimeout, func() { go flush() }, func() { s.buried(c) })
	return c
}

// read is the connection's reader: it sends events until the connection ends
// and says gone as its last.
func (s *Server) read(c *conn) {
	defer s.running.Done()
	s.events <- event{kind: opened, session: &c.session}
	why := s.readMessages(c)
	if c.out.ended() {
		_, _ = io.CopyN(io.Discard, c.nc, drainLimit)
	}
	s.events <- event{kind: gone, session: &c.session, why: why}
}

// readMessages sends each message as an event, and returns how the stream
// ended. It stops early when the server has ended the session. A panic here
// can only be a foreign byte's doing and ends this session alone.
func (s *Server) readMessages(c *conn) (why Occasion) {
	defer func() {
		if p := recover(); p != nil {
			s.log.Error("reader panicked", "remote", c.nc.RemoteAddr(), "panic", p, "stack", string(debug.Stack()))
			why = OnReset
		}
	}()
	for !c.out.ended() {
		if err := s.readMessage(c); err != nil {
			return occasionOf(err)
		}
		c.out.awaitRoom()
	}
	return OnFIN
}

// readMessage sends one message. It blocks until the message is whole.
func (s *Server) readMessage(c *conn) error {
	first, err := c.in.Peek(1)
	if err != nil {
		return err
	}
	if wire.Type(first[0]) == wire.TypeAcquire {
		s.tell(c, Message{Kind: AcquireBegun})
	}
	f, err := c.frames.ReadClient()
	if err != nil {
		return s.tellUnknown(c, err)
	}
	switch f.Type {
	case wire.TypeAcquire:
		s.tell(c, Message{Kind: Acquire, Acquire: f.Acquire})
	default:
		s.tell(c, Message{Kind: Heartbeat})
	}
	return nil
}

// tellUnknown sends the message of an unknown type that err stands for, and
// returns any other error.
func (s *Server) tellUnknown(c *conn, err error) error {
	var unknown *wire.UnknownTypeError
	if !errors.As(err, &unknown) {
		return err
	}
	s.tell(c, Message{Kind: Unknown, Type: unknown.Byte})
	return nil
}

// tell blocks until the loop has room for it.
func (s *Server) tell(c *conn, m Message) {
	s.events <- event{kind: said, session: &c.session, message: m}
}

// occasionOf tells a FIN, also one inside a message, from a lost connection.
func occasionOf(err error) Occasion {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return OnFIN
	}
	return OnReset
}
