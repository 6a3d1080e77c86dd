package conformance

import (
	"strings"
	"time"
)

// InCase stands before the name of the case in the note of the event that begins a
// connection or a claim, so that a report can tell the connections of one case from
// those of the others, which run beside it.
const InCase = "in the case: "

// opens notes that a connection or a claim belongs to this part, and returns what
// its first event says of that.
func (t *T) opens(who string) (note string) {
	if t.part == "" {
		return ""
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.lanes == nil {
		t.attempt.lanes = map[string]string{}
	}
	t.lanes[who] = t.part
	return InCase + t.part
}

// lastEvent is the last event so far, and of a case the last one of its own: the
// others run beside it.
func (t *T) lastEvent() int {
	last := t.tl.Len() - 1
	if t.part == "" {
		return last
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	events := t.tl.Events()
	for i := len(events) - 1; i >= 0; i-- {
		if part, known := t.lanes[events[i].Who]; known && within(part, t.part) {
			return i
		}
	}
	return last
}

// eventOf is the event of who at an instant, or the last one before it; where there
// is none, it is [T.lastEvent].
func (t *T) eventOf(who string, at time.Time) int {
	last := -1
	for _, e := range t.tl.Events() {
		if e.Who == who && e.At <= at.Sub(t.tl.Start()) {
			last = e.Seq
		}
	}
	if last < 0 {
		return t.lastEvent()
	}
	return last
}

// within reports whether one of two parts is the other, or a case of it.
func within(a, b string) bool {
	return a == b || strings.HasPrefix(a, b+", ") || strings.HasPrefix(b, a+", ")
}
