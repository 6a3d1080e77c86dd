package reports

import (
	"fmt"
	"html/template"
	"strings"
)

// drawing is a picture with its heights: limits above, then the axis, the lanes
// from the client to the server, and below what was found.
type drawing struct {
	*picture
	sketch
	labels     [][]caption // by lane
	tops       []float64   // of each lane
	axisY      float64     // where the axis' texts stand
	lanesEnd   float64
	height     float64
	limitRows  []limitGroup
	footLabels []caption
}

// limitsNamed is how many limits are named on the picture; all are drawn.
const limitsNamed = 5

func newPictureDrawing(p *picture) *drawing {
	d := &drawing{picture: p, limitRows: limitGroups(p.limits)}
	d.axisY = float64(min(len(d.limitRows), limitsNamed))*headHeight + 11
	y := d.axisY + axisHeight - 11
	kind := laneKind(-1)
	for _, l := range p.lanes {
		if l.kind != kind {
			y, kind = y+headHeight, l.kind
		}
		labels := p.labels(l)
		d.labels, d.tops = append(d.labels, labels), append(d.tops, y)
		y += laneHeight(l, labels)
	}
	d.lanesEnd = y + 2
	d.height = d.lanesEnd + 2 + rowHeight*float64(d.footRows())
	return d
}

// laneHeight is room for the labels, the rails and the strips.
func laneHeight(l lane, labels []caption) float64 {
	above, below := rowsUsed(labels)
	return 6 + rowHeight*float64(above+below) + railHeight(l) + stripHeight*float64(len(l.lines))
}

func railHeight(l lane) float64 {
	switch {
	case l.kind.isConnection() && (len(l.marks) > 0 || len(l.lines) == 0):
		return railGap
	case len(l.marks) > 0:
		return 6
	}
	return 0
}

// footRows places the texts below the lanes and says how many rows they take.
func (d *drawing) footRows() int {
	rows := make(shelf, 3)
	add := func(us int64, text, tone string) {
		if at, ok := d.fit(rows, mark{x: d.axis.x(us), class: tone}, text); ok {
			d.footLabels = append(d.footLabels, at)
		}
	}
	for _, f := range d.found {
		add(f.us, "found here: "+strings.Join(f.ids, ", "), "found")
	}
	for _, e := range d.events {
		if e.isGap() {
			add(e.TUS, e.Frame, "gap")
		}
	}
	most := 0
	for _, l := range d.footLabels {
		most = max(most, l.row+1)
	}
	return most
}

func (d *drawing) draw(id string) template.HTML {
	class := "picture"
	if d.lean {
		class += " lean"
	}
	d.start(id, class, pictureWidth, d.height, "Timeline of "+d.scenario.ID, d.description())
	d.shades()
	d.grid()
	for i := range d.lanes {
		d.lane(i)
	}
	d.foot()
	d.limitLines()
	d.names()
	return d.end()
}

// description says in words what the picture shows.
func (d *drawing) description() string {
	var names []string
	for _, l := range d.lanes {
		if l.who != "" {
			names = append(names, l.who)
		}
	}
	text := fmt.Sprintf("%s from %s to %s. Lanes: %s.", counted(len(d.events), "event", "events"),
		clockText(d.axis.from()), clockText(d.axis.until()), strings.Join(names, ", "))
	for _, g := range d.limitRows {
		text += " " + d.limitText(g) + "."
	}
	for _, f := range d.found {
		text += fmt.Sprintf(" Found at %s: %s.", clockText(f.us), strings.Join(f.ids, ", "))
	}
	return text + " The table of events below says the same."
}

// shades tint the time of a silence, of a fault and between a limit and what missed it.
func (d *drawing) shades() {
	top, bottom := d.axisY+4, d.lanesEnd
	shaded := 0
	for _, s := range d.strips() {
		if (s.class == classSilence || s.class == classFault) && shaded < 6 && !d.lean {
			d.shade("shade "+s.class, s.from, s.to, top, bottom)
			shaded++
		}
	}
	for _, o := range d.overruns {
		d.shade("shade overrun", o.from, o.to, top, bottom)
	}
}

func (d *drawing) shade(class string, from, to int64, top, bottom float64) {
	x := d.axis.x(from)
	d.rect(class, x, top, max(d.axis.x(to)-x, 1), bottom-top)
}

// grid draws the axis and a line for each of its times.
func (d *drawing) grid() {
	var lines strings.Builder
	apart := 58.0
	for _, t := range d.axis.ticks(apart) {
		fmt.Fprintf(&lines, "M%sV%s", point(t.x, d.axisY+4), number(d.lanesEnd))
		class, x := "tick", t.x
		if x+20 > pictureWidth-2 {
			class, x = "tick e", pictureWidth-1
		}
		d.text(class, x, d.axisY, t.text)
	}
	d.path("grid", lines.String())
	var gaps strings.Builder
	for _, e := range d.events {
		if e.isGap() {
			fmt.Fprintf(&gaps, "M%sV%s", point(d.axis.x(e.TUS), d.axisY+4), number(d.lanesEnd+4))
		}
	}
	if gaps.Len() > 0 {
		d.path("gap", gaps.String())
	}
}

// foot draws what was found, and where events were left out.
func (d *drawing) foot() {
	var lines strings.Builder
	for _, f := range d.found {
		fmt.Fprintf(&lines, "M%sV%s", point(d.axis.x(f.us), d.axisY+4), number(d.lanesEnd+4))
	}
	if lines.Len() > 0 {
		d.path("found", lines.String())
	}
	for _, l := range d.footLabels {
		d.caption(l, d.lanesEnd+11+rowHeight*float64(l.row))
	}
}

// names draws the lanes' names, on paper of their own: the page keeps them in sight
// where the picture is wider than the window.
func (d *drawing) names() {
	d.group("names", "")
	d.rect("paper", 0, d.axisY+5, nameWidth-4, d.lanesEnd-d.axisY-5)
	kind := laneKind(-1)
	for i, l := range d.lanes {
		if l.kind != kind {
			kind = l.kind
			d.text("head", 2, d.tops[i]-3, laneTitles[kind])
		}
		if l.who != "" {
			above, _ := rowsUsed(d.labels[i])
			d.text("who", 2, d.tops[i]+3+rowHeight*float64(above)+max(railHeight(l), stripHeight)/2+3.5, fewer(l.who, 15))
		}
	}
	d.endGroup()
}

func (d *drawing) caption(l caption, y float64) {
	class := "l " + l.tone
	if l.end {
		class += " e"
	}
	d.text(class, l.x, y, l.text)
}
