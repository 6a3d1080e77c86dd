package defects

import (
	"time"

	"github.com/monolock-dev/monolock-conform/refclient"
)

// later are clients that are right once: what goes wrong does so on a later
// connection, or only in the retrying call.
func later() []Defect {
	return []Defect{
		{
			ID:       "never-stops-on-a-later-connection",
			Sentence: "A claim that it holds on its second connection or a later one never ends for want of confirmation.",
			Must:     ids("C-TO-01 C-TO-02"),
			May:      ids("C-EXC-01"),
			New:      patientFrom(2, holds),
		},
		{
			ID:       "never-stops-on-the-third-connection",
			Sentence: "A claim that it holds on its third connection or a later one never ends for want of confirmation.",
			Must:     ids("C-TO-01 C-TO-02"),
			May:      ids("C-EXC-01"),
			New:      patientFrom(3, holds),
		},
		{
			ID:       "waits-for-ever-on-a-later-connection",
			Sentence: "In the queue it has no time-out on its second connection or a later one.",
			Must:     ids("C-TO-05"),
			New:      patientFrom(2, waits),
		},
		{
			ID:       "waits-for-ever-on-the-third-connection",
			Sentence: "In the queue it has no time-out on its third connection or a later one.",
			Must:     ids("C-TO-05"),
			New:      patientFrom(3, waits),
		},
		{
			ID:       "unanswered-heartbeat-stops-the-next-clock",
			Sentence: "After a connection that ended with a heartbeat unanswered it has no time-out on the next.",
			Must:     ids("C-TO-01 C-TO-02 C-TO-05"),
			May:      ids("C-TO-06 C-EXC-01"),
			New:      rules(stoppedByTheLast),
		},
		{
			ID:       "never-stops-in-the-retrying-call",
			Sentence: "In its retrying call a claim never ends for want of confirmation.",
			Must:     ids("C-TO-01 C-TO-02 C-EXC-01"),
			New:      whenRetrying(patientIn(holds)),
		},
		{
			ID:       "waits-for-ever-in-the-retrying-call",
			Sentence: "In the queue it has no time-out in its retrying call.",
			Must:     ids("C-TO-05"),
			New:      whenRetrying(patientIn(waits)),
		},
	}
}

// whenRetrying makes a client whose one call is right, and whose retrying one is
// another client's.
func whenRetrying(wrong func(config) client) func(config) client {
	return func(cfg config) client {
		return caller{once: refclient.New(cfg).Do, retry: wrong(cfg).DoRetry}
	}
}

// counting has r count the connections that have asked.
func counting(r *changed) (connections *int) {
	connections = new(int)
	r.acquire = func(name string, leaseMS uint32) []byte {
		*connections++
		return standard.Acquire(name, leaseMS)
	}
	return connections
}

// patientFrom makes a client without a deadline where that is true, from its n-th
// connection on.
func patientFrom(n int, where func(*session) bool) func(config) client {
	return rules(func(r *changed) {
		connections := counting(r)
		r.deadline = func(s *session) time.Time {
			if *connections >= n && where(s) {
				return time.Time{}
			}
			return standard.Deadline(s)
		}
	})
}

// stoppedByTheLast has no deadline after a connection that left something unanswered.
func stoppedByTheLast(r *changed) {
	left, stopped := false, false
	r.acquire = func(name string, leaseMS uint32) []byte {
		stopped = left
		return standard.Acquire(name, leaseMS)
	}
	r.ends = func(s *session, why occasion) ending {
		left = s.Unanswered() > 0 && s.State() != refclient.Asking
		return standard.Ends(s, why)
	}
	r.deadline = func(s *session) time.Time {
		if stopped {
			return time.Time{}
		}
		return standard.Deadline(s)
	}
}
