package defects

import (
	"github.com/monolock-dev/monolock-conform/conformance/wire"
	"github.com/monolock-dev/monolock-conform/refclient"
)

// held is what refusals do to a client that holds the lock.
func held() []Defect {
	return []Defect{
		{
			ID:       "error-while-holding-ignored",
			Sentence: "While it holds, it ignores an ERROR, and the end of the stream behind it until its next heartbeat.",
			Must:     ids("C-ERR-07"),
			May:      ids("C-RD-02 C-RD-03 C-LOSS-01"),
			New:      rules(deafToErrors),
		},
		{
			ID:       "error-while-holding-goes-by-its-class",
			Sentence: "While it holds, it takes an ERROR of a client error for advice.",
			Must:     ids("C-ERR-07"),
			New: rules(func(r *changed) {
				r.judge = func(s *session, f frame) decision {
					if holds(s) && f.Type == wire.TypeError && f.Code.IsClientError() {
						return decision{Do: refclient.Ignore}
					}
					return standard.Judge(s, f)
				}
			}),
		},
		{
			ID:       "error-while-holding-not-told",
			Sentence: "An ERROR while it holds makes it close, but does not stop the work.",
			Must:     ids("C-ERR-07"),
			May:      ids("C-RD-02 C-RD-03 C-LOSS-01 C-EXC-01"),
			New:      on(shutOnly, refclient.OnError),
		},
	}
}

// deafToErrors passes over an ERROR while it holds, and over what ends the
// stream after it.
func deafToErrors(r *changed) {
	deaf := false
	r.judge = func(s *session, f frame) decision {
		if holds(s) && f.Type == wire.TypeError {
			deaf = true
			return decision{Do: refclient.Ignore}
		}
		return standard.Judge(s, f)
	}
	r.ends = func(s *session, why occasion) ending {
		if deaf && holds(s) && (why == refclient.OnFIN || why == refclient.OnReset) {
			return nothing
		}
		return standard.Ends(s, why)
	}
}
