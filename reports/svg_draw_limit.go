package reports

import (
	"fmt"
	"slices"
)

// limitLines draws each violated limit through all lanes, with its words.
func (d *drawing) limitLines() {
	for i, g := range d.limitRows {
		y := headHeight*float64(min(i, limitsNamed)) + 11
		d.group("limit", d.limitText(g))
		for _, us := range g.at {
			d.path(d.limitClass(us), fmt.Sprintf("M%sV%s", point(d.axis.x(us), y-7), number(d.lanesEnd)))
		}
		if i < limitsNamed {
			d.limitLabel(g, y)
		}
		d.endGroup()
	}
}

// limitClass tells the limits that the picture is about from others like them.
func (d *drawing) limitClass(us int64) string {
	about := func(o overrun) bool { return o.from == us || o.to == us }
	if len(d.overruns) > 0 && !slices.ContainsFunc(d.overruns, about) {
		return "line other"
	}
	return "line"
}

func (d *drawing) limitLabel(g limitGroup, y float64) {
	text := d.limitText(g)
	wide := widthOf(text)*bolder*limitLetters + 6
	if wide > pictureWidth {
		text = fewer(text, int(float64(len([]rune(text)))*pictureWidth/wide))
		wide = pictureWidth
	}
	x := d.axis.x(g.at[0]) + 2
	class := "limit-label"
	switch {
	case x+wide <= pictureWidth:
	case x-4-wide >= 0:
		x, class = x-4, "limit-label e"
	default:
		x = pictureWidth - wide
	}
	left := x
	if class != "limit-label" {
		left = x - wide
	}
	d.rect("paper", left, y-10, wide, 13)
	d.text(class, x+2*side(class), y, text)
}

// limitLetters is how much larger the words of limits are.
const limitLetters = 1.1

// side is 1 for a text that begins at its place, and -1 for one that ends there.
func side(class string) float64 {
	if class == "limit-label" {
		return 1
	}
	return -1
}
