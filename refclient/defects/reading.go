package defects

import (
	"net"
	"sync"
	"sync/atomic"
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
			May:      ids("C-RD-02 C-RD-03 C-HB-04 C-TO-07 C-ERR-07 C-DBT-01 C-DBT-02 C-EXC-01"),
			New:      conns(each(readingInTurn)),
		},
		{
			ID:       "cut-frames-misread",
			Sentence: "It takes what a read returns for whole frames, and fills up with zeros what the last one lacks.",
			Must:     ids("C-RD-02"),
			May:      ids("C-RD-05 C-TO-07"),
			New:      conns(each(func(nc net.Conn) net.Conn { return chunks(nc, filledUp) })),
		},
		{
			ID:       "coalesced-frames-dropped",
			Sentence: "It takes the first frame of each read and drops what is behind it.",
			Must:     ids("C-RD-03"),
			May:      ids("C-RD-02 C-ERR-03 C-ERR-04 C-DBT-01 C-LOSS-01 C-LOSS-02"),
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
			ID:       "bytes-confirm",
			Sentence: "It counts the lease from the last bytes that it read, a whole frame or not.",
			Must:     ids("C-RD-05"),
			New:      confirmedByBytes,
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

// filledUp returns b with its last frame made whole.
func filledUp(b []byte) []byte {
	var c cutter
	c.add(b)
	for c.next() != nil {
	}
	if !c.inside() {
		return b
	}
	rest := append(c.buf, make([]byte, max(0, wire.ErrorHeaderSize-len(c.buf)))...)
	lacks := frameSize(rest) - len(c.buf)
	return append(b[:len(b):len(b)], make([]byte, max(0, lacks))...)
}

// confirmedByBytes makes a client whose deadline moves with every read.
func confirmedByBytes(cfg config) client {
	var read atomic.Pointer[time.Time]
	read.Store(new(time.Time))
	cfg.Rules = &changed{deadline: func(s *session) time.Time {
		from := s.Confirmed()
		if at := *read.Load(); at.After(from) {
			from = at
		}
		return from.Add(s.Lease() * 4 / 5)
	}}
	return refclient.New(wrapping(cfg, func(nc net.Conn) net.Conn {
		return chunks(nc, func(b []byte) []byte {
			now := time.Now()
			read.Store(&now)
			return b
		})
	}))
}
