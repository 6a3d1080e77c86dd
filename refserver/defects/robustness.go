package defects

import (
	"context"
	"errors"
	"net"
	"slices"
	"sync"
	"time"

	"github.com/monolock-dev/monolock-conform/refserver"
)

// robustness is what other clients, hostile or many, do to a server.
func robustness() []Defect {
	return []Defect{
		{
			ID:       "crashes-on-input",
			Sentence: "A first byte from 0xa0 to 0xfe ends the whole server.",
			Must:     ids("S-ROB-01"),
			New:      newCrashing,
		},
		{
			ID:       "input-disturbs-others",
			Sentence: "A first byte from 0xa0 to 0xfe resets all other connections.",
			Must:     ids("S-ROB-01"),
			May:      ids("S-HB-06"),
			New:      newDisturbing,
		},
		{
			ID:       "partial-acquire-kept",
			Sentence: "It waits for ever for the rest of an ACQUIRE.",
			Must:     ids("S-ROB-02"),
			New:      patientWhile(func(s *session) bool { return s.Begun() }),
		},
		{
			ID:       "silent-connection-kept",
			Sentence: "It waits for ever for the first byte of a connection.",
			Must:     ids("S-ROB-03"),
			New:      patientWhile(func(s *session) bool { return !s.Begun() }),
		},
		{
			ID:       "writes-in-turn",
			Sentence: "It writes to one client at a time, so that one that does not read stops the others' answers.",
			Must:     ids("S-ROB-04"),
			New: conns(func() func(net.Conn) net.Conn {
				turn := make(chan struct{}, 1)
				return func(nc net.Conn) net.Conn {
					return &through{Conn: nc, write: func(p []byte) (int, error) {
						turn <- struct{}{}
						defer func() { <-turn }()
						return nc.Write(p)
					}}
				}
			}),
		},
		{
			ID:       "session-limit",
			Sentence: "It closes every connection beyond 500.",
			Must:     ids("S-ROB-05"),
			New: conns(func() func(net.Conn) net.Conn {
				all := newCrowd()
				return func(nc net.Conn) net.Conn {
					if all.size() >= 500 {
						_ = nc.Close()
						return nil
					}
					return all.join(nc)
				}
			}),
		},
		{
			ID:       "queue-limit",
			Sentence: "It answers WAITING to waiters beyond the hundredth, and forgets them.",
			Must:     ids("S-ROB-06"),
			New: rules(func(r *changed) {
				r.insert = func(queue []*session, s *session) []*session {
					if len(queue) >= 100 {
						return queue
					}
					return append(queue, s)
				}
			}),
		},
		{
			ID:       "order-lost-in-long-queues",
			Sentence: "It puts waiters beyond the sixty-fourth in front of that many.",
			Must:     ids("S-ROB-06"),
			New: rules(func(r *changed) {
				r.insert = func(queue []*session, s *session) []*session {
					return slices.Insert(queue, min(len(queue), 64), s)
				}
			}),
		},
		{
			ID: "exits-out-of-descriptors", Process: true,
			Sentence: "It stops serving when an accept fails for want of descriptors.",
			Must:     ids("S-ROB-07"),
			New: func(cfg refserver.Config) Server {
				return despairing{refserver.New(cfg)}
			},
		},
	}
}

// patientWhile is a server without an io-timeout for some of its connections.
func patientWhile(kept func(*session) bool) func(refserver.Config) Server {
	return rules(func(r *changed) {
		r.deadline = func(s *session, now time.Time) time.Time {
			if s.State() == refserver.Connected && kept(s) {
				return time.Time{}
			}
			return standard.Deadline(s, now)
		}
	})
}

// poison reports whether m is the input that the server does not stand.
func poison(s *session, m message) bool {
	return s.State() == refserver.Connected && m.Kind == refserver.Unknown && m.Type >= 0xa0 && m.Type < 0xff
}

// onPoison is a judge that calls harm before the standard decision.
func onPoison(harm func(s *session)) func(*session, message, time.Time) decision {
	return func(s *session, m message, now time.Time) decision {
		if poison(s, m) {
			harm(s)
		}
		return standard.Judge(s, m, now)
	}
}

// crashing is a server that can end itself. Its other ends wait for that.
type crashing struct {
	*refserver.Server
	once    sync.Once
	running sync.WaitGroup
}

func newCrashing(cfg refserver.Config) Server {
	c := new(crashing)
	cfg.Rules = &changed{judge: onPoison(func(*session) { c.crash() })}
	c.Server = refserver.New(cfg)
	return c
}

// crash ends the server as a panic would, and does not wait for it: it is
// called by the loop, which has to end, too.
func (c *crashing) crash() {
	c.once.Do(func() {
		c.running.Go(func() { _ = c.Server.Close() })
	})
}

// Shutdown is the server's.
func (c *crashing) Shutdown(ctx context.Context) error {
	defer c.running.Wait()
	return c.Server.Shutdown(ctx)
}

// Close is the server's.
func (c *crashing) Close() error {
	defer c.running.Wait()
	return c.Server.Close()
}

// newDisturbing is a server where the input of one client harms the others.
func newDisturbing(cfg refserver.Config) Server {
	all := newCrowd()
	cfg.Rules = &changed{judge: onPoison(func(s *session) {
		for _, nc := range all.others(s.Remote()) {
			reset(nc)
		}
	})}
	return wrapped{refserver.New(cfg), all.join}
}

// despairing takes every error of an accept for its last.
type despairing struct{ *refserver.Server }

// Serve is the server's; an error of l ends it.
func (d despairing) Serve(l net.Listener) error { return d.Server.Serve(hopeless{l}) }

type hopeless struct{ net.Listener }

// Accept is the listener's, with errors that nobody recognises.
func (h hopeless) Accept() (net.Conn, error) {
	nc, err := h.Listener.Accept()
	if err != nil && !errors.Is(err, net.ErrClosed) {
		err = errors.New(err.Error())
	}
	return nc, err
}
