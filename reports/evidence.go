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
	part, shows := partOf(at, shownBefore, shownAfter)
	if !shows {
		return
	}
	p.line("  timeline  %s", p.paint(dim, arrowsOf(at.scenario.ID)))
	if part.before > 0 {
		p.line("      %s", p.paint(dim, fmt.Sprintf("… %d before", part.before)))
	}
	for i, e := range part.events {
		line := cut(eventLine(e), shownOfLine)
		if i == part.decisive {
			p.line("    > %s", p.paint(bold, line))
			continue
		}
		p.line("      %s", line)
	}
	if part.after > 0 {
		p.line("      %s", p.paint(dim, fmt.Sprintf("… %d after", part.after)))
	}
	if part.between > 0 {
		p.line("      %s", p.paint(dim, fmt.Sprintf("… and %d of other connections in between", part.between)))
	}
}

// arrowsOf says what the arrows of a scenario's timeline mean. In a run they are the
// suite's, which plays the other side, and the proxy between; in a capture it has none.
func arrowsOf(scenario string) string {
	if strings.HasPrefix(scenario, traceScenarios) {
		return "(-> went to the server, <- came from it)"
	}
	return "(-> the suite sent, <- it received)"
}

// timelinePart is what a report shows of a timeline: what concerns a finding, around
// the event that shows it.
type timelinePart struct {
	events                 []Event
	decisive               int
	before, after, between int // events that are left out there
}

// partOf takes so many events before and behind the one that shows the finding. It
// reports false where none does.
func partOf(at place, before, after int) (timelinePart, bool) {
	events, decisive := decisiveEvent(at)
	if decisive < 0 {
		return timelinePart{}, false
	}
	keep := newFocus(events, events[decisive], at.Expected+" "+at.Actual).around(events, decisive, before, after)
	first, last := slices.Index(keep, true), len(keep)
	for !keep[last-1] {
		last--
	}
	part := timelinePart{before: first, after: len(events) - last, events: shown(events[first:last], keep[first:last])}
	part.decisive = len(shown(events[first:decisive], keep[first:decisive]))
	part.between = last - first - len(part.events)
	return part, true
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
