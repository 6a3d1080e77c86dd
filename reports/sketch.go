package reports

import (
	"fmt"
	"html"
	"math"
	"slices"
	"strings"

	"github.com/monolock-dev/monolock-conform/conformance/timeline"
)

// sketch is a drawing while it is made.
type sketch struct {
	*view
	out         strings.Builder
	top, height int // where the lanes begin, and the whole height
}

// x is where an instant stands.
func (s *sketch) x(at int64) float64 {
	return gutter + float64(at-s.from)/float64(max(s.to-s.from, 1))*(drawingWidth-gutter-8)
}

// inside is x, and no further than the drawing's edges.
func (s *sketch) inside(at int64) float64 { return min(max(s.x(at), gutter), drawingWidth-8) }

func (s *sketch) add(format string, args ...any) { fmt.Fprintf(&s.out, format, args...) }

// text writes words that may be a subject's.
func (s *sketch) text(x, y float64, class, words string) {
	s.add(`<text x="%.0f" y="%.0f" class="%s">%s</text>`, x, y, class, esc(words))
}

func esc(words string) string { return html.EscapeString(cleanLine(words)) }

// fitted shortens words to a width.
func fitted(words string, width float64) string {
	room := int(width / charWidth)
	runes := []rune(cleanLine(words))
	switch {
	case len(runes) <= room:
		return string(runes)
	case room < 3:
		return ""
	}
	return string(runes[:room-1]) + "…"
}

func (s *sketch) open() {
	s.add(`<svg viewBox="0 0 %d %d" role="img" class="timeline" preserveAspectRatio="xMinYMin"><title>%s</title>`,
		drawingWidth, s.height, esc(s.describe()))
}

// axis draws a scale with round steps.
func (s *sketch) axis() {
	step := roundStep(s.to - s.from)
	for at := s.from - mod(s.from, step) + step; at < s.to; at += step {
		x := s.x(at)
		s.add(`<path class="grid" d="M%.1f %dV%d"/>`, x, axisHeight-4, s.height-8)
		s.text(x, axisHeight-8, "tick", scaleText(at, step))
	}
}

func mod(a, n int64) int64 { return ((a % n) + n) % n }

// roundStep is a step of 1, 2 or 5 that divides a span into about eight.
func roundStep(span int64) int64 {
	rough := float64(max(span, 8)) / 8
	power := math.Pow(10, math.Floor(math.Log10(rough)))
	for _, factor := range []float64{1, 2, 5, 10} {
		if factor*power >= rough {
			return max(int64(factor*power), 1)
		}
	}
	return int64(10 * power)
}

// scaleText is an instant as precise as the step asks for.
func scaleText(us, step int64) string {
	switch {
	case step >= 1_000_000:
		return fmt.Sprintf("%d s", us/1_000_000)
	case step >= 100_000:
		return fmt.Sprintf("%.1f s", float64(us)/1e6)
	case step >= 1000:
		return fmt.Sprintf("%d ms", us/1000)
	}
	return fmt.Sprintf("%.1f ms", float64(us)/1000)
}

// band draws what was in force as a bar, and over all lanes where it disturbed.
func (s *sketch) band(b Band, y int) {
	from, to := s.inside(b.FromUS), s.inside(b.ToUS)
	class := bandClass(b.What)
	if class == "disturbed" {
		s.add(`<rect class="shade" x="%.1f" y="%d" width="%.1f" height="%d"/>`, from, s.top, max(to-from, 1), laneHeight*len(s.lanes))
	}
	s.add(`<g class="band %s"><title>%s, %s to %s</title><rect x="%.1f" y="%d" width="%.1f" height="%d"/>`,
		class, esc(b.What), microsText(b.FromUS), microsText(b.ToUS), from, y+2, max(to-from, 1), bandHeight-3)
	if words := fitted(b.What, to-from-6); words != "" {
		s.text(from+4, float64(y+bandHeight-4), "small", words)
	} else if room := drawingWidth - 8 - to; room > 60 {
		s.text(to+4, float64(y+bandHeight-4), "small", fitted(b.What, room))
	}
	s.add(`</g>`)
}

func bandClass(what string) string {
	switch {
	case strings.HasPrefix(what, "0.8 lease"):
		return "share"
	case strings.HasPrefix(what, "lease"):
		return "lease"
	}
	return "disturbed"
}

// lane draws one connection or part: its claims as bars, frames as arrows between
// the suite's edge above and the subject's below.
func (s *sketch) lane(who string, y int) {
	upper, lower := float64(y+8), float64(y+laneHeight-8)
	s.text(6, float64(y+laneHeight/2+4), "who", fitted(who, gutter-10))
	s.add(`<path class="edge" d="M%d %.0fH%d"/>`, gutter, upper, drawingWidth-8)
	if connected(who) {
		s.add(`<path class="edge" d="M%d %.0fH%d"/>`, gutter, lower, drawingWidth-8)
	}
	s.claims(who, upper, lower)
	for _, m := range s.marksOf(who) {
		s.mark(m, upper, lower)
	}
}

// connected reports whether a lane is a connection, and has two ends.
func connected(who string) bool {
	return strings.HasPrefix(who, "conn-") || strings.HasPrefix(who, "link-") || strings.HasPrefix(who, "upstream-")
}

// claims draws when somebody held the lock.
func (s *sketch) claims(who string, upper, lower float64) {
	for _, c := range s.scenario.Claims {
		if c.Who != who || c.ToUS < s.from || c.FromUS > s.to {
			continue
		}
		from, to := s.inside(c.FromUS), s.inside(c.ToUS)
		s.add(`<g class="claim"><title>%s holds from %s to %s, token %s</title><rect x="%.1f" y="%.0f" width="%.1f" height="%.0f"/>`,
			esc(who), microsText(c.FromUS), microsText(c.ToUS), esc(c.Token), from, upper+2, max(to-from, 1.5), lower-upper-4)
		s.add(`</g>`)
	}
}

