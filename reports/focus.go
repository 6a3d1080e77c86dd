package reports

import (
	"regexp"
	"slices"
	"strings"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/timeline"
)

// focus is what a finding is about: some lanes of a timeline and, where several
// cases ran side by side, those of its case.
type focus struct {
	named  []string // lanes that the finding names, and that of the event that shows it
	ofCase string
	cases  map[string]string // lanes to their cases
	locks  map[string]string // lanes to what they asked for, where there are many
}

// newFocus is the focus of a finding that decisive shows. Words are the finding's.
func newFocus(events []Event, decisive Event, words string) focus {
	f := focus{named: anyLane.FindAllString(words, -1), cases: casesIn(events), locks: map[string]string{}}
	if !slices.Contains(f.named, decisive.Who) {
		f.named = append(f.named, decisive.Who)
	}
	f.ofCase = f.cases[decisive.Who]
	if crowded(events) {
		f.locks = locksIn(events)
	}
	return f
}

// casesIn reads off the timeline to which case its connections and claims belong.
func casesIn(events []Event) map[string]string {
	cases := map[string]string{}
	for _, e := range events {
		begins := e.What == string(timeline.Open) || e.What == string(timeline.Remark) && strings.HasPrefix(e.Frame, "hello from ")
		if _, name, found := cutLast(e.Frame, conformance.InCase); begins && found {
			cases[e.Who] = name
		}
	}
	return cases
}

// cutLast cuts text around the last sep.
func cutLast(text, sep string) (before, after string, found bool) {
	at := strings.LastIndex(text, sep)
	if at < 0 {
		return text, "", false
	}
	return text[:at], text[at+len(sep):], true
}

// crowded reports whether a timeline has more lanes than a picture of a finding shows.
func crowded(events []Event) bool {
	lanes := map[string]bool{}
	for _, e := range events {
		lanes[e.Who] = true
	}
	return len(lanes) > lanesOfFinding
}

var askedName = regexp.MustCompile(`^ACQUIRE .* name=(".*)$`)

// locksIn reads off the timeline which lock each connection asked for.
func locksIn(events []Event) map[string]string {
	locks := map[string]string{}
	for _, e := range events {
		if found := askedName.FindStringSubmatch(e.Frame); found != nil && locks[e.Who] == "" {
			locks[e.Who] = found[1]
		}
	}
	return locks
}

// names reports whether the finding names the lane.
func (f focus) names(who string) bool { return slices.Contains(f.named, who) }

// concerns reports whether an event may have to do with the finding: it is of a lane
// that is named, or of neither another case nor, in a crowd, another lock.
func (f focus) concerns(e Event) bool {
	if f.names(e.Who) {
		return true
	}
	if e.Who == byVerdict {
		_, text, _ := strings.Cut(e.Frame, ": ")
		return f.sameCase(text)
	}
	if other := f.cases[e.Who]; f.ofCase != "" && other != "" && !inside(other, f.ofCase) {
		return false
	}
	other, asked := f.locks[e.Who]
	return !asked || slices.ContainsFunc(f.named, func(who string) bool { return f.locks[who] == other })
}

// inside reports whether one of two cases is the other, or a part of it.
func inside(a, b string) bool {
	return a == b || strings.HasPrefix(a, b+", ") || strings.HasPrefix(b, a+", ")
}

// sameCase reports whether the words of a judgement, or of a limit, are not of
// another case.
func (f focus) sameCase(text string) bool {
	name, _ := splitCase(strings.TrimPrefix(text, tooEarly))
	return f.ofCase == "" || name == "" || inside(name, f.ofCase)
}

// How much of a lane that a finding names is shown where it is not near.
const (
	keptOfLane  = 6 // events up to the one that decided
	behindOfOwn = 1 // and behind it
)

// around marks the events that are shown of a timeline around the decisive one: so
// many before and behind it that concern the finding, and of each lane that it names
// and that is not among them the nearest ones.
func (f focus) around(events []Event, decisive, before, after int) []bool {
	keep := make([]bool, len(events))
	concerns := func(i int) bool { return f.concerns(events[i]) }
	keepNearest(keep, decisive, before+1, -1, concerns)
	keepNearest(keep, decisive+1, after, 1, concerns)
	for _, who := range f.named {
		own := func(i int) bool { return events[i].Who == who }
		if !slices.ContainsFunc(shown(events, keep), func(e Event) bool { return e.Who == who && carries(e) }) {
			keepNearest(keep, decisive, keptOfLane, -1, own)
			keepNearest(keep, decisive+1, behindOfOwn, 1, own)
		}
	}
	return keep
}

// carries reports whether an event is more than the beginning or the end of a connection.
func carries(e Event) bool {
	return e.What == string(timeline.Send) || e.What == string(timeline.Recv) || e.What == string(timeline.Remark)
}

// keepNearest keeps at most n events that fit, from one on in steps.
func keepNearest(keep []bool, from, n, step int, fits func(int) bool) {
	for i := from; i >= 0 && i < len(keep) && n > 0; i += step {
		if fits(i) {
			keep[i] = true
			n--
		}
	}
}

// shown are the events that are kept.
func shown(events []Event, keep []bool) []Event {
	var all []Event
	for i, e := range events {
		if keep[i] {
			all = append(all, e)
		}
	}
	return all
}
