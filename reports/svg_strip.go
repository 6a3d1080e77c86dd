package reports

import (
	"fmt"
	"html/template"
	"math"
	"slices"
	"strings"
)

// plot is a small picture of numbers: a row of dots for each name, on one scale,
// with lines at the values that mean something.
type plot struct {
	title  string
	rows   []plotRow
	lines  []plotLine
	from   float64
	to     float64
	log    bool // decades instead of equal steps
	ticks  []plotLine
	spread bool // the dots of a row stand at different heights, so that many can be told apart
}

// plotRow is a name and its values.
type plotRow struct {
	name   string
	values []float64
}

// plotLine is a value with its words.
type plotLine struct {
	at   float64
	text string
}

// Sizes of a plot.
const (
	plotWidth  = 700
	plotNames  = 250
	plotRowGap = 18
	spreadRow  = 44
)

func (p plot) x(v float64) float64 {
	from, to := p.from, p.to
	if p.log {
		v, from, to = math.Log10(max(v, 1e-9)), math.Log10(from), math.Log10(to)
	}
	share := (v - from) / (to - from)
	return plotNames + (plotWidth-plotNames-24)*min(max(share, 0), 1)
}

func (p plot) rowHeight() float64 {
	if p.spread {
		return spreadRow
	}
	return plotRowGap
}

// drawn is the plot as markup.
func (p plot) drawn(id string) template.HTML {
	var s sketch
	top := 16 + 11*float64(p.lineRows())
	bottom := top + p.rowHeight()*float64(len(p.rows))
	s.start(id, "plot", plotWidth, bottom+16, p.title, p.description())
	var grid strings.Builder
	for _, t := range p.ticks {
		fmt.Fprintf(&grid, "M%sV%s", point(p.x(t.at), top-2), number(bottom+2))
		s.text("tick m", p.x(t.at), bottom+13, t.text)
	}
	s.path("grid", grid.String())
	p.drawLines(&s, bottom)
	for i, row := range p.rows {
		y := top + p.rowHeight()*(float64(i)+0.5)
		s.text("who", 0, y+3.5, fewer(row.name, 33))
		s.path("rail", fmt.Sprintf("M%sH%d", point(plotNames, y), plotWidth-24))
		s.path("dots", p.dots(row, y))
	}
	return s.end()
}

// lineRows is how many rows the words of the lines need, so that none covers another.
func (p plot) lineRows() int { return min(len(p.lines), 3) }

func (p plot) drawLines(s *sketch, bottom float64) {
	for i, l := range p.lines {
		y := 10 + 11*float64(i%3)
		s.path("line", fmt.Sprintf("M%sV%s", point(p.x(l.at), y+3), number(bottom+2)))
		s.text("line-label m", p.x(l.at), y, l.text)
	}
}

// dots are short strokes with round ends: the leanest circles.
func (p plot) dots(row plotRow, y float64) string {
	var d strings.Builder
	for i, v := range row.values {
		at := y
		if p.spread {
			at += float64(i*7%11-5) * 3
		}
		fmt.Fprintf(&d, "M%sh0", point(p.x(v), at))
	}
	return d.String()
}

func (p plot) description() string {
	var lines []string
	for _, l := range p.lines {
		lines = append(lines, l.text)
	}
	return fmt.Sprintf("Dots on one scale, %s; lines at %s. The table below has the numbers.",
		counted(len(p.rows), "row", "rows"), strings.Join(lines, ", "))
}

// spreadOf is the least, the middle and the greatest of some values.
func spreadOf(values []float64) (least, middle, most float64) {
	sorted := slices.Sorted(slices.Values(values))
	if len(sorted) == 0 {
		return 0, 0, 0
	}
	return sorted[0], sorted[len(sorted)/2], sorted[len(sorted)-1]
}
