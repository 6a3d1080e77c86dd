package monitor

import (
	"fmt"

	"github.com/monolock-dev/monolock-conform/conformance/timeline"
	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

// oneHolderAtATime: a lock has one holder (S-Q-10). That two sessions hold it is
// proved where the second asked when the first had its grant, was granted, and the
// server then acknowledged a heartbeat of the first that was sent after that.
func oneHolderAtATime(s *session, e *timeline.Event, f *Finding) {
	h, t := &s.hold, &s.timing
	if h.line == nil || !received(e, wire.TypeAcquired) {
		return
	}
	last := h.line.last
	if h.news || last.who == s.who {
		f.Examined++
		return
	}
	acknowledged := t.open == 1 && t.beat.known && t.beat.seq > last.got && !s.blind
	inOrder := last.askedAt-h.issue.at >= captureOrder && t.beat.at-last.gotAt >= captureOrder
	if h.granted && acknowledged && inOrder && last.asked > h.seq && !h.twice {
		h.twice = true
		s.violated(f, e, "one holder of a lock at a time",
			fmt.Sprintf("%s asked for the lock of %s, was granted it, and then the server acknowledged %s as its holder", last.who, s.who, s.who))
	}
}

// handOver notes whose turn it is on a lock, and how long a promotion took.
func (l *ledger) handOver(s *session, e *timeline.Event) {
	h := &s.hold
	if h.line.free && s.surplus.waiting {
		l.facts.Handovers.add((e.At - h.line.freed).Microseconds())
	}
	h.line.free = false
	h.line.last = turn{who: s.who, asked: h.asked, got: e.Seq, askedAt: h.askedAt, gotAt: e.At}
}
