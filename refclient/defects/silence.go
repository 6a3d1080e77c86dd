package defects

import (
	"net"
	"sync/atomic"
	"time"

	"github.com/monolock-dev/monolock-conform/refclient"
)

// silence is what makes a client wait longer than it may.
func silence() []Defect {
	return []Defect{
		{
			ID:       "half-a-frame-stops-the-clock",
			Sentence: "While a frame has begun and is not complete, it waits for the rest without a time-out.",
			Must:     ids("C-TO-03 C-RD-05"),
			May:      ids("C-TO-02"),
			New: clocked(func(nc net.Conn, stopped *atomic.Bool) net.Conn {
				var c cutter
				return chunks(nc, func(b []byte) []byte {
					c.add(b)
					for c.next() != nil {
					}
					stopped.Store(c.inside())
					return b
				})
			}),
		},
		{
			ID:       "blocked-call-stops-the-clock",
			Sentence: "While a heartbeat is under way, in a write that blocks or unanswered, it has no time-out.",
			Must:     ids("C-DBT-05 C-TO-01 C-TO-02 C-TO-03"),
			May:      ids("C-RD-05 C-EXC-01"),
			New:      patientIn(func(s *session) bool { return holds(s) && s.Unanswered() > 0 }),
		},
		{
			ID:       "waits-for-ever-in-the-queue",
			Sentence: "In the queue it has no time-out.",
			Must:     ids("C-TO-05"),
			New:      patientIn(waits),
		},
		{
			ID:       "waits-for-ever-for-an-answer",
			Sentence: "It has no time-out for the answer to its ACQUIRE.",
			Must:     ids("C-TO-06"),
			New:      patientIn(func(s *session) bool { return s.State() == refclient.Asking }),
		},
		{
			ID: "sleeps-through-its-lease", Process: true,
			Sentence: "It takes no account of the time for which its process was stopped.",
			Must:     ids("C-TO-10"),
			New: func(cfg config) client {
				cfg.Clock = &sleepyClock{}
				return refclient.New(cfg)
			},
		},
	}
}

// clocked makes a client that has no deadline while its connection says so.
func clocked(wrap func(nc net.Conn, stopped *atomic.Bool) net.Conn) func(config) client {
	return func(cfg config) client {
		stopped := new(atomic.Bool)
		cfg.Rules = &changed{deadline: func(s *session) time.Time {
			if stopped.Load() {
				return time.Time{}
			}
			return standard.Deadline(s)
		}}
		return refclient.New(wrapping(cfg, func(nc net.Conn) net.Conn { return wrap(nc, stopped) }))
	}
}
