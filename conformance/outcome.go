package conformance

import (
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/timeline"
)

// Result is what one scenario came to, over all its attempts.
type Result struct {
	Scenario Scenario
	Verdict  Verdict
	// Judgements are summed up: one a requirement, in the order in which they
	// were first judged. Each requirement of Scenario.Judges is among them.
	Judgements   []Judgement
	Observations []Observation
	// Events, Claims, Bands and Limits are those of the attempt that decided, which
	// began at Zero: events count from there.
	Zero        time.Time
	Events      []timeline.Event
	Claims      []Hold
	Bands       []Band
	Limits      []Limit
	Attachments []Attachment
	Attempts    int
	Started     time.Time
	Ended       time.Time
	noise       time.Duration // how late the suite or a client's process was at most, in the attempt that decided
	// Output is the tail of what the scenario's own server wrote, unescaped.
	Output string
}

// Outcome is what a run came to.
type Outcome struct {
	Results []Result // in the order of the plan
	// Gone is set when the subject stopped serving and the run ended early.
	Gone *Gone
	// Ended says why the run ended before its end: the cause of its context.
	Ended    error
	Noise    Noise
	Started  time.Time
	Duration time.Duration
}

// Find returns the result of a scenario.
func (o *Outcome) Find(id string) (Result, bool) {
	for _, r := range o.Results {
		if r.Scenario.ID == id {
			return r, true
		}
	}
	return Result{}, false
}
