package defects

import (
	"net"
	"sync"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/wire"
	"github.com/monolock-dev/monolock-conform/refclient"
)

// reading is how bytes become frames, and when.
func reading() []Defect {
	return []Defect{
		{
			ID:       "reads-after-sending",
			Sentence: "It reads only after it has sent something, one frame a message.",
			Must:     ids("C-RD-01"),
			New:      conns(each(readingInTurn)),
		},
		{
			ID:       "cut-frames-misread",
			Sentence: "It takes each read for one frame and fills up what is missing with zeros.",
			Must:     ids("C-RD-02"),
			New: conns(each(func(nc net.Conn) net.Conn {
				return chunks(nc, func(b []byte) []byte {
					if len(b) > 0 && wire.Type(b[0]) == wire.TypeError {
						b = append(b, make([]byte, max(0, wire.ErrorHeaderSize-len(b)))...)
					}
					return append(b, make([]byte, max(0, frameSize(b)-len(b)))...)
				})
			})),
		},
		{
			ID:       "coalesced-frames-dropped",
			Sentence: "It takes the first frame of each read and drops what is behind it.",
			Must:     ids("C-RD-03"),
			New: conns(each(func(nc net.Conn) net.Conn {
				var c cutter
				return chunks(nc, func(b []byte) []byte {
					c.add(b)
					f := c.next()
					if f != nil {
						c.buf = nil
					}
					return f
				})
			})),
		},
		{
			ID:       "partial-frame-confirms",
			Sentence: "It takes the first byte of an ACQUIRED that it has seen before for the whole.",
			Must:     ids("C-RD-05"),
			New:      conns(each(guessingFrames)),
		},
		{
			ID:       "crossing-is-doubt",
			Sentence: "It takes a promotion that crosses its heartbeat for the answer, and the answer behind it for doubt.",
			Must:     ids("C-RD-06"),
			New: rules(func(r *changed) {
				var crossed time.Time // the send of the heartbeat that a promotion crossed
				r.judge = func(s *session, f frame) decision {
					d := standard.Judge(s, f)
					switch {
					case d.Do == refclient.Grant && waits(s) && s.Unanswered() > 0:
						crossed = s.Sent()
					case d.Do == refclient.Confirm && s.Sent().Equal(crossed):
						return decision{Do: refclient.End, Why: refclient.OnUnknown}
					}
					return d
				}
			}),
		},
		{
			ID:       "crossing-starves",
			Sentence: "After a promotion that crossed a heartbeat it waits for one more frame than there is before it sends the next.",
			Must:     ids("C-RD-06"),
			New: rules(func(r *changed) {
				r.allows = func(s *session) bool { return standard.Allows(s) && s.Unanswered() == 0 }
			}),
		},
	}
}

// readingInTurn wraps a connection that is read one frame a write.
func readingInTurn(nc net.Conn) net.Conn {
	written := make(chan struct{}, chunkSize)
	closed := make(chan struct{})
	frames := wire.NewReader(nc)
	turn := feeding(nc, func() ([]byte, error) {
		select {
		case <-written:
		case <-closed:
			return nil, net.ErrClosed
		}
		return nextFrame(frames, wire.Bytes)
	})
	var once sync.Once
	return &through{
		Conn: turn,
		write: func(p []byte) (int, error) {
			n, err := nc.Write(p)
			select {
			case written <- struct{}{}:
			default:
			}
			return n, err
		},
		close: func() error {
			once.Do(func() { close(closed) })
			return nc.Close()
		},
	}
}

// guessingFrames wraps a connection whose ACQUIREDs are known by their first
// byte, once one was seen whole.
func guessingFrames(nc net.Conn) net.Conn {
	var c cutter
	var known []byte
	guessed := false
	return chunks(nc, func(b []byte) (out []byte) {
		c.add(b)
		for f := c.next(); f != nil; f = c.next() {
			if !guessed {
				out = append(out, f...)
			}
			guessed = false
			if wire.Type(f[0]) == wire.TypeAcquired {
				known = f
			}
		}
		if c.inside() && wire.Type(c.buf[0]) == wire.TypeAcquired && known != nil && !guessed {
			guessed = true
			out = append(out, known...)
		}
		return out
	})
}
