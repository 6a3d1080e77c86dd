package defects

import (
	"github.com/monolock-dev/monolock-conform/conformance/wire"
	"github.com/monolock-dev/monolock-conform/refclient"
)

// doubts are impossible messages and broken connections that a client lives with.
func doubts() []Defect {
	return []Defect{
		{
			ID:       "unknown-type-ignored",
			Sentence: "It passes over a byte that begins no frame.",
			Must:     ids("C-DBT-01"),
			New: rules(func(r *changed) {
				r.ends = func(s *session, why occasion) ending {
					if why == refclient.OnUnknown {
						return nothing
					}
					return standard.Ends(s, why)
				}
			}),
		},
		{
			ID:       "unknown-type-not-closed",
			Sentence: "A byte that begins no frame makes it stop the work, and leave the connection open.",
			Must:     ids("C-DBT-01"),
			New:      on(tellOnly, refclient.OnUnknown),
		},
		{
			ID:       "unknown-type-not-told",
			Sentence: "A byte that begins no frame makes it close, and not stop the work.",
			Must:     ids("C-DBT-01"),
			New:      on(shutOnly, refclient.OnUnknown),
		},
		{
			ID:       "end-of-stream-ignored",
			Sentence: "While it holds, it takes no notice of the end of the stream before its next heartbeat.",
			Must:     ids("C-DBT-02"),
			May:      ids("C-LOSS-01"),
			New:      on(nothing, refclient.OnFIN),
		},
		{
			ID:       "reset-ignored",
			Sentence: "While it holds, it takes no notice of a reset before a second write fails.",
			Must:     ids("C-DBT-02"),
			May:      ids("C-DBT-05 C-LOSS-01 C-LOSS-03 C-EXC-01"),
			New: rules(func(r *changed) {
				failed := 0
				r.ends = func(s *session, why occasion) ending {
					if why == refclient.OnUnsent {
						failed++
					}
					if holds(s) && (why == refclient.OnReset || why == refclient.OnUnsent && failed < 2) {
						return nothing
					}
					return standard.Ends(s, why)
				}
				r.allows = func(s *session) bool { return standard.Allows(s) || failed > 0 && holds(s) }
			}),
		},
		{
			ID:       "failed-write-ignored",
			Sentence: "While it holds, it takes notice neither of a reset nor of writes that fail.",
			Must:     ids("C-DBT-05"),
			May:      ids("C-DBT-02 C-LOSS-01 C-LOSS-03 C-EXC-01"),
			New:      on(nothing, refclient.OnReset, refclient.OnUnsent),
		},
		{
			ID:       "waiting-behind-acquired-ignored",
			Sentence: "While it holds, it takes WAITING for an answer like any other.",
			Must:     ids("C-DBT-03"),
			May:      ids("C-DBT-06"),
			New: rules(func(r *changed) {
				r.judge = func(s *session, f frame) decision {
					if holds(s) && f.Type == wire.TypeWaiting {
						return decision{Do: refclient.Confirm}
					}
					return standard.Judge(s, f)
				}
			}),
		},
		{
			ID:       "waiting-behind-acquired-not-closed",
			Sentence: "While it holds, WAITING makes it stop the work and leave the connection open.",
			Must:     ids("C-DBT-06"),
			New:      on(tellOnly, refclient.OnStepBack),
		},
		{
			ID:       "other-token-accepted",
			Sentence: "It takes an acknowledgement with another token for an answer like any other.",
			Must:     ids("C-DBT-04"),
			New: rules(func(r *changed) {
				r.judge = func(s *session, f frame) decision {
					if holds(s) && f.Type == wire.TypeAcquired && !s.Lost() {
						return decision{Do: refclient.Confirm}
					}
					return standard.Judge(s, f)
				}
			}),
		},
	}
}
