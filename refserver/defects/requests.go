package defects

import (
	"net"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/wire"
	"github.com/monolock-dev/monolock-conform/refserver"
)

// longLease is where the server with a cap puts it: an hour, in milliseconds.
const longLease = 60 * 60 * 1000

// requests are what an ACQUIRE, and what comes in its place, leads to.
func requests() []Defect {
	return []Defect{
		{
			ID:       "free-lock-waits-first",
			Sentence: "It answers WAITING where the lock is free, and ACQUIRED right after.",
			Must:     ids("S-ACQ-01"),
			May:      anything,
			New: rules(func(r *changed) {
				r.say = func(out []frame, _ *session, f frame, why occasion) []frame {
					if f.Type == wire.TypeAcquired && why == refserver.OnAcquire {
						out = append(out, wire.WaitingFrame)
					}
					return append(out, f)
				}
			}),
		},
		{
			ID:       "busy-lock-is-silence",
			Sentence: "It says nothing to whoever has to wait, until a heartbeat or the promotion.",
			Must:     ids("S-ACQ-02"),
			May:      anything,
			New: rules(func(r *changed) {
				r.say = func(out []frame, _ *session, f frame, why occasion) []frame {
					if f.Type == wire.TypeWaiting && why == refserver.OnAcquire {
						return out
					}
					return append(out, f)
				}
			}),
		},
		{
			ID:       "heartbeat-first-accepted",
			Sentence: "It answers a HEARTBEAT as first message with WAITING.",
			Must:     ids("S-ACQ-03"),
			May:      ids("S-ACQ-23 S-ROB-01"),
			New: rules(func(r *changed) {
				r.judge = func(s *session, m message, now time.Time) decision {
					if s.State() == refserver.Connected && m.Kind == refserver.Heartbeat {
						return decision{Do: refserver.Answer}
					}
					return standard.Judge(s, m, now)
				}
			}),
		},
		{
			ID:       "second-acquire-ignored",
			Sentence: "It ignores a second ACQUIRE.",
			Must:     ids("S-ACQ-04 S-ACQ-05"),
			May:      ids("S-ACQ-21 S-FRM-03"),
			New:      onSecondAcquire(refserver.Ignore, refserver.Acquired, refserver.Waiting),
		},
		{
			ID:       "second-acquire-of-holder-is-heartbeat",
			Sentence: "It takes a second ACQUIRE of a holder for a heartbeat.",
			Must:     ids("S-ACQ-04"),
			May:      ids("S-ACQ-21 S-FRM-03"),
			New:      onSecondAcquire(refserver.Answer, refserver.Acquired),
		},
		{
			ID:       "second-acquire-of-waiter-is-heartbeat",
			Sentence: "It takes a second ACQUIRE of a waiter for a heartbeat.",
			Must:     ids("S-ACQ-05"),
			New:      onSecondAcquire(refserver.Answer, refserver.Waiting),
		},
		{
			ID:       "version-unchecked",
			Sentence: "It accepts every version.",
			Must:     ids("S-ACQ-06"),
			May:      ids("S-ACQ-22 S-ACQ-23"),
			New: rules(func(r *changed) {
				r.check = func(a wire.Acquire) (wire.Code, bool) {
					a.Version = wire.Version
					return standard.Check(a)
				}
			}),
		},
		{
			ID:       "lease-zero-accepted",
			Sentence: "It accepts lease_ms 0, as no limit.",
			Must:     ids("S-ACQ-07"),
			May:      ids("S-ACQ-22 S-ACQ-23"),
			New: rules(func(r *changed) {
				r.check = func(a wire.Acquire) (wire.Code, bool) {
					a.LeaseMS = max(a.LeaseMS, 1)
					return standard.Check(a)
				}
				r.lease = func(a wire.Acquire) time.Duration {
					if a.LeaseMS == 0 {
						a.LeaseMS = 1<<32 - 1
					}
					return standard.Lease(a)
				}
			}),
		},
		{
			ID:       "lease-capped",
			Sentence: "It refuses leases of more than an hour with 0x17.",
			Must:     ids("S-ACQ-08"),
			May:      ids("S-ACQ-01 S-FRM-01"),
			New:      leasesFrom(0, longLease),
		},
		{
			ID:       "short-lease-refused",
			Sentence: "It refuses leases below 10 ms with 0x17.",
			Must:     ids("S-ACQ-09"),
			New:      leasesFrom(10, 1<<32-1),
		},
		{
			ID:       "unknown-type-ignored",
			Sentence: "It skips unknown types after ACQUIRE.",
			Must:     ids("S-ACQ-19"),
			May:      ids("S-ACQ-21"),
			New:      onUnknown(decision{Do: refserver.Ignore}, refserver.Waiting, refserver.Acquired),
		},
		{
			ID:       "unknown-type-of-waiter-ignored",
			Sentence: "It skips unknown types while a session waits.",
			Must:     ids("S-ACQ-19"),
			New:      onUnknown(decision{Do: refserver.Ignore}, refserver.Waiting),
		},
		{
			ID:       "unknown-type-closes",
			Sentence: "It closes on an unknown type after ACQUIRE without an ERROR.",
			Must:     ids("S-ACQ-19"),
			New:      onUnknown(decision{Do: refserver.Drop}, refserver.Waiting, refserver.Acquired),
		},
		{
			ID:       "unknown-type-first-closes",
			Sentence: "It closes on an unknown type as first message without an ERROR.",
			Must:     ids("S-ACQ-20"),
			New:      onUnknown(decision{Do: refserver.Drop}, refserver.Connected),
		},
		{
			ID:       "refused-acquire-holds",
			Sentence: "It answers a bad version or lease with its ERROR and a close, and lets the ACQUIRE hold or queue all the same, until its lease ends.",
			Must:     ids("S-ACQ-22"),
			May:      ids("S-ACQ-06 S-ACQ-07"),
			New:      refusedHolds,
		},
	}
}

