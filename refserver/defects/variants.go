package defects

import (
	"net"
	"sync"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/wire"
	"github.com/monolock-dev/monolock-conform/refserver"
)

// Variant is a server that differs from the reference server in what the documents
// leave open, or within the tolerances. No requirement fails on it.
type Variant struct {
	ID       string // unique, kebab-case
	Sentence string // what the server does
	New      func(refserver.Config) Server
}

// Variants returns all of them. A suite that fails one of them raises a false alarm.
func Variants() []Variant {
	return []Variant{
		{
			ID:       "expires-a-little-late",
			Sentence: "It looks for expired leases so seldom that one lasts a fifth longer.",
			New:      scaled(1.2),
		},
		{
			ID:       "coarse-clock",
			Sentence: "Its clock ticks 64 times a second, and a lease may end a tick early.",
			New: rules(func(r *changed) {
				const tick = time.Second / 64
				r.lease = func(a wire.Acquire) time.Duration { return max(standard.Lease(a)-tick, 0) }
			}),
		},
		{
			ID:       "slow",
			Sentence: "Whatever it says takes 40 ms.",
			New:      eachWrite(func(nc net.Conn, p []byte) (int, error) { time.Sleep(40 * time.Millisecond); return nc.Write(p) }),
		},
		{
			ID:       "byte-by-byte",
			Sentence: "It sends every byte in a segment of its own.",
			New: eachWrite(func(nc net.Conn, p []byte) (int, error) {
				for i := range p {
					if n, err := nc.Write(p[i : i+1]); err != nil {
						return i + n, err
					}
				}
				return len(p), nil
			}),
		},
		{
			ID:       "gives-a-reason",
			Sentence: "Before it closes for silence it sends an ERROR, which the documents leave open (S-HB-15).",
			New: parting(func(nc net.Conn, refused bool) error {
				if !refused {
					nc.Write(wire.Bytes(wire.ErrorFrame(0x03, "too long silent")))
				}
				return nc.Close()
			}),
		},
		{
			ID:       "closes-with-a-reset",
			Sentence: "It ends connections with a RST, which the documents leave open (S-ACQ-24).",
			New: parting(func(nc net.Conn, _ bool) error {
				reset(nc)
				return nil
			}),
		},
		{
			ID:       "sparse-tokens",
			Sentence: "Its tokens are beyond 2^63 and leave gaps.",
			New: rules(func(r *changed) {
				const far, gap = 1 << 63, 1000
				r.token = func(l *lock, s *session, last uint64, now time.Time) uint64 {
					return standard.Token(l, s, last&^far, now) + gap | far
				}
			}),
		},
		{
			ID:       "own-words",
			Sentence: "Its reasons are empty: their text is its own choice (S-FRM-06).",
			New: rules(func(r *changed) {
				r.say = func(out []frame, _ *session, f frame, _ occasion) []frame {
					f.Reason = ""
					return append(out, f)
				}
			}),
		},
	}
}

// eachWrite makes a standard server that writes in that manner.
func eachWrite(write func(nc net.Conn, p []byte) (int, error)) func(refserver.Config) Server {
	return conns(func() func(net.Conn) net.Conn {
		return func(nc net.Conn) net.Conn {
			return &through{Conn: nc, write: func(p []byte) (int, error) { return write(nc, p) }}
		}
	})
}

// parting makes a standard server that ends connections in that manner, where the
// client has not ended them. Refused says that an ERROR was sent.
func parting(end func(nc net.Conn, refused bool) error) func(refserver.Config) Server {
	return conns(func() func(net.Conn) net.Conn {
		return func(nc net.Conn) net.Conn { return (&partingConn{end: end}).wrap(nc) }
	})
}

type partingConn struct {
	end func(nc net.Conn, refused bool) error

	mu            sync.Mutex
	refused, left bool
}

func (c *partingConn) wrap(nc net.Conn) net.Conn {
	return &through{
		Conn: nc,
		read: func(p []byte) (int, error) {
			n, err := nc.Read(p)
			if err != nil {
				c.note(func() { c.left = true })
			}
			return n, err
		},
		write: func(p []byte) (int, error) {
			if len(p) > 0 && wire.Type(p[0]) == wire.TypeError {
				c.note(func() { c.refused = true })
			}
			return nc.Write(p)
		},
		close: func() error {
			c.mu.Lock()
			refused, left := c.refused, c.left
			c.mu.Unlock()
			if left {
				return nc.Close()
			}
			return c.end(nc, refused)
		},
	}
}

func (c *partingConn) note(change func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	change()
}
