package defects

import (
	"net"
	"slices"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/wire"
	"github.com/monolock-dev/monolock-conform/refserver"
)

// queue are the wrong orders, the wrong owners and the missing promotions.
func queue() []Defect {
	return []Defect{
		{
			ID:       "lifo",
			Sentence: "It promotes the newest waiter.",
			Must:     ids("S-Q-01 S-Q-05 S-ROB-06"),
			May:      ids("S-ACQ-22 S-HB-07 S-HB-08 S-HB-10 S-HB-12 S-HB-17 S-Q-02 S-Q-03 S-Q-06 S-Q-10 S-Q-11 S-Q-14"),
			New: rules(func(r *changed) {
				r.insert = func(queue []*session, s *session) []*session { return slices.Insert(queue, 0, s) }
			}),
		},
		{
			ID:       "third-waiter-overtakes",
			Sentence: "It puts every third waiter before the one ahead of it.",
			Must:     ids("S-Q-01"),
			May:      ids("S-HB-08 S-HB-10 S-HB-17 S-Q-03 S-Q-05 S-Q-06 S-Q-10 S-Q-11 S-Q-14 S-ROB-06"),
			New: rules(func(r *changed) {
				r.insert = func(queue []*session, s *session) []*session {
					if len(queue)%3 == 2 {
						return slices.Insert(queue, len(queue)-1, s)
					}
					return append(queue, s)
				}
			}),
		},
		{
			ID:       "promotes-on-next-heartbeat",
			Sentence: "It promotes a waiter only when that one's next heartbeat comes.",
			Must:     ids("S-Q-02"),
			May: ids(`S-ACQ-21 S-ACQ-22 S-FRM-04 S-HB-01 S-HB-05 S-HB-07 S-HB-08 S-HB-09 S-HB-10 S-HB-11 S-HB-12 S-HB-13 S-HB-14
				S-HB-17 S-HB-18 S-Q-01 S-Q-03 S-Q-04 S-Q-05 S-Q-06 S-Q-07 S-Q-08 S-Q-10 S-Q-11 S-Q-14
				S-ROB-01 S-ROB-04 S-ROB-06 S-SHUT-03 S-TOK-01 S-TOK-02`),
			New: rules(func(r *changed) {
				r.next = func(l *lock, why occasion, now time.Time) *session {
					if why != refserver.OnHeartbeat {
						return nil
					}
					return standard.Next(l, why, now)
				}
			}),
		},
		{
			ID:       "fin-waits-for-lease",
			Sentence: "It gives the lock of an owner that closed to the next one only when the lease ends.",
			Must:     ids("S-Q-03"),
			May: ids(`S-ACQ-01 S-ACQ-02 S-ACQ-22 S-FRM-01 S-FRM-04 S-HB-01 S-HB-05 S-HB-08 S-HB-12 S-HB-17 S-HB-18
				S-Q-01 S-Q-02 S-Q-05 S-Q-06 S-Q-07 S-Q-08 S-Q-10 S-Q-11 S-Q-14
				S-ROB-01 S-ROB-04 S-ROB-06 S-SHUT-03 S-TOK-01 S-TOK-02`),
			New: outlives(func(s *session, why occasion) bool { return s.State() == refserver.Acquired && why == refserver.OnFIN }),
		},
		{
			ID:       "reset-waits-for-lease",
			Sentence: "It gives the lock of an owner that was reset to the next one only when the lease ends.",
			Must:     ids("S-Q-04"),
			May:      ids("S-HB-17 S-Q-02 S-Q-06 S-Q-10 S-Q-14"),
			New: outlives(func(s *session, why occasion) bool {
				return s.State() == refserver.Acquired && why == refserver.OnReset
			}),
		},
		{
			ID:       "departure-drops-successor",
			Sentence: "A waiter that leaves mid-queue takes the one behind it out of the queue.",
			Must:     ids("S-Q-05"),
			May:      ids("S-HB-08 S-HB-12 S-HB-17 S-Q-01 S-Q-06 S-Q-10"),
			New: rules(func(r *changed) {
				r.remove = func(queue []*session, s *session, why occasion) []*session {
					at := slices.Index(queue, s)
					if left(why) && at > 0 && at+1 < len(queue) {
						queue = slices.Delete(queue, at+1, at+2)
					}
					return standard.Remove(queue, s, why)
				}
			}),
		},
		{
			ID:       "departure-moves-last",
			Sentence: "The last waiter gets the place of one that leaves.",
			Must:     ids("S-Q-05"),
			May:      ids("S-HB-17 S-Q-01 S-Q-06 S-Q-10 S-Q-11 S-Q-14"),
			New: rules(func(r *changed) {
				r.remove = func(queue []*session, s *session, why occasion) []*session {
					at, last := slices.Index(queue, s), len(queue)-1
					if !left(why) || at < 0 {
						return standard.Remove(queue, s, why)
					}
					queue[at] = queue[last]
					return queue[:last]
				}
			}),
		},
		{
			ID:       "departed-is-granted",
			Sentence: "A first waiter that leaves keeps its place, and holds the lock until its lease ends.",
			Must:     ids("S-Q-06"),
			May:      ids("S-Q-10 S-Q-11 S-Q-14"),
			New: outlives(func(s *session, why occasion) bool {
				return s.State() == refserver.Waiting && left(why) && s.Lock().Queue()[0] == s
			}),
		},
		{
			ID:       "waiting-after-acquired",
			Sentence: "It answers every fifth heartbeat of a holder with WAITING.",
			Must:     ids("S-Q-07"),
			May:      ids("S-HB-01 S-HB-03 S-HB-04 S-HB-09 S-HB-16 S-ROB-01 S-TOK-01"),
			New: rules(func(r *changed) {
				heard := make(map[*session]int)
				r.say = func(out []frame, s *session, f frame, why occasion) []frame {
					if why == refserver.OnHeartbeat && f.Type == wire.TypeAcquired {
						if heard[s]++; heard[s]%5 == 0 {
							f = wire.WaitingFrame
						}
					}
					return append(out, f)
				}
			}),
		},
		{
			ID:       "one-queue-for-all",
			Sentence: "It has one lock, whatever the name.",
			Must:     ids("S-ACQ-15 S-ACQ-16 S-ACQ-17 S-Q-08"),
			May:      anything,
			New:      keyed(func(string) string { return "" }),
		},
		{
			ID:       "re-entrant",
			Sentence: "It lets a second connection from the owner's network have the lock, too.",
			Must:     ids("S-ACQ-02 S-Q-09"),
			May:      anything,
			New: rules(func(r *changed) {
				r.admits = func(l *lock, s *session) bool {
					return standard.Admits(l, s) || l.Owner() != nil && network(l.Owner()) == network(s)
				}
			}),
		},
		{
			ID:       "two-holders",
			Sentence: "After ten grants of a lock it lets every second newcomer in that finds two waiting.",
			Must:     ids("S-Q-10"),
			May:      ids("S-Q-01 S-TOK-02 S-TOK-04"),
			New:      rules(twoHolders),
		},
		{
			ID:       "old-place",
			Sentence: "It gives a newcomer the place that the last one who left had.",
			Must:     ids("S-Q-11"),
			May:      ids("S-HB-17 S-Q-10 S-Q-01"),
			New:      rules(oldPlace),
		},
		{
			ID:       "both-gone-stalls",
			Sentence: "When owner and first waiter leave in one instant, it promotes nobody any more.",
			Must:     ids("S-Q-14"),
			May:      ids("S-Q-06 S-Q-10"),
			New:      rules(bothGone),
		},
	}
}

