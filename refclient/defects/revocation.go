package defects

import (
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/wire"
	"github.com/monolock-dev/monolock-conform/refclient"
)

// revocation is when a claim ends that nothing confirms.
func revocation() []Defect {
	return []Defect{
		{
			ID:       "claims-for-the-whole-lease",
			Sentence: "Its claim ends one lease after the last confirmation.",
			Must:     ids("C-TO-01"),
			May:      ids("C-RD-05 C-TO-03 C-DBT-05"),
			New:      claiming(10, 10),
		},
		{
			ID:       "claims-beyond-the-lease",
			Sentence: "Its claim ends 1.2 leases after the last confirmation.",
			Must:     ids("C-TO-01 C-TO-02 C-EXC-01"),
			May:      ids("C-RD-05 C-TO-03 C-DBT-05"),
			New:      claiming(12, 10),
		},
		{
			ID:       "never-stops",
			Sentence: "Its claim never ends for want of confirmation.",
			Must:     ids("C-TO-01 C-TO-02 C-TO-03 C-EXC-01"),
			May:      ids("C-RD-05 C-DBT-05"),
			New:      patientIn(holds),
		},
		{
			ID:       "stops-early",
			Sentence: "Its claim ends half a lease after the last confirmation.",
			Must:     ids("C-TO-07"),
			May:      ids("C-RD-05 C-RD-06 C-HB-04"),
			New:      claiming(5, 10),
		},
		{
			ID:       "late-answer-is-a-loss",
			Sentence: "Its claim ends when an answer takes longer than an interval.",
			Must:     ids("C-TO-07"),
			May:      ids("C-RD-05 C-RD-06 C-HB-04"),
			New: rules(func(r *changed) {
				r.deadline = func(s *session) time.Time {
					at := standard.Deadline(s)
					if impatient := s.Sent().Add(s.Base()); holds(s) && s.Unanswered() > 0 && impatient.Before(at) {
						return impatient
					}
					return at
				}
			}),
		},
		{
			ID:       "own-sends-confirm",
			Sentence: "It counts the lease from the last message that it sent, answered or not.",
			Must:     ids("C-TO-01 C-TO-02"),
			May:      ids("C-RD-05 C-TO-03 C-DBT-05 C-EXC-01"),
			New: rules(func(r *changed) {
				r.confirms = func(s *session, why occasion, sent, now time.Time) time.Time {
					if why == refclient.OnSent && holds(s) {
						return now
					}
					return standard.Confirms(s, why, sent, now)
				}
			}),
		},
		{
			ID:       "ends-without-closing",
			Sentence: "When nothing confirms its claim, it stops the work and leaves the connection open.",
			Must:     ids("C-TO-04"),
			New:      on(tellOnly, refclient.OnTimeout),
		},
		{
			ID:       "stops-the-work-and-goes-on",
			Sentence: "When nothing confirms its claim, it stops the work, and goes on with its heartbeats.",
			Must:     ids("C-TO-04"),
			May:      ids("C-HB-04"),
			New:      rules(beatingOn),
		},
		{
			ID:       "closes-without-telling",
			Sentence: "When nothing confirms its claim, it closes the connection and does not stop the work.",
			Must:     ids("C-TO-01 C-TO-02"),
			May:      ids("C-RD-05 C-TO-03 C-DBT-05 C-EXC-01"),
			New:      on(shutOnly, refclient.OnTimeout),
		},
		{
			ID:       "revived-by-a-late-answer",
			Sentence: "When nothing confirms its claim, it stops the work, and starts it again when ACQUIRED comes after all.",
			Must:     ids("C-TO-08"),
			May:      ids("C-HB-04 C-TO-04"),
			New:      rules(reviving),
		},
	}
}

// claiming makes a client whose claim, once granted, ends after another part of
// the lease.
func claiming(part, of time.Duration) func(config) client {
	return rules(func(r *changed) {
		r.deadline = func(s *session) time.Time {
			if !holds(s) {
				return standard.Deadline(s)
			}
			return s.Confirmed().Add(s.Lease() * part / of)
		}
	})
}

// patientIn makes a client without a deadline where that is true.
func patientIn(where func(*session) bool) func(config) client {
	return rules(func(r *changed) {
		r.deadline = func(s *session) time.Time {
			if where(s) {
				return time.Time{}
			}
			return standard.Deadline(s)
		}
	})
}

// beatingOn sends a heartbeat every interval after the claim's end.
func beatingOn(r *changed) {
	r.ends = func(s *session, why occasion) ending {
		if why == refclient.OnTimeout && holds(s) {
			return tellOnly
		}
		return standard.Ends(s, why)
	}
	r.allows = func(s *session) bool { return standard.Allows(s) || s.Lost() }
	r.interval = func(s *session) time.Duration {
		if s.Lost() {
			return s.Base()
		}
		return standard.Interval(s)
	}
	r.due = func(s *session, interval time.Duration) time.Time { return s.Sent().Add(interval) }
}

// reviving takes up an ended claim again.
func reviving(r *changed) {
	r.ends = func(s *session, why occasion) ending {
		if why == refclient.OnTimeout && holds(s) {
			return tellOnly
		}
		return standard.Ends(s, why)
	}
	r.judge = func(s *session, f frame) decision {
		if s.Lost() && f.Type == wire.TypeAcquired {
			return decision{Do: refclient.Grant}
		}
		return standard.Judge(s, f)
	}
	r.confirms = func(s *session, why occasion, sent, now time.Time) time.Time {
		if s.Lost() {
			return now
		}
		return standard.Confirms(s, why, sent, now)
	}
}