// laneMark is one or several events at one place of a lane.
type laneMark struct {
	x      float64
	events []Event
	room   float64 // to the next mark
}

// marksOf gathers the events of a lane; those that are too close become one mark.
func (s *sketch) marksOf(who string) []laneMark {
	var marks []laneMark
	for _, e := range s.scenario.Timeline {
		if e.Who != who || e.TUS < s.from || e.TUS > s.to {
			continue
		}
		x := s.x(e.TUS)
		if n := len(marks); n > 0 && x-marks[n-1].x < leastGap {
			marks[n-1].events = append(marks[n-1].events, e)
			continue
		}
		marks = append(marks, laneMark{x: x, events: []Event{e}})
	}
	slices.SortStableFunc(marks, func(a, b laneMark) int { return int(math.Copysign(1, a.x-b.x)) })
	for i := range marks {
		marks[i].room = drawingWidth - 8 - marks[i].x
		if i+1 < len(marks) {
			marks[i].room = marks[i+1].x - marks[i].x
		}
	}
	return marks
}

// mark draws a mark with its name, where there is room, and all of it in a tip.
func (s *sketch) mark(m laneMark, upper, lower float64) {
	s.add(`<g class="mark"><title>%s</title>`, esc(tip(m.events)))
	for _, kind := range kindsOf(m.events) {
		switch timeline.What(kind) {
		case timeline.Send:
			s.add(`<path class="send" d="M%.1f %.0fV%.0fm-3-5 3 5 3-5"/>`, m.x, upper, lower)
		case timeline.Recv:
			s.add(`<path class="recv" d="M%.1f %.0fV%.0fm-3 5 3-5 3 5"/>`, m.x, lower, upper)
		case timeline.Open:
			s.add(`<circle class="open" cx="%.1f" cy="%.0f" r="3"/>`, m.x, (upper+lower)/2)
		case timeline.FIN:
			s.add(`<path class="end" d="M%.1f %.0fV%.0f"/>`, m.x, upper-4, lower+4)
		case timeline.RST:
			s.add(`<path class="end" d="M%.1f %.0fl8 8m0-8l-8 8"/>`, m.x-4, (upper+lower)/2-4)
		case timeline.Fault:
			s.add(`<path class="fault" d="M%.1f %.0fl5 6-5 6-5-6z"/>`, m.x, upper-2)
		default:
			s.add(`<circle class="said" cx="%.1f" cy="%.0f" r="3"/>`, m.x, upper)
		}
	}
	if words := fitted(short(m.events), m.room-7); words != "" {
		s.text(m.x+5, (upper+lower)/2+4, "small", words)
	}
	s.add(`</g>`)
}

// kindsOf returns the different kinds of some events, in their order.
func kindsOf(events []Event) []string {
	var found []string
	for _, e := range events {
		if !slices.Contains(found, e.What) {
			found = append(found, e.What)
		}
	}
	return found
}

// short names some events in a few words, each once.
func short(events []Event) string {
	var names []string
	for _, e := range events {
		if name := shortName(e); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}

func shortName(e Event) string {
	name, _, _ := strings.Cut(e.Frame, " ")
	switch timeline.What(e.What) {
	case timeline.FIN, timeline.RST:
		return strings.ToUpper(e.What)
	case timeline.Open:
		return "open"
	case timeline.Remark:
		if strings.HasPrefix(e.Who, "client-") {
			return strings.Trim(name, ",:") // an adapter's event begins with its name
		}
		return e.Frame
	case timeline.Fault:
		return e.Frame
	}
	return name
}

// tip tells of each event, with its time; of many only the first.
func tip(events []Event) string {
	const most = 6
	var lines []string
	for i, e := range events {
		if i == most {
			lines = append(lines, fmt.Sprintf("and %d more", len(events)-most))
			break
		}
		lines = append(lines, strings.TrimSpace(eventLine(e)))
	}
	return strings.Join(lines, "; ")
}

// limits draws the instants that were missed.
func (s *sketch) limits() {
	for _, l := range s.scenario.Limits {
		if l.AtUS < s.from || l.AtUS > s.to {
			continue
		}
		x := s.x(l.AtUS)
		s.add(`<g class="limit"><title>missed: %s, at %s</title><path d="M%.1f %dV%d"/>`, esc(l.What), microsText(l.AtUS), x, axisHeight-2, s.height-4)
		s.tag(x, "limit "+microsText(l.AtUS), float64(s.height-12))
		s.add(`</g>`)
	}
}

// decision draws the instant that shows the finding.
func (s *sketch) decision() {
	if s.decisive == nil {
		return
	}
	x := s.x(s.decisive.TUS)
	s.add(`<g class="decision"><title>%s: %s</title><path d="M%.1f %dV%d"/>`, esc(s.about), esc(strings.TrimSpace(eventLine(*s.decisive))), x, axisHeight-2, s.height-4)
	s.tag(x, s.about, axisHeight+float64(s.top-axisHeight)/2)
	s.add(`</g>`)
}

// tag writes words beside a vertical line, on the side that has room.
func (s *sketch) tag(x float64, words string, y float64) {
	width := float64(len([]rune(words)))*boldWidth + 8
	if x+width > drawingWidth {
		x -= width + 4
	}
	s.add(`<rect x="%.1f" y="%.0f" width="%.1f" height="14" rx="3"/>`, x+2, y-10, width)
	s.text(x+6, y+1, "tag", words)
}
