package monitor

import (
	"github.com/monolock-dev/monolock-conform/conformance/timeline"
	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

// session is what happened on one connection, in order.
type session struct {
	who    string
	events []timeline.Event
	// opaque says that bytes were sent whose meaning the timeline does not
	// tell, so that answers cannot be counted.
	opaque bool
}

// split sorts events by connection, in the order of their first event.
func split(events []timeline.Event) []session {
	var sessions []session
	index := map[string]int{}
	for _, e := range events {
		i, known := index[e.Who]
		if !known {
			i = len(sessions)
			index[e.Who] = i
			sessions = append(sessions, session{who: e.Who})
		}
		s := &sessions[i]
		s.events = append(s.events, e)
		s.opaque = s.opaque || e.What == timeline.Send && e.Frame == nil && e.Note != Piece
	}
	return sessions
}

// Piece is the note of a send that holds a part of a frame which a later send
// of the same connection completes and carries as its Frame.
const Piece = "a piece of the next frame"

// Restart is the remark after which the server is another run of itself: tokens
// before and after it are S-TOK-05's matter alone.
const Restart = "the server is stopped by the suite"

// lock returns the name that the session asked for, and the event that asked.
func (s session) lock() (name string, asked timeline.Event, ok bool) {
	for _, e := range s.events {
		if sent(e, wire.TypeAcquire) {
			return e.Frame.Acquire.Name, e, true
		}
	}
	return "", timeline.Event{}, false
}

// grant returns the first ACQUIRED that the session received.
func (s session) grant() (timeline.Event, bool) {
	for _, e := range s.events {
		if received(e, wire.TypeAcquired) {
			return e, true
		}
	}
	return timeline.Event{}, false
}

// left returns the event with which the suite ended the session.
func (s session) left() (timeline.Event, bool) {
	for _, e := range s.events {
		if e.By == timeline.Suite && (e.What == timeline.FIN || e.What == timeline.RST) {
			return e, true
		}
	}
	return timeline.Event{}, false
}

func sent(e timeline.Event, t wire.Type) bool {
	return e.What == timeline.Send && e.Frame != nil && e.Frame.Type == t
}

func received(e timeline.Event, t wire.Type) bool {
	return e.What == timeline.Recv && e.Frame != nil && e.Frame.Type == t
}
