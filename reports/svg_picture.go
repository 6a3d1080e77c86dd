package reports

import (
	"html/template"
	"regexp"
	"slices"
	"strings"

	"github.com/monolock-dev/monolock-conform/conformance/spec"
)

// Sizes of a picture, in its own units.
const (
	pictureWidth = 980
	nameWidth    = 96
	rightRoom    = 14
	axisHeight   = 18
	rowHeight    = 11
	railGap      = 13
	stripHeight  = 11
	headHeight   = 14
)

// How many lanes a picture has, and how much of the timeline one of a finding
// shows around the event that decided.
const (
	lanesOfFinding = 14
	lanesOfPass    = 7
	drawnBefore    = 34
	drawnAfter     = 8
)

// picture is one drawing of a scenario, or of a part of it.
type picture struct {
	scenario Scenario
	role     spec.Role
	events   []Event   // what is drawn of the timeline
	found    []foundAt // where findings were seen
	limits   []Limit   // what was missed
	overruns []overrun // how far
	axis     axis
	lanes    []lane
	named    []string // lanes that the judgements speak of
	hidden   int      // lanes for which there is no room
	omitted  int      // events before and behind the part that is drawn
	rows     int      // of labels on either side of a lane
	lean     bool     // names without times, and nothing for a pointer
}

// foundAt is an instant at which findings were seen.
type foundAt struct {
	us  int64
	ids []string
}

// wholePicture draws all of a scenario's timeline.
func wholePicture(role spec.Role, s Scenario) *picture {
	p := &picture{scenario: s, role: role, lean: !accuses(s.Verdict), rows: 2}
	p.events, p.found = drawable(s.Timeline)
	most := lanesOfFinding
	if p.lean {
		p.rows, most = 1, lanesOfPass
	}
	p.fill(namesIn(s.Requirements...), most)
	return p
}

// placePicture draws what stands around the event that shows a finding.
func placePicture(role spec.Role, at place) *picture {
	p := &picture{scenario: at.scenario, role: role, rows: 2}
	p.events, p.found = drawable(at.scenario.Timeline)
	first := namesIn(at.Judgement)
	if events, decisive := decisiveEvent(at); decisive >= 0 {
		first = append(first, events[decisive].Who)
		p.crop(at, events, decisive)
	}
	p.fill(first, lanesOfFinding)
	return p
}

// crop leaves only what concerns the finding, around the event that decided.
func (p *picture) crop(at place, events []Event, decisive int) {
	f := newFocus(events, events[decisive], at.Expected+" "+at.Actual)
	cropped, _ := drawable(shown(events, f.around(events, decisive, drawnBefore, drawnAfter)))
	p.omitted = len(p.events) - len(cropped)
	p.events = cropped
	p.found = nil
	_, p.found = drawable(slices.DeleteFunc(slices.Clone(at.scenario.Timeline), func(e Event) bool { return !f.concerns(e) }))
	p.scenario.Limits = slices.DeleteFunc(slices.Clone(at.scenario.Limits), func(l Limit) bool { return !f.sameCase(l.What) })
	p.scenario.Claims = slices.DeleteFunc(slices.Clone(at.scenario.Claims), func(c Claim) bool { return !f.concerns(Event{Who: c.Who}) })
	p.scenario.Bands = slices.DeleteFunc(slices.Clone(at.scenario.Bands), func(b Band) bool {
		_, who := splitBand(b.What)
		return !f.concerns(Event{Who: who})
	})
}

// drawable takes verdicts and output out of a timeline.
func drawable(events []Event) (drawn []Event, found []foundAt) {
	for _, e := range events {
		switch {
		case e.Who == byVerdict && len(found) > 0 && found[len(found)-1].us == e.TUS:
			last := &found[len(found)-1]
			last.ids = append(last.ids, firstField(e.Frame))
		case e.Who == byVerdict:
			found = append(found, foundAt{e.TUS, []string{firstField(e.Frame)}})
		case e.Who != byOutput:
			drawn = append(drawn, e)
		}
	}
	for i := range found {
		slices.Sort(found[i].ids)
		found[i].ids = slices.Compact(found[i].ids)
	}
	return drawn, found
}

func firstField(text string) string {
	word, _, _ := strings.Cut(text, " ")
	return word
}

var anyLane = regexp.MustCompile(`\b(?:client|link|upstream|conn)-\d+\b`)

// namesIn are the lanes that judgements speak of.
func namesIn(judgements ...Judgement) []string {
	var names []string
	for _, j := range judgements {
		names = append(names, anyLane.FindAllString(j.Expected+" "+j.Actual, -1)...)
	}
	return names
}

// fill lays out everything but the heights.
func (p *picture) fill(first []string, most int) {
	chosen, hidden := p.choose(first, most)
	p.named, p.hidden = first, hidden
	p.axis = newAxis(p.instants(chosen), nameWidth+4, pictureWidth-nameWidth-4-rightRoom)
	p.limits = slices.DeleteFunc(slices.Clone(p.scenario.Limits), func(l Limit) bool { return !p.axis.covers(l.AtUS) })
	p.found = slices.DeleteFunc(p.found, func(f foundAt) bool { return !p.axis.covers(f.us) })
	p.overruns = overruns(p.scenario.Timeline, p.limits)
	p.lanes = p.lanesOf(chosen)
}

// instants are all times that the axis has to keep apart. The events of the lanes
// decide what the picture covers, and limits near to them; where there are none, the
// claims and bands do.
func (p *picture) instants(chosen []string) []int64 {
	var events, others []int64
	for _, e := range p.events {
		if slices.Contains(chosen, e.Who) {
			events = append(events, e.TUS)
		}
	}
	for _, s := range allStrips(p.scenario) {
		if slices.Contains(chosen, s.who) {
			others = append(others, s.from, s.to)
		}
	}
	if len(events) == 0 {
		return others
	}
	from, until := slices.Min(events), slices.Max(events)
	for _, f := range p.found {
		others = append(others, f.us)
	}
	for _, l := range p.scenario.Limits {
		if near := until + (until-from)/2; l.AtUS > until && l.AtUS <= near {
			until = l.AtUS
		}
		others = append(others, l.AtUS)
	}
	return append(events, slices.DeleteFunc(others, func(us int64) bool { return us < from || us > until })...)
}

// missing are the lanes that the judgements speak of and the timeline does not.
func (p *picture) missing() []string {
	var names []string
	for _, who := range p.named {
		kept := slices.ContainsFunc(p.scenario.Timeline, func(e Event) bool { return e.Who == who })
		if !kept && !slices.Contains(names, who) {
			names = append(names, who)
		}
	}
	return names
}

// empty reports whether there is nothing to draw.
func (p *picture) empty() bool { return len(p.lanes) == 0 }

// drawn is the picture as markup; id is the page's own.
func (p *picture) drawn(id string) template.HTML {
	if p.empty() {
		return ""
	}
	d := newPictureDrawing(p)
	return d.draw(id)
}
