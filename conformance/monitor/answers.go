package monitor

import (
	"fmt"

	"github.com/monolock-dev/monolock-conform/conformance/timeline"
	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

// oneAnswerAMessage: beyond one answer to each ACQUIRE and HEARTBEAT, the only
// frames are the promotion and ERROR (S-HB-03). It finds frames too many;
// an answer that is missing shows only to whoever waited for it.
func oneAnswerAMessage(sessions []session, f *Finding) {
	for _, s := range sessions {
		if !s.opaque {
			countAnswers(s, f)
		}
	}
}

func countAnswers(s session, f *Finding) {
	owed, waiting := 0, false
	for _, e := range s.events {
		switch {
		case sent(e, wire.TypeAcquire), sent(e, wire.TypeHeartbeat):
			owed++
		case received(e, wire.TypeAcquired) && waiting:
			waiting = false
			f.Examined++
		case received(e, wire.TypeWaiting), received(e, wire.TypeAcquired):
			waiting = waiting || e.Frame.Type == wire.TypeWaiting
			f.Examined++
			if owed--; owed < 0 {
				f.violated(e, "one answer to each message, and else only a promotion or an ERROR",
					fmt.Sprintf("%s received %v, which answers nothing", s.who, *e.Frame))
				return
			}
		}
	}
}

// neverBackToWaiting: ACQUIRED never goes back to WAITING (S-Q-07).
func neverBackToWaiting(sessions []session, f *Finding) {
	for _, s := range sessions {
		granted := false
		for _, e := range s.events {
			switch {
			case received(e, wire.TypeAcquired):
				granted = true
				f.Examined++
			case granted && received(e, wire.TypeWaiting):
				f.violated(e, "a session that is ACQUIRED stays so until it ends",
					s.who+" received WAITING after ACQUIRED")
			}
		}
	}
}

// oneTokenASession: each ACQUIRED of a session has the same token (S-TOK-01).
func oneTokenASession(sessions []session, f *Finding) {
	for _, s := range sessions {
		var first *timeline.Event
		for _, e := range s.events {
			if !received(e, wire.TypeAcquired) {
				continue
			}
			if first == nil {
				first = &e
				continue
			}
			f.Examined++
			if e.Frame.Token != first.Frame.Token {
				f.violated(e, fmt.Sprintf("token %d, as granted", first.Frame.Token),
					fmt.Sprintf("%s then received token %d", s.who, e.Frame.Token))
			}
		}
	}
}
