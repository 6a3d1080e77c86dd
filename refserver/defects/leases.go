package defects

import (
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/wire"
	"github.com/monolock-dev/monolock-conform/refserver"
)

// leases run out at the wrong time.
func leases() []Defect {
	return []Defect{
		{
			ID:       "hold-limited",
			Sentence: "It drops a holder after five leases, whatever it says.",
			Must:     ids("S-HB-04"),
			May:      ids("S-HB-06 S-HB-09"),
			New:      limited(5, refserver.Acquired),
		},
		{
			ID:       "wait-limited",
			Sentence: "It drops a waiter after five leases, whatever it says.",
			Must:     ids("S-HB-05"),
			May:      ids("S-HB-06"),
			New:      limited(5, refserver.Waiting),
		},
		{
			ID:       "lease-early",
			Sentence: "It drops a session after 0.8 of its lease.",
			Must:     ids("S-HB-06 S-HB-07 S-HB-11"),
			// A waiter promoted as its cut lease ends is dropped at once: its grant and the
			// next one are read in either order, and so are their tokens.
			May: ids("S-HB-08 S-HB-09 S-HB-10 S-HB-12 S-HB-13 S-HB-14 S-HB-17 S-HB-18 S-Q-01 S-Q-10 S-TOK-02 S-TOK-04"),
			New: scaled(0.8),
		},
		{
			ID:       "lease-late",
			Sentence: "It drops a session only after twice its lease.",
			Must:     ids("S-HB-07 S-HB-11"),
			May:      ids("S-ACQ-09 S-HB-08 S-HB-09 S-HB-10 S-HB-12 S-HB-13 S-HB-14 S-HB-17 S-HB-18 S-Q-02 S-Q-06 S-Q-10"),
			New:      scaled(2),
		},
		{
			ID:       "lease-never-ends",
			Sentence: "It drops no session for its silence.",
			Must:     ids("S-HB-07 S-HB-08 S-HB-11 S-HB-14"),
			May:      ids("S-HB-09 S-HB-10 S-HB-12 S-HB-13 S-HB-17 S-HB-18 S-Q-06 S-Q-10"),
			New: rules(func(r *changed) {
				r.deadline = func(s *session, now time.Time) time.Time {
					if s.State() == refserver.Connected {
						return standard.Deadline(s, now)
					}
					return time.Time{}
				}
			}),
		},
		{
			ID:       "waiters-never-expire",
			Sentence: "It drops no waiter for its silence.",
			Must:     ids("S-HB-08"),
			May:      ids("S-HB-10 S-HB-12 S-HB-14 S-Q-10 S-TOK-02"),
			New: rules(func(r *changed) {
				r.deadline = func(s *session, now time.Time) time.Time {
					if s.State() == refserver.Waiting {
						return time.Time{}
					}
					return standard.Deadline(s, now)
				}
			}),
		},
		{
			ID:       "waiter-expiry-turns-queue",
			Sentence: "When a waiter expires, it turns the rest of the queue round.",
			Must:     ids("S-HB-08"),
			May:      ids("S-Q-01 S-Q-10"),
			New: rules(func(r *changed) {
				r.remove = func(queue []*session, s *session, why occasion) []*session {
					queue = standard.Remove(queue, s, why)
					if why == refserver.OnExpiry {
						for i, j := 0, len(queue)-1; i < j; i, j = i+1, j-1 {
							queue[i], queue[j] = queue[j], queue[i]
						}
					}
					return queue
				}
			}),
		},
		{
			ID:       "heartbeat-refreshes-nothing",
			Sentence: "It counts the lease from the ACQUIRE, whatever heartbeats come.",
			Must:     ids("S-HB-04 S-HB-05 S-HB-09"),
			May:      ids("S-HB-01 S-HB-06 S-HB-07 S-HB-08 S-HB-10 S-HB-17 S-Q-10 S-ROB-01 S-TOK-01"),
			New: rules(func(r *changed) {
				r.refreshes = func(_ *session, why occasion) bool { return why == refserver.OnAcquire }
			}),
		},
		{
			ID:       "heartbeat-adds-half",
			Sentence: "A heartbeat buys half a lease, where only the ACQUIRE buys a whole one.",
			Must:     ids("S-HB-09"),
			May:      ids("S-HB-06 S-HB-07 S-HB-08 S-HB-10 S-HB-14 S-HB-17 S-Q-10"),
			New: rules(func(r *changed) {
				asked := make(map[*session]time.Time)
				r.deadline = func(s *session, now time.Time) time.Time {
					d := standard.Deadline(s, now)
					if s.State() == refserver.Connected {
						return d
					}
					if asked[s].IsZero() {
						asked[s] = s.LastSeen()
					}
					if s.LastSeen().After(asked[s]) {
						d = laterOf(asked[s].Add(s.Lease()), s.LastSeen().Add(s.Lease()/2))
					}
					return d
				}
			}),
		},
		{
			ID:       "one-lease-a-lock",
			Sentence: "It gives everyone at a lock the lease of the first.",
			Must:     ids("S-HB-10"),
			May:      ids("S-HB-04 S-HB-05 S-HB-06 S-HB-07 S-HB-08 S-HB-09 S-HB-11 S-HB-12 S-HB-14 S-HB-17 S-HB-18 S-Q-01 S-Q-04 S-Q-06 S-Q-10 S-TOK-02"),
			New: rules(func(r *changed) {
				first := make(map[*lock]time.Duration)
				r.deadline = func(s *session, now time.Time) time.Time {
					if s.State() == refserver.Connected {
						return standard.Deadline(s, now)
					}
					lease, known := first[s.Lock()]
					if !known {
						lease = s.Lease()
						first[s.Lock()] = lease
					}
					return s.LastSeen().Add(lease)
				}
			}),
		},
		{
			ID:       "acquire-starts-no-lease",
			Sentence: "It counts silence from the first heartbeat on, and not from the ACQUIRE.",
			Must:     ids("S-HB-11"),
			May:      ids("S-ACQ-09 S-HB-07 S-HB-08 S-HB-10 S-HB-12 S-HB-13 S-HB-14 S-HB-17 S-HB-18 S-Q-06 S-Q-10"),
			New: rules(func(r *changed) {
				heard := make(map[*session]bool)
				r.refreshes = func(s *session, why occasion) bool {
					heard[s] = heard[s] || why == refserver.OnHeartbeat
					return standard.Refreshes(s, why)
				}
				r.deadline = func(s *session, now time.Time) time.Time {
					if s.State() != refserver.Connected && !heard[s] {
						return time.Time{}
					}
					return standard.Deadline(s, now)
				}
			}),
		},
		{
			ID:       "promotion-refreshes",
			Sentence: "A promotion starts the lease again.",
			Must:     ids("S-HB-12"),
			May:      ids("S-Q-10"),
			New: rules(func(r *changed) {
				r.refreshes = func(s *session, why occasion) bool {
					return why == refserver.OnPromotion || standard.Refreshes(s, why)
				}
			}),
		},
		{
			ID:       "partial-message-refreshes",
			Sentence: "The beginning of a second ACQUIRE starts the lease again.",
			Must:     ids("S-HB-13"),
			New: rules(func(r *changed) {
				r.refreshes = func(s *session, why occasion) bool {
					return why == refserver.OnPartial || standard.Refreshes(s, why)
				}
				r.judge = func(s *session, m message, now time.Time) decision {
					if m.Kind == refserver.AcquireBegun {
						return decision{Do: refserver.Ignore}
					}
					return standard.Judge(s, m, now)
				}
			}),
		},
		{
			ID:       "expired-stays-open",
			Sentence: "It leaves the connection of an expired session open.",
			Must:     ids("S-HB-14"),
			May:      ids("S-HB-07 S-HB-08 S-HB-10"),
			New: rules(func(r *changed) {
				r.hangsUp = func(_ *session, why occasion) bool { return why != refserver.OnExpiry }
			}),
		},
		{
			ID:       "expired-is-answered",
			Sentence: "It answers late heartbeats of an expired session as if nothing had happened.",
			Must:     ids("S-HB-14"),
			May:      ids("S-HB-07 S-HB-08 S-HB-10"),
			New: rules(func(r *changed) {
				r.hangsUp = func(_ *session, why occasion) bool { return why != refserver.OnExpiry }
				r.judge = func(s *session, m message, now time.Time) decision {
					if s.State() == refserver.Ended && m.Kind == refserver.Heartbeat {
						return decision{Do: refserver.Answer}
					}
					return standard.Judge(s, m, now)
				}
			}),
		},
		{
			ID:       "late-timer",
			Sentence: "The timer of a holder that has left ends the hold of the next on that name.",
			Must:     ids("S-HB-17"),
			May:      ids("S-HB-01 S-HB-04 S-HB-05 S-HB-06 S-Q-01 S-Q-10 S-TOK-01"),
			New:      rules(lateTimer),
		},
		{
			ID:       "only-the-longest-timer",
			Sentence: "With sixteen sessions or more it sleeps until the earliest deadline that it knows, and does not wake for one that is added before it.",
			Must:     ids("S-HB-18"),
			May:      ids("S-ROB-05 S-Q-10"),
			New:      rules(oversleep),
		},
		{
			ID:       "no-timer",
			Sentence: "It looks whether leases are over only when somebody says something.",
			Must:     ids("S-HB-07 S-HB-08"),
			May:      ids("S-ACQ-09 S-HB-09 S-HB-10 S-HB-11 S-HB-12 S-HB-13 S-HB-14 S-HB-17 S-HB-18 S-Q-02 S-Q-06 S-Q-10 S-ROB-02 S-ROB-03"),
			New:      withoutTimer,
		},
		{
			ID:       "expired-holder-stays-open",
			Sentence: "It closes the connection of an expired holder only when that says something.",
			Must:     ids("S-HB-14"),
			New: rules(func(r *changed) {
				r.hangsUp = func(s *session, why occasion) bool {
					return why != refserver.OnExpiry || s.State() != refserver.Acquired
				}
			}),
		},
	}
}

