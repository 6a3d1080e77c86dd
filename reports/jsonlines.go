package reports

import (
	"bytes"
	"encoding/json"
	"io"
	"sync"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/spec"
)

// EventsSchema names the form of the lines of [JSONLines]. A later form has a higher
// number; more events and fields may come under the same one.
const EventsSchema = "monolock-conform/events/1"

// JSONLinesOptions are what the first event tells of a run.
type JSONLinesOptions struct {
	Suite   Suite // its Version and Commit only
	Subject Subject
	Params  conformance.Params
	Jobs    int
	Total   int              // scenarios of the plan
	Now     func() time.Time // the clock; nil is time.Now
}

// JSONLines tells of a run while it goes on: one JSON object a line. It is a
// [conformance.Observer]; its methods may be called from any goroutine. Each line is
// one write, and after a failed one there is none: no line stands behind half a line.
//
// The events, each with "event" and with "t_ms" since the first one:
//
//	run         schema, suite, subject, seed, lease_ms, jobs, started, scenarios: how many
//	started     scenario, title
//	finished    scenario, verdict, duration_ms, attempts, requirements as in the result
//	conclusion  result, complete, words, counts, requirements, as in the result; exit_code
//
// A finished scenario knows of no baseline and of no --strict; the conclusion does.
type JSONLines struct {
	mu    sync.Mutex
	w     io.Writer
	now   func() time.Time
	begun time.Time
	err   error
}

var _ conformance.Observer = (*JSONLines)(nil)

// NewJSONLines returns a JSONLines that writes to w, and writes the first event.
func NewJSONLines(w io.Writer, opts JSONLinesOptions) *JSONLines {
	l := &JSONLines{w: w, now: opts.Now}
	if l.now == nil {
		l.now = time.Now
	}
	l.begun = l.now()
	suite := opts.Suite
	suite.Catalogue, suite.CatalogueVersion = spec.Hash(), spec.CatalogueVersion
	l.write(runEvent{
		lineHead: lineHead{Event: "run"}, Schema: EventsSchema, Suite: suite, Subject: cleanSubject(opts.Subject),
		Seed: opts.Params.Seed, LeaseMS: opts.Params.Lease.Milliseconds(), Jobs: opts.Jobs,
		Started: l.begun.UTC().Format(time.RFC3339), Scenarios: opts.Total,
	})
	return l
}

// lineHead begins every event.
type lineHead struct {
	Event string `json:"event"`
	TMS   int64  `json:"t_ms"`
}

type runEvent struct {
	lineHead
	Schema    string  `json:"schema"`
	Suite     Suite   `json:"suite"`
	Subject   Subject `json:"subject"`
	Seed      uint64  `json:"seed"`
	LeaseMS   int64   `json:"lease_ms"`
	Jobs      int     `json:"jobs"`
	Started   string  `json:"started"`
	Scenarios int     `json:"scenarios"`
}

type startedEvent struct {
	lineHead
	Scenario string `json:"scenario"`
	Title    string `json:"title"`
}

type finishedEvent struct {
	lineHead
	Scenario     string              `json:"scenario"`
	Verdict      conformance.Verdict `json:"verdict"`
	DurationMS   int64               `json:"duration_ms"`
	Attempts     int                 `json:"attempts"`
	Requirements []Judgement         `json:"requirements"`
}

type conclusionEvent struct {
	lineHead
	Result       Conclusion                  `json:"result"`
	Complete     bool                        `json:"complete"`
	Words        string                      `json:"words"`
	Counts       map[conformance.Verdict]int `json:"counts"`
	Requirements []Requirement               `json:"requirements"`
	ExitCode     int                         `json:"exit_code"`
}

// sinceBegin is when an event happened.
func (l *JSONLines) sinceBegin() int64 { return milli(l.now().Sub(l.begun)) }

// Started tells that a scenario runs.
func (l *JSONLines) Started(s conformance.Scenario) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.write(startedEvent{lineHead{"started", l.sinceBegin()}, cleanLine(s.ID), cleanLine(s.Title)})
}

// Finished tells what a scenario came to.
func (l *JSONLines) Finished(r conformance.Result) {
	judgements := []Judgement{}
	for _, j := range r.Judgements {
		judgements = append(judgements, newJudgement(j, false))
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.write(finishedEvent{
		lineHead{"finished", l.sinceBegin()}, cleanLine(r.Scenario.ID), r.Verdict, milli(r.Ended.Sub(r.Started)), r.Attempts, judgements,
	})
}

// Conclude tells what the run came to, as the last event. Interrupted is as in
// [Result.ExitCode]. It returns the first error of writing any event.
func (l *JSONLines) Conclude(r Result, interrupted bool) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.write(conclusionEvent{
		lineHead{"conclusion", l.sinceBegin()}, r.Result, r.Complete, r.Words(), r.Counts, r.Requirements, r.ExitCode(interrupted),
	})
	return l.err
}

// write writes one event in one piece. The caller holds mu, or is alone.
func (l *JSONLines) write(event any) {
	if l.err != nil {
		return
	}
	var line bytes.Buffer
	encoder := json.NewEncoder(&line)
	encoder.SetEscapeHTML(false)
	if l.err = encoder.Encode(event); l.err != nil {
		return
	}
	n, err := l.w.Write(line.Bytes())
	if err == nil && n < line.Len() {
		err = io.ErrShortWrite
	}
	l.err = err
}
