package defects

import (
	"time"

	"github.com/monolock-dev/monolock-conform/refclient"
)

// pacing is when heartbeats are sent.
func pacing() []Defect {
	return []Defect{
		{
			ID:       "no-heartbeats",
			Sentence: "It never sends a heartbeat.",
			Must:     ids("C-HB-01 C-HB-02"),
			May:      ids("C-ACQ-02 C-RD-01 C-TO-07 C-CAN-02"),
			New:      allowing(func(*session) bool { return false }),
		},
		{
			ID:       "no-heartbeats-while-waiting",
			Sentence: "It sends no heartbeat before it holds the lock.",
			Must:     ids("C-HB-02"),
			May:      ids("C-RD-01 C-HB-01"),
			New:      allowing(holds),
		},
		{
			ID:       "no-heartbeats-while-holding",
			Sentence: "It sends no heartbeat once it holds the lock.",
			Must:     ids("C-HB-01"),
			May:      ids("C-ACQ-02 C-ACQ-05 C-RD-06 C-TO-07 C-CAN-02"),
			New:      allowing(waits),
		},
		{
			ID:       "stops-after-14-heartbeats",
			Sentence: "It sends 14 heartbeats on a connection, and no more.",
			Must:     ids("C-HB-01 C-HB-02"),
			New:      stoppingAfter(14),
		},
		{
			ID:       "stops-after-30-heartbeats",
			Sentence: "It sends 30 heartbeats on a connection, and no more.",
			Must:     ids("C-HB-01 C-HB-02"),
			New:      stoppingAfter(30),
		},
		{
			ID:       "half-lease-interval",
			Sentence: "It sends a heartbeat every half of the lease.",
			Must:     ids("C-HB-01 C-HB-02"),
			May:      ids("C-HB-03 C-HB-05 C-TO-07 C-CAN-02"),
			New:      pacedAt(2),
		},
		{
			ID:       "third-of-lease-interval",
			Sentence: "It sends a heartbeat every third of the lease.",
			Must:     ids("C-HB-01 C-HB-02"),
			May:      ids("C-HB-03 C-HB-05 C-CAN-02"),
			New:      pacedAt(3),
		},
		{
			ID:       "needless-heartbeats",
			Sentence: "It sends a heartbeat every sixteenth of the lease.",
			Must:     ids("C-HB-07"),
			May:      ids("C-TO-07"),
			New:      pacedAt(16),
		},
		{
			ID:       "no-round-trip-correction",
			Sentence: "Its interval does not shrink on a slow link, until two round trips are a quarter of the lease.",
			Must:     ids("C-HB-03"),
			New:      corrected(0),
		},
		{
			ID:       "corrected-by-one-round-trip",
			Sentence: "Its interval shrinks by one round trip instead of two.",
			Must:     ids("C-HB-03"),
			New:      corrected(1),
		},
		{
			ID:       "corrected-by-the-last-round-trip",
			Sentence: "Its interval shrinks by the last round trip instead of the smoothed one.",
			Must:     ids("C-HB-03"),
			New:      smoothedTo(func(_, sample time.Duration) time.Duration { return sample }),
		},
		{
			ID:       "corrected-by-the-longest-round-trip",
			Sentence: "Its interval shrinks by the longest round trip so far instead of the smoothed one.",
			Must:     ids("C-HB-03"),
			New:      smoothedTo(func(before, sample time.Duration) time.Duration { return max(before, sample) }),
		},
		{
			ID:       "interval-from-the-answer",
			Sentence: "It counts the interval from the answer, not from the send.",
			Must:     ids("C-HB-05"),
			May:      ids("C-HB-01 C-HB-03"), // a promotion is an answer to it
			New: rules(func(r *changed) {
				r.due = func(s *session, interval time.Duration) time.Time { return s.Heard().Add(interval) }
			}),
		},
		{
			ID:       "promotion-restarts-the-schedule",
			Sentence: "It counts the interval after a promotion from the promotion, not from the last heartbeat.",
			Must:     ids("C-HB-01"),
			New:      rules(restartedByAPush),
		},
		{
			ID:       "needless-heartbeats-after-a-promotion",
			Sentence: "Once it was promoted, it sends each heartbeat right after the answer to the one before.",
			Must:     ids("C-HB-07"),
			New:      rules(hurriedByAPush),
		},
		{
			ID:       "slow-link-waits-all-the-same",
			Sentence: "Where two round trips are a quarter of the lease or more, it goes on to wait for that quarter.",
			Must:     ids("C-HB-06"),
			May:      ids("C-TO-07"),
			New: rules(func(r *changed) {
				r.due = func(s *session, interval time.Duration) time.Time {
					if interval == 0 {
						return s.Heard().Add(s.Base())
					}
					return standard.Due(s, interval)
				}
			}),
		},
		{
			ID:       "schedule-outlives-the-connection",
			Sentence: "A heartbeat that a lost connection left unanswered keeps the next connection from sending any.",
			Must:     ids("C-HB-10"),
			New:      rules(stuckAfterALoss),
		},
	}
}

