package conformance

import (
	"context"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/memnet"
	"github.com/monolock-dev/monolock-conform/conformance/subject"
	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

// scripted is a server that knows nothing of locks. It plays: its first
// connection gets the first of its parts, and so on; every further one is
// obliged. So a test decides what comes at which instant, right or wrong.
// It belongs to the bubble that made it.
type scripted struct {
	network  *memnet.Network
	listener *memnet.Listener
	playing  sync.WaitGroup
	tokens   atomic.Uint64 // handed out where clients are obliged

	mu    sync.Mutex
	conns []net.Conn
}

var _ subject.Server = (*scripted)(nil)

// part is what the server does on one connection. It may return at any time;
// the connection then stays open until the client or the test ends it.
type part func(*serverEnd)

func play(t *testing.T, parts ...part) *scripted {
	t.Helper()
	network := memnet.New()
	listener, err := network.Listen("")
	if err != nil {
		t.Fatal(err)
	}
	s := &scripted{network: network, listener: listener}
	s.playing.Go(func() {
		for i := 0; ; i++ {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			s.keep(conn)
			one := part(oblige)
			if i < len(parts) {
				one = parts[i]
			}
			s.playing.Go(func() {
				one(&serverEnd{server: s, conn: conn, reader: wire.NewReader(conn), asked: time.Now()})
				io.Copy(io.Discard, conn)
			})
		}
	})
	return s
}

func (s *scripted) keep(conn net.Conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.conns = append(s.conns, conn)
}

// Dial connects, or is refused after die.
func (s *scripted) Dial(ctx context.Context) (subject.Conn, error) {
	conn, err := s.network.Dial(ctx, s.Target())
	if err != nil {
		return nil, err
	}
	return conn, nil
}

// Target returns the address.
func (s *scripted) Target() string { return s.listener.Addr().String() }

// die ends the server as a crash does: nobody listens, and every connection ends.
func (s *scripted) die() {
	s.listener.Close()
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, conn := range s.conns {
		conn.Close()
	}
}

// end ends the server and waits for its goroutines.
func (s *scripted) end() {
	s.die()
	s.playing.Wait()
}

// serverEnd is the server's end of one connection.
type serverEnd struct {
	server *scripted
	conn   net.Conn
	reader *wire.Reader
	asked  time.Time // when the last message was taken, at first the accept
}

// take reads the next message. After the client's end it returns the zero frame.
func (p *serverEnd) take() wire.Frame {
	frame, _ := p.reader.ReadClient()
	p.asked = time.Now()
	return frame
}

// after lets time pass until d after the last message.
func (p *serverEnd) after(d time.Duration) { time.Sleep(time.Until(p.asked.Add(d))) }

func (p *serverEnd) say(frames ...wire.Frame) {
	for _, f := range frames {
		p.raw(wire.Bytes(f)...)
	}
}

func (p *serverEnd) raw(bytes ...byte) { p.conn.Write(bytes) }

func (p *serverEnd) close() { p.conn.Close() }

// answer answers each message that still comes.
func (p *serverEnd) answer(f wire.Frame) {
	for p.take().Type != 0 {
		p.say(f)
	}
}

// oblige grants whatever is asked for, with tokens that grow and are larger than
// any that a test's part hands out.
func oblige(p *serverEnd) {
	const first = 1 << 40
	token := first + p.server.tokens.Add(1)
	p.answer(wire.AcquiredFrame(token))
}

// waits is a part that makes its client wait, and goes on.
func waits(next part) part {
	return func(p *serverEnd) {
		p.take()
		p.say(wire.WaitingFrame)
		next(p)
	}
}

// holds is a part that grants the lock with that token, and goes on.
func holds(token uint64, next part) part {
	return func(p *serverEnd) {
		p.take()
		p.say(wire.AcquiredFrame(token))
		next(p)
	}
}