// outlives is a server where a hold or a place outlives those ends.
func outlives(end func(s *session, why occasion) bool) func(refserver.Config) Server {
	return rules(func(r *changed) {
		r.releases = func(s *session, why occasion) bool { return !end(s, why) }
	})
}

// network is the first half of a session's IPv4 address, or the whole host.
func network(s *session) string {
	host, _, _ := net.SplitHostPort(s.Remote().String())
	if ip := net.ParseIP(host).To4(); ip != nil {
		return string(ip[:2])
	}
	return host
}

func twoHolders(r *changed) {
	const grantsBefore, waiting, every = 10, 2, 2
	grants, newcomers := make(map[string]int), make(map[string]int)
	r.token = func(l *lock, s *session, last uint64, now time.Time) uint64 {
		grants[l.Key()]++
		return standard.Token(l, s, last, now)
	}
	r.admits = func(l *lock, s *session) bool {
		if standard.Admits(l, s) {
			return true
		}
		if grants[l.Key()] < grantsBefore || len(l.Queue()) < waiting {
			return false
		}
		newcomers[l.Key()]++
		return newcomers[l.Key()]%every == 0
	}
}

func oldPlace(r *changed) {
	places := make(map[*lock]int)
	r.releases = func(s *session, why occasion) bool {
		if l := s.Lock(); l != nil && left(why) {
			places[l] = max(0, slices.Index(l.Queue(), s)) // an owner's is the first
		}
		return true
	}
	r.insert = func(queue []*session, s *session) []*session {
		at, free := places[s.Lock()]
		if !free || at > len(queue) {
			at = len(queue)
		}
		delete(places, s.Lock())
		return slices.Insert(queue, at, s)
	}
}

// bothGone notices the end of an owner and of a first waiter a moment late, and
// loses the lock when both came within that moment.
func bothGone(r *changed) {
	const moment = time.Millisecond
	gone := make(map[*session]bool)
	lost := make(map[*lock]time.Time) // when the first waiter's end was noticed
	r.releases = func(s *session, why occasion) bool {
		l := s.Lock()
		if l == nil || !left(why) || l.Owner() != s && l.Queue()[0] != s {
			return true
		}
		gone[s] = true
		return false
	}
	r.deadline = func(s *session, now time.Time) time.Time {
		if gone[s] {
			return now.Add(moment)
		}
		return standard.Deadline(s, now)
	}
	r.remove = func(queue []*session, s *session, why occasion) []*session {
		if gone[s] {
			lost[s.Lock()] = s.Deadline()
		}
		return standard.Remove(queue, s, why)
	}
	stalled := make(map[*lock]bool)
	r.next = func(l *lock, why occasion, now time.Time) *session {
		if gone[l.Queue()[0]] || now.Sub(lost[l]) <= moment {
			stalled[l] = true
		}
		if stalled[l] {
			return nil
		}
		return standard.Next(l, why, now)
	}
}
