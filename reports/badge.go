package reports

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"github.com/monolock-dev/monolock-conform/conformance"
)

// Badge writes a result as a small SVG picture: what was tested, and the conclusion
// in two words or four. A run with known failures is conformant in what ran at most:
// a badge has no room for them. The title, which screen readers read, has the whole
// conclusion. Nothing in it comes from a subject, and it loads nothing. The errors
// are those of w.
func Badge(w io.Writer, r Result) error {
	left, right := badgeSubject(r), badgeWords(r)
	leftWidth, rightWidth := textWidth(left)+2*badgeMargin, textWidth(right)+2*badgeMargin
	var out strings.Builder
	fmt.Fprintf(&out, badgeForm,
		leftWidth+rightWidth, leftWidth, badgeColor(r),
		badgeMargin, textWidth(left), left, leftWidth+badgeMargin, textWidth(right), right,
		badgeText(left+": "+r.Words()))
	_, err := io.WriteString(w, out.String())
	return err
}

// badgeForm takes the widths of the whole and of the left field, the colour, then of
// both texts the begin, the length and the words, and last the title. It has no IDs,
// so that several of them can stand in one page.
const badgeForm = `<svg xmlns="http://www.w3.org/2000/svg" width="%[1]d" height="20" viewBox="0 0 %[1]d 20" role="img" aria-label="%[10]s">
  <title>%[10]s</title>
  <rect width="%[1]d" height="20" rx="3" fill="%[3]s"/>
  <path d="M%[2]d 0H3a3 3 0 0 0-3 3v14a3 3 0 0 0 3 3H%[2]dz" fill="#3b4048"/>
  <g fill="#fff" font-family="Verdana,DejaVu Sans,Geneva,sans-serif" font-size="11" aria-hidden="true">
    <text x="%[4]d" y="14" textLength="%[5]d">%[6]s</text>
    <text x="%[7]d" y="14" textLength="%[8]d">%[9]s</text>
  </g>
</svg>
`

const badgeMargin = 6

func badgeSubject(r Result) string {
	if r.Subject.Role == "" {
		return "monolock"
	}
	return "monolock " + badgeText(string(r.Subject.Role))
}

// badgeWords is the conclusion as a badge says it.
func badgeWords(r Result) string {
	switch {
	case r.Result == Conformant && r.Complete && r.Counts[conformance.KnownFail] == 0:
		return "conformant"
	case r.Result == Conformant:
		return "conformant in what ran"
	case r.Result == NotConformant:
		return "not conformant"
	}
	return "undecided"
}

// badgeColor stands behind white text, with a contrast of 4.5 at least.
func badgeColor(r Result) string {
	switch badgeWords(r) {
	case "conformant":
		return "#1a7f37"
	case "conformant in what ran":
		return "#4b6b1b"
	case "not conformant":
		return "#b3261e"
	}
	return "#7a5900"
}

// textWidth is about the width of text in Verdana of 11 pixels. The picture makes
// the text fit, whatever font there is.
func textWidth(text string) int {
	width := 0.0
	for _, r := range text {
		switch {
		case strings.ContainsRune("iljft ", r):
			width += 4
		case strings.ContainsRune("mw", r):
			width += 10
		default:
			width += 7
		}
	}
	return int(width)
}

// badgeText escapes clean text for XML.
func badgeText(text string) string {
	var out strings.Builder
	if err := xml.EscapeText(&out, []byte(cleanLine(text))); err != nil {
		panic("reports: a string does not escape: " + err.Error())
	}
	return out.String()
}
