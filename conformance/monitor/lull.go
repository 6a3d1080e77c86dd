package monitor

import (
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/timeline"
	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

// lull notices in a capture when a server may have been restarted: it ended a
// session that had no reason to end, and then none was left. A suite's own timeline
// says it in words ([Restart]).
type lull struct {
	live    int
	drops   bool // a session ended so, since the last lull
	some    bool
	lastSeq int
}

// restartGap is how soon after a restart tokens need not be larger: a second
// (S-TOK-05), and some for the ways of the packets.
const restartGap = 1100 * time.Millisecond

func (l *lull) begin() { l.live++ }

// dropped notes that the server's side ended a session without an ERROR that names
// the session's own fault.
func (l *lull) dropped(s *session, e *timeline.Event) {
	switch {
	case e.By != timeline.Subject || s.hold.left:
	case e.Frame != nil:
		l.drops = l.drops || e.Frame.Code == wire.CodeShuttingDown
	case !s.failed:
		l.drops = true
	}
}

func (l *lull) end(seq int) {
	if l.live--; l.live <= 0 && l.drops {
		l.drops, l.some, l.lastSeq = false, true, seq
	}
}

// mayHaveRestarted reports whether the server may be another run of itself at e
// than it was at an earlier grant, with tokens that need not be larger yet.
func (l *ledger) mayHaveRestarted(earlier issue, e *timeline.Event) bool {
	return l.lull.some && l.lull.lastSeq >= earlier.seq && e.At-earlier.at < restartGap
}
