// Package monitor holds the passive checks: steps over the events of any
// timeline, of any scenario, or of a capture that somebody made in production.
// They say what held and what did not. A monitor stimulates nothing and waits
// for nothing. What it cannot know from the events it leaves alone.
//
// Monitors judge the subject's side only.
package monitor

import (
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/conformance/timeline"
)

// Finding is what one monitor says of one timeline.
type Finding struct {
	ID spec.ID
	// Examined counts what was looked at. With 0 nothing held and nothing was
	// violated: the timeline had nothing to check.
	Examined   int
	Violations []Violation
	// Doubts are what may contradict the requirement and cannot be proved.
	Doubts []Violation
	// MoreViolations and MoreDoubts count those that were not kept.
	MoreViolations, MoreDoubts int
}

// Violation is one place where the timeline contradicts the requirement.
type Violation struct {
	Expected, Actual string
	Event            int // Seq of the event that shows it
	Who              string
	At               time.Duration
}

// Held reports whether something was examined and nothing violated or in doubt.
func (f Finding) Held() bool {
	return f.Examined > 0 && len(f.Violations) == 0 && len(f.Doubts) == 0
}

// Violated counts all violations, those not kept included.
func (f Finding) Violated() int { return len(f.Violations) + f.MoreViolations }

// Doubted counts all doubts, those not kept included.
func (f Finding) Doubted() int { return len(f.Doubts) + f.MoreDoubts }

// Server runs every monitor of a server's side over events and returns one
// finding each, in the order of the catalogue.
func Server(events []timeline.Event) []Finding { return whole(spec.RoleServer, events) }

// Client runs every monitor of a client's side, seen from the server's end of its
// connections, over events and returns one finding each, in the order of the
// catalogue.
func Client(events []timeline.Event) []Finding { return whole(spec.RoleClient, events) }

func whole(role spec.Role, events []timeline.Event) []Finding {
	w := New(role)
	for i := range events {
		w.Step(&events[i])
	}
	return w.Findings()
}
