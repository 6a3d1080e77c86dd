package reports

import (
	"fmt"
	"slices"
	"strings"
)

// lane draws one lane: labels, rails with their marks, labels, strips.
func (d *drawing) lane(i int) {
	l, labels := d.lanes[i], d.labels[i]
	above, below := rowsUsed(labels)
	rails := d.tops[i] + 3 + rowHeight*float64(above)
	height := railHeight(l)
	strips := rails + height + rowHeight*float64(below) + 1
	d.separator(i)
	d.rails(l, rails, height)
	d.stripLines(l, strips)
	d.marks(l, rails, height)
	for _, at := range labels {
		y := rails - 3 - rowHeight*float64(at.row)
		if !at.up {
			y = rails + height + 9 + rowHeight*float64(at.row)
		}
		d.caption(at, y)
	}
}

func (d *drawing) separator(i int) {
	if i > 0 && d.lanes[i-1].kind == d.lanes[i].kind {
		return
	}
	d.path("kind", fmt.Sprintf("M0 %sH%d", number(d.tops[i]-headHeight+2), pictureWidth))
}

// rails are the two ends of a connection while it stands, the client's above.
func (d *drawing) rails(l lane, y, height float64) {
	if height == 0 {
		return
	}
	if !l.kind.isConnection() {
		d.path("rail", fmt.Sprintf("M%sH%s", point(d.axis.left, y+height/2), number(d.axis.left+d.axis.width)))
		return
	}
	if l.opened > d.axis.until() || l.closed < d.axis.from() {
		return
	}
	from, to := d.axis.x(l.opened), d.axis.x(l.closed)
	d.path("rail", fmt.Sprintf("M%sH%sM%sH%s", point(from, y), number(to), point(from, y+height), number(to)))
}

// marks draws the events of a lane. Where nobody points at them, all of a class are
// one path.
func (d *drawing) marks(l lane, y, height float64) {
	if d.lean {
		d.leanMarks(l, y, height)
		return
	}
	for _, m := range l.marks {
		if m.shape == shapeNone {
			continue
		}
		d.group("", m.text)
		d.path(markClass(m), markPath(m, y, height))
		d.endGroup()
	}
}

func (d *drawing) leanMarks(l lane, y, height float64) {
	var classes []string
	paths := map[string]*strings.Builder{}
	for _, m := range l.marks {
		class := markClass(m)
		if m.shape == shapeNone {
			continue
		}
		if paths[class] == nil {
			paths[class] = &strings.Builder{}
			classes = append(classes, class)
		}
		paths[class].WriteString(markPath(m, y, height))
	}
	slices.Sort(classes)
	for _, class := range classes {
		d.path(class, paths[class].String())
	}
}

func markClass(m mark) string {
	class := "m " + m.class
	if m.count > 1 {
		class += " many"
	}
	return class
}

// markPath is the shape of a mark on rails at y.
func markPath(m mark, y, height float64) string {
	bottom := y + height
	switch m.shape {
	case shapeDown:
		return fmt.Sprintf("M%sV%sm-2.5-4.5l2.5 4.5 2.5-4.5", point(m.x, y), number(bottom))
	case shapeUp:
		return fmt.Sprintf("M%sV%sm-2.5 4.5l2.5-4.5 2.5 4.5", point(m.x, bottom), number(y))
	case shapeBar:
		return fmt.Sprintf("M%sV%s", point(m.x, y-2), number(bottom+2))
	case shapeCross:
		middle := y + height/2
		return fmt.Sprintf("M%sl8 8m0-8l-8 8", point(m.x-4, middle-4))
	}
	return fmt.Sprintf("M%sl3.5 3.5-3.5 3.5-3.5-3.5z", point(m.x, y+height/2-3.5))
}

// stripLines draws what lasted, a row for each kind.
func (d *drawing) stripLines(l lane, y float64) {
	for _, line := range l.lines {
		ordered := slices.Clone(line)
		slices.SortStableFunc(ordered, func(a, b strip) int { return nesting(a) - nesting(b) })
		for _, s := range ordered {
			d.strip(s, line, y)
		}
		y += stripHeight
	}
}

// nesting is the order of drawing: 0.8 lease lies on the lease.
func nesting(s strip) int {
	if s.class == classSafe {
		return 1
	}
	return 0
}

func (d *drawing) strip(s strip, line stripLine, y float64) {
	from, to := d.axis.x(s.from), d.axis.x(s.to)
	if !d.lean {
		d.group("", fmt.Sprintf("%s, %s to %s", s.text, clockText(s.from), clockText(s.to)))
		defer d.endGroup()
	}
	d.rect("s "+s.class, from, y, max(to-from, 1.5), stripHeight-1.5)
	free := from
	for _, other := range line {
		if s.class == classLease && other.class == classSafe && other.from == s.from {
			free = d.axis.x(other.to)
		}
	}
	for _, text := range []string{s.text, firstField(strings.ReplaceAll(s.text, ",", " "))} {
		if wide := widthOf(text) * smaller; wide+6 <= to-free {
			d.text("st", free+3, y+stripHeight-3.6, text)
			return
		}
	}
}
