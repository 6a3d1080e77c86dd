package defects

import (
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/wire"
	"github.com/monolock-dev/monolock-conform/refclient"
)

// flight is which heartbeats are unanswered, and what answers them.
func flight() []Defect {
	return []Defect{
		{
			ID:       "pipelined-heartbeats",
			Sentence: "It sends heartbeats at their time whether the one before was answered or not.",
			Must:     ids("C-HB-04"),
			New:      allowingAlways(func(s *session) bool { return holds(s) || waits(s) }),
		},
		{
			ID:       "pipelined-while-waiting",
			Sentence: "While it waits, it sends heartbeats whether the one before was answered or not.",
			Must:     ids("C-HB-04"),
			New:      allowingAlways(waits),
		},
		{
			ID:       "acquired-is-no-answer",
			Sentence: "It does not take ACQUIRED for the answer to a heartbeat.",
			Must:     ids("C-HB-08"),
			May:      ids("C-ACQ-02 C-ACQ-05 C-RD-06 C-HB-01 C-TO-07 C-CAN-02"),
			New:      deafTo(wire.TypeAcquired, refclient.Confirm),
		},
		{
			ID:       "waiting-is-no-answer",
			Sentence: "It does not take WAITING for the answer to a heartbeat.",
			Must:     ids("C-HB-08"),
			May:      ids("C-RD-01 C-HB-01 C-HB-02 C-HB-10"),
			New:      deafTo(wire.TypeWaiting, refclient.Queue),
		},
	}
}

// allowingAlways makes a client that does not wait for answers where that is true.
func allowingAlways(where func(*session) bool) func(config) client {
	return rules(func(r *changed) {
		r.allows = func(s *session) bool { return standard.Allows(s) || where(s) && !s.Lost() }
		r.interval = func(s *session) time.Duration { return max(standard.Interval(s), min(s.Floor(), s.Base())) }
	})
}

// deafTo makes a client that passes over answers of that type.
func deafTo(t wire.Type, as refclient.Action) func(config) client {
	return rules(func(r *changed) {
		r.judge = func(s *session, f frame) decision {
			d := standard.Judge(s, f)
			if f.Type == t && d.Do == as && s.State() != refclient.Asking {
				return decision{Do: refclient.Ignore}
			}
			return d
		}
	})
}
