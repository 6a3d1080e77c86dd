// Package monitor holds the passive checks: pure functions that read any
// timeline, of any scenario, and say what held and what did not. A monitor
// stimulates nothing and waits for nothing. What it cannot know from the
// timeline it leaves alone.
//
// Monitors judge the subject's side only.
package monitor

import (
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
}

// Violation is one place where the timeline contradicts the requirement.
type Violation struct {
	Expected, Actual string
	Event            int // Seq of the event that shows it
}

// Held reports whether something was examined and nothing violated.
func (f Finding) Held() bool { return f.Examined > 0 && len(f.Violations) == 0 }

// check is one monitor of a server's side.
type check struct {
	id  spec.ID
	run func([]session, *Finding)
}

// serverChecks are all of them, in the order of the catalogue.
var serverChecks = []check{
	{spec.S_FRM_04, onlyWholeFrames},
	{spec.S_FRM_05, reasonsAreUTF8},
	{spec.S_ACQ_21, nothingAfterError},
	{spec.S_HB_03, oneAnswerAMessage},
	{spec.S_Q_07, neverBackToWaiting},
	{spec.S_TOK_01, oneTokenASession},
	{spec.S_TOK_02, tokensGrowOnOneLock},
	{spec.S_TOK_03, tokensGrowOverLocks},
	{spec.S_TOK_04, tokensAreUnique},
}

// Server runs every monitor of a server's side over events and returns one
// finding each, in the order of the catalogue.
func Server(events []timeline.Event) []Finding {
	sessions := split(events)
	findings := make([]Finding, len(serverChecks))
	for i, c := range serverChecks {
		findings[i].ID = c.id
		c.run(sessions, &findings[i])
	}
	return findings
}

func (f *Finding) violated(e timeline.Event, expected, actual string) {
	f.Violations = append(f.Violations, Violation{Expected: expected, Actual: actual, Event: e.Seq})
}
