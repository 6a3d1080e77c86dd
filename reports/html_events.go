package reports

import (
	"fmt"
	"html"
	"html/template"
	"strings"

	"github.com/monolock-dev/monolock-conform/conformance/timeline"
)

// eventRows are the rows of a table of events: time, who, what, and the bytes.
func eventRows(events []Event) template.HTML {
	var out strings.Builder
	for _, e := range events {
		class := ""
		if e.Who == byVerdict {
			class = ` class="verdict"`
		}
		fmt.Fprintf(&out, "<tr%s><td>%.3f<td>%s<td>%s<td>%s\n", class, float64(e.TUS)/1000,
			html.EscapeString(cleanLine(e.Who)), html.EscapeString(strings.TrimSpace(arrow(e)+" "+cleanLine(e.Frame))), bytesCell(e.Hex))
	}
	return template.HTML(out.String())
}

// arrow is the direction of bytes, as people read it; else the kind of event.
func arrow(e Event) string {
	switch timeline.What(e.What) {
	case timeline.Send:
		return "→"
	case timeline.Recv:
		return "←"
	case timeline.Remark:
		return ""
	}
	return e.What
}

// shownHex is how many hex digits stand in a row; the result has them all.
const shownHex = 96

// bytesCell shows hex in pairs.
func bytesCell(hex string) string {
	rest := ""
	if len(hex) > shownHex {
		rest = fmt.Sprintf(" … (%d bytes)", len(hex)/2)
		hex = hex[:shownHex]
	}
	var out strings.Builder
	for i := 0; i+1 < len(hex); i += 2 {
		if i > 0 {
			out.WriteByte(' ')
		}
		out.WriteString(hex[i : i+2])
	}
	return html.EscapeString(cleanLine(out.String())) + rest
}
