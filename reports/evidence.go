package reports

import (
	"fmt"
	"slices"
	"strings"

	"github.com/monolock-dev/monolock-conform/conformance/timeline"
)

// How many entries of the timeline stand around the event that decided, and how
// many bytes of each.
const (
	shownBefore = 12
	shownAfter  = 3
	shownOfLine = 160
)

// evidence writes the timeline around the event that shows a finding. That event
// is marked.
func (p *page) evidence(at place) {
	events, decisive := decisiveEvent(at)
	if decisive < 0 {
		return
	}
	from, to := max(decisive-shownBefore, 0), min(decisive+shownAfter+1, len(events))
	p.line("  timeline")
	if from > 0 {
		p.line("      %s", p.paint(dim, fmt.Sprintf("… %d before", from)))
	}
	for i := from; i < to; i++ {
		line := cut(eventLine(events[i]), shownOfLine)
		if i == decisive {
			p.line("    > %s", p.paint(bold, line))
			continue
		}
		p.line("      %s", line)
	}
	if rest := len(events) - to; rest > 0 {
		p.line("      %s", p.paint(dim, fmt.Sprintf("… %d after", rest)))
	}
}

// decisiveEvent returns the timeline without the marks of the finding itself, and
// the position of the event that shows it, -1 where none does.
func decisiveEvent(at place) ([]Event, int) {
	decisive := -1
	var events []Event
	for _, e := range at.scenario.Timeline {
		if !e.marks(at.ID) {
			events = append(events, e)
			continue
		}
		if decisive < 0 {
			decisive = lastEvent(events)
		}
	}
	return events, decisive
}

// lastEvent is the position of the last entry that is no verdict, or -1.
func lastEvent(events []Event) int {
	for i, e := range slices.Backward(events) {
		if e.Who != byVerdict {
			return i
		}
	}
	return -1
}

// eventLine describes an event in the manner of [timeline.Event.Line].
func eventLine(e Event) string {
	return cleanLine(fmt.Sprintf("%10.3f ms  %-8s %s", float64(e.TUS)/1000, e.Who, strings.TrimSpace(sign(e)+" "+e.Frame)))
}

// sign is what stands before the text of an event: the direction, or its kind.
func sign(e Event) string {
	switch timeline.What(e.What) {
	case timeline.Send:
		return "->"
	case timeline.Recv:
		return "<-"
	case timeline.Remark:
		return ""
	}
	return e.What
}
