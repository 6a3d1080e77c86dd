package reports

import (
	"cmp"
	"fmt"
	"html/template"
	"math"
	"slices"
	"strings"
)

// Measures of a drawing, in its own units.
const (
	drawingWidth = 1000
	gutter       = 118 // names of lanes
	laneHeight   = 38
	bandHeight   = 15
	axisHeight   = 22
	mostLanes    = 9
	mostBands    = 6
	leastGap     = 4.0 // marks of a lane that are closer become one
	charWidth    = 5.9
	boldWidth    = 7.0
)

// drawing is a timeline as SVG, with what it does not show.
type drawing struct {
	SVG   template.HTML
	Notes []string // for people: what was left out
}

// view is the part of a scenario that a drawing shows.
type view struct {
	scenario Scenario
	from, to int64 // µs
	lanes    []string
	decisive *Event // the event that shows the finding
	about    string // the requirement that it is about
}

// drawScenario draws the whole of what a result keeps of a scenario.
func drawScenario(s Scenario) drawing {
	if len(s.Timeline) == 0 {
		return drawing{}
	}
	v := view{scenario: s, from: math.MaxInt64, to: math.MinInt64}
	for _, e := range s.Timeline {
		v.cover(e.TUS)
	}
	return v.draw()
}

// drawFinding draws what led to a finding: the connection that shows it from its
// beginning, and whoever acted in the same time.
func drawFinding(at place) drawing {
	events, decisive := decisiveEvent(at)
	if decisive < 0 {
		return drawScenario(at.scenario)
	}
	v := view{scenario: at.scenario, from: math.MaxInt64, to: math.MinInt64, decisive: &events[decisive], about: string(at.ID)}
	v.cover(events[decisive].TUS)
	for _, e := range events {
		if e.Who == events[decisive].Who {
			v.cover(e.TUS)
		}
	}
	for _, l := range v.ownLimits() {
		v.cover(l.AtUS)
	}
	for i := max(decisive-shownBefore/2, 0); i < min(decisive+shownAfter, len(events)); i++ {
		v.cover(events[i].TUS)
	}
	return v.draw()
}

// cover widens the view to an instant.
func (v *view) cover(at int64) { v.from, v.to = min(v.from, at), max(v.to, at) }

// ownLimits are the limits that belong to the finding: those next to its event.
func (v *view) ownLimits() []Limit {
	var near []Limit
	for _, l := range v.scenario.Limits {
		if v.decisive != nil && abs(l.AtUS-v.decisive.TUS) <= 5_000_000 {
			near = append(near, l)
		}
	}
	return near
}

func abs(n int64) int64 { return max(n, -n) }

// draw draws what lies in the view.
func (v *view) draw() drawing {
	pad := max((v.to-v.from)/40, 500)
	v.from, v.to = v.from-pad, v.to+pad
	left := v.chooseLanes()
	bands, moreBands := v.bands()
	s := &sketch{view: v, top: axisHeight + bandHeight*len(bands) + 8}
	s.height = s.top + laneHeight*len(v.lanes) + 10
	s.open()
	s.axis()
	for i, b := range bands {
		s.band(b, axisHeight+bandHeight*i)
	}
	for i, who := range v.lanes {
		s.lane(who, s.top+laneHeight*i)
	}
	s.limits()
	s.decision()
	s.out.WriteString("</svg>")
	d := drawing{SVG: template.HTML(s.out.String())}
	if left > 0 {
		d.Notes = append(d.Notes, counted(left, "further connection or part is", "further connections or parts are")+" not drawn")
	}
	if moreBands > 0 {
		d.Notes = append(d.Notes, counted(moreBands, "further band is", "further bands are")+" not drawn")
	}
	return d
}

// chooseLanes picks who is drawn: whoever the finding is about, the clients and the
// disturbed first; then whoever did most. It returns how many are left out.
func (v *view) chooseLanes() (left int) {
	type part struct {
		who          string
		weight, seen int
	}
	var parts []part
	for _, e := range v.scenario.Timeline {
		if e.Who == byVerdict || e.Who == bySuite || e.Who == byOutput || e.TUS < v.from || e.TUS > v.to {
			continue
		}
		i := slices.IndexFunc(parts, func(p part) bool { return p.who == e.Who })
		if i < 0 {
			i = len(parts)
			parts = append(parts, part{who: e.Who, seen: i, weight: v.rank(e.Who)})
		}
		parts[i].weight++
	}
	order := slices.Clone(parts)
	slices.SortStableFunc(order, func(a, b part) int { return cmp.Compare(b.weight, a.weight) })
	kept := order[:min(len(order), mostLanes)]
	slices.SortFunc(kept, func(a, b part) int {
		return cmp.Or(cmp.Compare(laneGroup(a.who), laneGroup(b.who)), cmp.Compare(a.seen, b.seen))
	})
	for _, p := range kept {
		v.lanes = append(v.lanes, p.who)
	}
	return len(parts) - len(kept)
}

// rank puts those first that a reader looks for.
func (v *view) rank(who string) int {
	const certain, likely = 10_000, 1000
	switch {
	case v.decisive != nil && v.decisive.Who == who:
		return certain
	case strings.HasPrefix(who, "proxy") || strings.HasPrefix(who, "server"):
		return likely
	case slices.ContainsFunc(v.scenario.Claims, func(c Claim) bool { return c.Who == who && c.ToUS >= v.from && c.FromUS <= v.to }):
		return likely / 2
	}
	return 0
}

// laneGroup orders lanes from the client's work down to the server.
func laneGroup(who string) int {
	for i, prefix := range []string{"client-", "link-", "conn-", "proxy", "upstream-", "server"} {
		if strings.HasPrefix(who, prefix) {
			return i
		}
	}
	return 2
}

// bands are those in the view, the longest first among the first to begin.
func (v *view) bands() (shown []Band, left int) {
	for _, b := range v.scenario.Bands {
		if b.ToUS >= v.from && b.FromUS <= v.to {
			shown = append(shown, b)
		}
	}
	if left = len(shown) - mostBands; left <= 0 {
		return shown, 0
	}
	near := func(b Band) int64 {
		if v.decisive == nil {
			return b.FromUS
		}
		return abs(b.ToUS - v.decisive.TUS)
	}
	slices.SortStableFunc(shown, func(a, b Band) int { return cmp.Compare(near(a), near(b)) })
	shown = shown[:mostBands]
	slices.SortStableFunc(shown, func(a, b Band) int { return cmp.Compare(a.FromUS, b.FromUS) })
	return shown, left
}

// describe is the drawing in words, for whoever does not see it.
func (v *view) describe() string {
	text := fmt.Sprintf("Timeline of %s from %s to %s.", v.scenario.ID, microsText(v.from), microsText(v.to))
	if v.decisive != nil {
		text += fmt.Sprintf(" %s is decided at %s: %s.", v.about, microsText(v.decisive.TUS), strings.TrimSpace(eventLine(*v.decisive)))
	}
	for _, l := range v.ownLimits() {
		text += fmt.Sprintf(" The limit at %s was missed: %s.", microsText(l.AtUS), l.What)
	}
	return text + " The table of events holds the same."
}
