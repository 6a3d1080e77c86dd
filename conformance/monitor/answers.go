package monitor

import (
	"fmt"

	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/conformance/timeline"
	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

// surplus counts the answers of one session. In a suite's own timeline it speaks when
// the session is over: bytes whose meaning the timeline does not tell make all of it
// opaque, whenever they come. A capture tells of bytes in their turn.
type surplus struct {
	owed     int
	waiting  bool
	opaque   bool
	examined int
	found    bool // the first answer too many; none is counted behind it
	first    Violation
	said     bool
}

// oneAnswerAMessage: beyond one answer to each ACQUIRE and HEARTBEAT, the only
// frames are the promotion and ERROR (S-HB-03). It finds frames too many;
// an answer that is missing shows only to whoever waited for it.
func oneAnswerAMessage(s *session, e *timeline.Event, f *Finding) {
	a := &s.surplus
	a.opaque = a.opaque || e.What == timeline.Send && e.Frame == nil && e.Note != Piece
	switch {
	case a.opaque || a.found:
	case sent(e, wire.TypeAcquire), sent(e, wire.TypeHeartbeat):
		a.owed++
	case received(e, wire.TypeAcquired) && a.waiting:
		a.waiting = false
		a.examined++
	case received(e, wire.TypeWaiting), received(e, wire.TypeAcquired):
		a.waiting = a.waiting || e.Frame.Type == wire.TypeWaiting
		a.examined++
		if a.owed--; a.owed < 0 {
			a.found = true
			a.first = violationOf(e, "one answer to each message, and else only a promotion or an ERROR",
				fmt.Sprintf("%s received %v, which answers nothing", s.who, *e.Frame))
		}
	}
	if s.watch.capture {
		a.speak(s, f)
	}
}

// speak adds what was counted since it last spoke.
func (a *surplus) speak(s *session, f *Finding) {
	f.Examined += a.examined
	a.examined = 0
	if a.found && !a.said {
		a.said = true
		s.watch.news = append(s.watch.news, News{f.ID, a.first, false})
		s.watch.add(f, a.first)
	}
}

// settle adds what was counted to the finding that it belongs to.
func (a *surplus) settle(s *session, f *Finding) {
	if f.ID != spec.S_HB_03 || a.opaque || s.watch.capture {
		return
	}
	f.Examined += a.examined
	if a.found {
		s.watch.add(f, a.first)
	}
}

// neverBackToWaiting: ACQUIRED never goes back to WAITING (S-Q-07).
func neverBackToWaiting(s *session, e *timeline.Event, f *Finding) {
	switch {
	case received(e, wire.TypeAcquired):
		s.granted = true
		f.Examined++
	case s.granted && received(e, wire.TypeWaiting):
		s.violated(f, e, "a session that is ACQUIRED stays so until it ends", s.who+" received WAITING after ACQUIRED")
	}
}

// oneTokenASession: each ACQUIRED of a session has the same token (S-TOK-01).
func oneTokenASession(s *session, e *timeline.Event, f *Finding) {
	switch {
	case !received(e, wire.TypeAcquired):
	case !s.tokenKnown:
		s.tokenKnown, s.token = true, e.Frame.Token
	default:
		f.Examined++
		if e.Frame.Token != s.token {
			s.violated(f, e, fmt.Sprintf("token %d, as granted", s.token),
				fmt.Sprintf("%s then received token %d", s.who, e.Frame.Token))
		}
	}
}