// scaled is a server that counts leases in another measure.
func scaled(by float64) func(refserver.Config) Server {
	return rules(func(r *changed) {
		r.lease = func(a wire.Acquire) time.Duration {
			return time.Duration(by * float64(standard.Lease(a)))
		}
	})
}

// limited is a server that keeps no session in that state for more than so
// many leases.
func limited(leases int, in refserver.State) func(refserver.Config) Server {
	return rules(func(r *changed) {
		since := make(map[*session]time.Time)
		r.deadline = func(s *session, now time.Time) time.Time {
			d := standard.Deadline(s, now)
			if s.State() != in {
				return d
			}
			if since[s].IsZero() {
				since[s] = now
			}
			return earlierOf(d, since[s].Add(time.Duration(leases)*s.Lease()))
		}
	})
}

// lateTimer keeps the deadlines of holders that have closed.
func lateTimer(r *changed) {
	stale := make(map[string][]time.Time) // by lock, in no order
	r.releases = func(s *session, why occasion) bool {
		if s.State() == refserver.Acquired && left(why) {
			stale[s.Key()] = append(stale[s.Key()], s.Deadline())
		}
		return true
	}
	r.deadline = func(s *session, now time.Time) time.Time {
		d := standard.Deadline(s, now)
		if s.State() != refserver.Acquired {
			return d
		}
		for _, late := range stale[s.Key()] {
			if !late.Before(now) {
				d = earlierOf(d, late)
			}
		}
		return d
	}
}

// crowded is how many sessions it takes for oversleep.
const crowded = 16

// oversleep puts a deadline that comes before the one slept for to that one.
func oversleep(r *changed) {
	due := make(map[*session]time.Time)
	r.deadline = func(s *session, now time.Time) time.Time {
		d := standard.Deadline(s, now)
		if s.State() == refserver.Connected {
			return d
		}
		wake, n := time.Time{}, 0
		for other, at := range due {
			switch {
			case other.State() == refserver.Ended:
				delete(due, other)
			case other != s:
				n++
				if wake.IsZero() || at.Before(wake) {
					wake = at
				}
			}
		}
		if n >= crowded {
			d = laterOf(d, wake)
		}
		due[s] = d
		return d
	}
}

func earlierOf(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

func laterOf(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
