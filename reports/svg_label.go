package reports

import (
	"fmt"
	"slices"
	"strconv"
)

// caption is the name of a mark and where it stands.
type caption struct {
	x    float64
	row  int // 0 is next to the rails
	up   bool
	end  bool // it ends at x and does not begin there
	text string
	tone string
}

// shelf is the room for labels on one side of a lane, row by row.
type shelf [][][2]float64

// place takes room for [from, to] in the first row that has it.
func (s shelf) place(from, to float64) (row int, ok bool) {
	for i, taken := range s {
		free := !slices.ContainsFunc(taken, func(t [2]float64) bool { return from < t[1] && t[0] < to })
		if free {
			s[i] = append(taken, [2]float64{from, to})
			return i, true
		}
	}
	return 0, false
}

// rank orders marks by how much their names tell.
var rank = map[string]int{"error": 0, "rst": 1, "acquired": 2, "acquire": 2, "waiting": 2, "word": 2, "fault": 2, "raw": 3, "heartbeat": 4, "fin": 5}

// labels names the marks of a lane as far as there is room: with the time, without
// it, or not at all.
func (p *picture) labels(l lane) []caption {
	above, below := make(shelf, p.rows), make(shelf, p.rows)
	order := slices.Clone(l.marks)
	slices.SortStableFunc(order, func(a, b mark) int { return rank[a.class] - rank[b.class] })
	var labels []caption
	for _, m := range order {
		if m.name == "" {
			continue
		}
		up := m.shape != shapeUp
		side := below
		if up {
			side = above
		}
		for _, text := range p.namesOf(m) {
			at, ok := p.fit(side, m, text)
			if ok {
				at.up = up
				labels = append(labels, at)
				break
			}
		}
	}
	return labels
}

// namesOf are the texts that may stand at a mark, the fullest first.
func (p *picture) namesOf(m mark) []string {
	name := m.name
	if m.count > 1 {
		name += " ×" + strconv.Itoa(m.count)
	}
	if p.lean || m.count > 1 {
		return []string{name}
	}
	return []string{fmt.Sprintf("%s %.1f", name, float64(m.us)/1000), name}
}

// fit finds room for a text that begins at its mark, or ends there at the right edge.
func (p *picture) fit(side shelf, m mark, text string) (caption, bool) {
	wide := widthOf(text)
	if isBold(m.class) {
		wide *= bolder
	}
	at := caption{x: m.x - 1, text: text, tone: m.class}
	from, to := at.x, at.x+wide+4
	if to > p.axis.left+p.axis.width+rightRoom {
		at.end, at.x = true, m.x+1
		from, to = at.x-wide-4, at.x
	}
	row, ok := side.place(from, to)
	at.row = row
	return at, ok
}

// isBold tells the classes of labels that the style sheet makes bold.
func isBold(class string) bool {
	return class == "acquired" || class == "error" || class == "rst" || class == "found"
}

// rowsUsed counts the rows of labels on either side.
func rowsUsed(labels []caption) (above, below int) {
	for _, l := range labels {
		if l.up {
			above = max(above, l.row+1)
		} else {
			below = max(below, l.row+1)
		}
	}
	return above, below
}
