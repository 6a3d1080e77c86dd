package monitor

import (
	"github.com/monolock-dev/monolock-conform/conformance/timeline"
	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

// session is what the monitors remember of one connection. Each part belongs to
// the monitor of that name.
type session struct {
	who   string
	watch *Watch
	order *ledger

	surplus    surplus
	hold       hold
	granted    bool // an ACQUIRED came
	failed     bool // an ERROR came
	tokenKnown bool
	token      uint64 // of the first ACQUIRED
	asked      bool   // an ACQUIRE came from the client
	inFlight   int    // heartbeats of the client that are unanswered
	blind      bool   // some bytes of it were never seen
	timing     timing
}

// Piece is the note of a send that holds a part of a frame which a later send
// of the same connection completes and carries as its Frame.
const Piece = "a piece of the next frame"

// Restart is the remark after which the server is another run of itself: tokens
// before and after it are S-TOK-05's matter alone.
const Restart = "the server is stopped by the suite"

// missed forgets what the missing bytes may have changed.
func (s *session) missed() {
	s.blind = true
	s.surplus.opaque = true
	s.inFlight = 0
	s.timing.missed()
}

// unordered forgets what an event out of order may have changed: one before it may
// not have been seen yet.
func (s *session) unordered() {
	s.surplus.opaque = true
	s.inFlight = 0
	s.timing.missed()
}

func sent(e *timeline.Event, t wire.Type) bool {
	return e.What == timeline.Send && e.Frame != nil && e.Frame.Type == t
}

func received(e *timeline.Event, t wire.Type) bool {
	return e.What == timeline.Recv && e.Frame != nil && e.Frame.Type == t
}

func ended(e *timeline.Event) bool { return e.What == timeline.FIN || e.What == timeline.RST }