// allowing makes a client that heartbeats only where that is true.
func allowing(may func(*session) bool) func(config) client {
	return rules(func(r *changed) {
		r.allows = func(s *session) bool { return may(s) && standard.Allows(s) }
	})
}

// stoppingAfter makes a client that sends so many heartbeats on a connection.
func stoppingAfter(most int) func(config) client {
	return rules(func(r *changed) {
		var present *session
		var last time.Time
		sent := 0 // messages of the present session, the ACQUIRE among them
		r.allows = func(s *session) bool {
			if s != present {
				present, last, sent = s, time.Time{}, 0
			}
			if s.Sent() != last {
				last = s.Sent()
				sent++
			}
			return sent <= most && standard.Allows(s)
		}
	})
}

// pacedAt makes a client with a fixed part of the lease for its interval, on
// links where that is not right after the answer.
func pacedAt(part time.Duration) func(config) client {
	return rules(func(r *changed) {
		r.interval = func(s *session) time.Duration {
			if standard.Interval(s) == 0 {
				return 0
			}
			return s.Lease() / part
		}
	})
}

// corrected makes a client whose interval shrinks by another number of round trips.
func corrected(trips time.Duration) func(config) client {
	return rules(func(r *changed) {
		r.interval = func(s *session) time.Duration {
			if standard.Interval(s) == 0 {
				return 0
			}
			rtt, _ := s.RTT()
			return max(s.Base()-trips*rtt, min(s.Floor(), s.Base()))
		}
	})
}

// smoothedTo makes a client with another average of its round trips. No interval is
// nothing at all: without one, virtual time would stand still.
func smoothedTo(average func(before, sample time.Duration) time.Duration) func(config) client {
	return rules(func(r *changed) {
		r.smooth = func(s *session, sample time.Duration) time.Duration {
			before, _ := s.RTT()
			return average(before, sample)
		}
		r.interval = func(s *session) time.Duration { return max(standard.Interval(s), time.Millisecond) }
	})
}

func stuckAfterALoss(r *changed) {
	var present *session
	var unanswered int // of the present session, when it was last asked about
	stuck := false
	r.allows = func(s *session) bool {
		if s.State() != refclient.Waiting && !holds(s) {
			return false
		}
		if s != present {
			stuck = present != nil && unanswered > 0
			present = s
		}
		unanswered = s.Unanswered()
		return !stuck && standard.Allows(s)
	}
}

func restartedByAPush(r *changed) {
	var pushed time.Time
	r.confirms = func(s *session, why occasion, sent, now time.Time) time.Time {
		if why == refclient.OnPush {
			pushed = now
		}
		return standard.Confirms(s, why, sent, now)
	}
	r.due = func(s *session, interval time.Duration) time.Time {
		due := standard.Due(s, interval)
		if restarted := pushed.Add(interval); restarted.After(due) {
			return restarted
		}
		return due
	}
}

func hurriedByAPush(r *changed) {
	var promoted *session
	r.judge = func(s *session, f frame) decision {
		d := standard.Judge(s, f)
		if d.Do == refclient.Grant && waits(s) {
			promoted = s
		}
		return d
	}
	r.due = func(s *session, interval time.Duration) time.Time {
		if s == promoted {
			return s.Heard().Add(time.Millisecond) // without one, virtual time would stand still
		}
		return standard.Due(s, interval)
	}
}
