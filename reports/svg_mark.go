package reports

import (
	"fmt"
	"strings"

	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/conformance/timeline"
)

// shape is how an event is drawn.
type shape int

// The shapes.
const (
	shapeDown  shape = iota // an arrow to the server
	shapeUp                 // an arrow to the client
	shapeBar                // the end of a direction
	shapeCross              // a reset
	shapeDot                // words
	shapeNone               // an opening: the rails begin there
)

// mark is one event of a lane, or several alike that stand too close to be told
// apart.
type mark struct {
	us    int64
	x     float64
	shape shape
	class string
	name  string // on the picture
	text  string // the whole of it, for a pointer
	count int
}

// seen reports whether there is anything to see of the mark: of a connection that
// only opens at the edge of a picture there is not.
func (m mark) seen() bool { return m.shape != shapeNone }

// closest is how near two marks of a lane may stand and still be drawn as two.
const closest = 4

// addMark appends m, or counts it with a mark like it that stands where it would.
func addMark(marks []mark, m mark) []mark {
	for i := len(marks) - 1; i >= 0 && m.x-marks[i].x < closest; i-- {
		if last := &marks[i]; last.shape == m.shape && last.class == m.class && (last.name == m.name || m.shape == shapeDot) {
			last.count++
			last.text = fmt.Sprintf("%d events, the last: %s", last.count, m.text)
			return marks
		}
	}
	return append(marks, m)
}

func (p *picture) mark(e Event) mark {
	m := mark{us: e.TUS, x: p.axis.x(e.TUS), shape: shapeDot, class: "word", count: 1, text: strings.TrimSpace(eventLine(e))}
	switch timeline.What(e.What) {
	case timeline.Send, timeline.Recv:
		m.shape = shapeUp
		if goesToServer(p.role, e) {
			m.shape = shapeDown
		}
		m.name, m.class = frameName(e)
	case timeline.Open:
		m.shape, m.class = shapeNone, "open"
	case timeline.FIN:
		m.shape, m.class, m.name = shapeBar, "fin", "FIN"
	case timeline.RST:
		m.shape, m.class, m.name = shapeCross, "rst", "RST"
	case timeline.Fault:
		m.class, m.name = "fault", firstWords(e.Frame)
	default:
		m.name = firstWords(e.Frame)
	}
	return m
}

// goesToServer tells the direction of bytes, which the timeline has as the suite's
// end saw them: for a client the suite plays the server, and the proxy is a server
// to the client and a client to the server.
func goesToServer(role spec.Role, e Event) bool {
	sent := timeline.What(e.What) == timeline.Send
	switch kindOf(e.Who) {
	case laneLink:
		return !sent
	case laneUpstream:
		return sent
	}
	return sent == (role == spec.RoleServer)
}

// frameName is the short name of what went over the wire, and its class.
func frameName(e Event) (name, class string) {
	words := strings.Fields(e.Frame)
	if len(words) == 0 {
		return "", "raw"
	}
	switch words[0] {
	case "ACQUIRE", "HEARTBEAT", "WAITING", "ACQUIRED":
		return words[0], strings.ToLower(words[0])
	case "ERROR":
		return strings.Join(words[:min(len(words), 2)], " "), "error"
	}
	return counted(len(e.Hex)/2, "byte", "bytes"), "raw"
}

// firstWords is a remark up to its first stop. What an adapter says of itself is
// in the table.
func firstWords(text string) string {
	if strings.HasPrefix(text, "hello from ") {
		return "hello"
	}
	if at := strings.IndexAny(text, ":,;"); at > 3 && !strings.Contains(text[:at], ".") {
		text = text[:at]
	}
	return fewer(text, 30)
}

// isGap reports whether e stands for events that were left out.
func (e Event) isGap() bool { return e.Who == bySuite && strings.HasPrefix(e.Frame, "…") }
