package reports

import (
	"fmt"
	"html"
	"html/template"
	"strconv"
	"strings"
	"unicode"
)

// sketch collects the elements of one drawing. It is the only place that writes
// SVG: every text and every attribute passes through its escape, so that nothing
// of a subject can be markup. Looks come from the page's style sheet, by class.
type sketch struct {
	out strings.Builder
}

// start opens a drawing. Title and desc are what a screen reader says of it; id is
// the page's own and names the two.
func (s *sketch) start(id, class string, width, height float64, title, desc string) {
	fmt.Fprintf(&s.out, `<svg class="%s" role="img" viewBox="0 0 %s %s" aria-labelledby="%s-t %s-d">`,
		escape(class), number(width), number(height), escape(id), escape(id))
	fmt.Fprintf(&s.out, `<title id="%s-t">%s</title><desc id="%s-d">%s</desc>`, escape(id), escape(title), escape(id), escape(desc))
}

// end closes the drawing and returns it as safe markup.
func (s *sketch) end() template.HTML {
	s.out.WriteString("</svg>")
	return template.HTML(s.out.String())
}

// group opens a group that a pointer explains; an empty title explains nothing.
func (s *sketch) group(class, title string) {
	s.out.WriteString("<g" + classed(class) + ">")
	if title != "" {
		s.out.WriteString("<title>" + escape(title) + "</title>")
	}
}

func (s *sketch) endGroup() { s.out.WriteString("</g>") }

func (s *sketch) rect(class string, x, y, width, height float64) {
	fmt.Fprintf(&s.out, `<rect%s x="%s" y="%s" width="%s" height="%s"/>`,
		classed(class), number(x), number(y), number(max(width, 0)), number(height))
}

func (s *sketch) path(class, d string) {
	fmt.Fprintf(&s.out, `<path%s d="%s"/>`, classed(class), escape(d))
}

func (s *sketch) text(class string, x, y float64, text string) {
	fmt.Fprintf(&s.out, `<text%s x="%s" y="%s">%s</text>`, classed(class), number(x), number(y), escape(text))
}

func classed(class string) string {
	if class == "" {
		return ""
	}
	return ` class="` + escape(class) + `"`
}

// escape makes any text fit for an element or an attribute.
func escape(text string) string { return html.EscapeString(cleanLine(text)) }

// number is a coordinate with one decimal, if it needs one.
func number(v float64) string {
	return strings.TrimSuffix(strconv.FormatFloat(v, 'f', 1, 64), ".0")
}

// point is "x y" in a path.
func point(x, y float64) string { return number(x) + " " + number(y) }

// widthOf is about how wide a text is in letters of ten units, on the wide side:
// what fits by it fits in the fonts that people have.
func widthOf(text string) float64 {
	wide := 0.0
	for _, r := range text {
		switch {
		case unicode.IsUpper(r):
			wide += 6.9
		case unicode.IsSpace(r), r == '.', r == ',', r == ':':
			wide += 3.3
		case r > unicode.MaxLatin1:
			wide += 10
		default:
			wide += 6.1
		}
	}
	return wide
}

// How much wider bold letters are, and smaller ones.
const (
	bolder  = 1.13
	smaller = 0.9
)

// fewer is text with at most n characters.
func fewer(text string, n int) string {
	letters := []rune(text)
	if len(letters) <= n {
		return text
	}
	return string(letters[:max(n-1, 0)]) + "…"
}