// onSecondAcquire is a server that does something else about a second ACQUIRE
// in those states.
func onSecondAcquire(do refserver.Action, in ...refserver.State) func(refserver.Config) Server {
	return rules(func(r *changed) {
		r.judge = func(s *session, m message, now time.Time) decision {
			switch {
			case !isIn(s, in):
			case m.Kind == refserver.AcquireBegun:
				return decision{Do: refserver.Ignore}
			case m.Kind == refserver.Acquire:
				return decision{Do: do}
			}
			return standard.Judge(s, m, now)
		}
	})
}

// onUnknown is a server that decides otherwise about unknown types in those states.
func onUnknown(d decision, in ...refserver.State) func(refserver.Config) Server {
	return rules(func(r *changed) {
		r.judge = func(s *session, m message, now time.Time) decision {
			if isIn(s, in) && m.Kind == refserver.Unknown {
				return d
			}
			return standard.Judge(s, m, now)
		}
	})
}

func isIn(s *session, states []refserver.State) bool {
	for _, state := range states {
		if s.State() == state {
			return true
		}
	}
	return false
}

// leasesFrom is a server that takes leases within those bounds only, in
// milliseconds.
func leasesFrom(least, most uint32) func(refserver.Config) Server {
	return rules(func(r *changed) {
		r.check = func(a wire.Acquire) (wire.Code, bool) {
			if code, ok := standard.Check(a); !ok {
				return code, ok
			}
			return wire.CodeLeaseNotPositive, least <= a.LeaseMS && a.LeaseMS <= most
		}
	})
}

// refusedHolds takes up an ACQUIRE with a bad version or lease, says ERROR in
// place of the answer, and lets the hold outlive the connection.
func refusedHolds(cfg refserver.Config) Server {
	refused := make(map[*session]wire.Code)
	cfg.Rules = &changed{
		judge: func(s *session, m message, now time.Time) decision {
			code, good := standard.Check(m.Acquire)
			_, nameGood := wire.CheckName(m.Acquire.Name)
			if _, ok := refused[s]; ok {
				return decision{Do: refserver.Ignore}
			}
			if s.State() == refserver.Connected && m.Kind == refserver.Acquire && !good && nameGood {
				refused[s] = code
			}
			return standard.Judge(s, m, now)
		},
		check: func(a wire.Acquire) (wire.Code, bool) { return wire.CheckName(a.Name) },
		lease: func(a wire.Acquire) time.Duration {
			if a.LeaseMS == 0 {
				a.LeaseMS = longLease
			}
			return standard.Lease(a)
		},
		say: func(out []frame, s *session, f frame, why occasion) []frame {
			if code, ok := refused[s]; ok && why == refserver.OnAcquire {
				f = wire.ErrorFrame(code, code.Text())
			}
			return append(out, f)
		},
		releases: func(s *session, why occasion) bool {
			_, ok := refused[s]
			return !ok || why == refserver.OnShutdown
		},
	}
	return wrapped{refserver.New(cfg), hangUpAfterError}
}

// hangUpAfterError closes a connection behind an ERROR that is a client's own
// doing and comes first.
func hangUpAfterError(nc net.Conn) net.Conn {
	return &through{Conn: nc, write: func(p []byte) (int, error) {
		n, err := nc.Write(p)
		if len(p) > 1 && wire.Type(p[0]) == wire.TypeError && wire.Code(p[1]).IsClientError() {
			_ = nc.Close()
		}
		return n, err
	}}
}
