package reports

import (
	"io"
	"strings"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/monitor"
	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/conformance/timeline"
	"github.com/monolock-dev/monolock-conform/conformance/timeline/capture"
)

// TraceInput says how a capture is judged.
type TraceInput struct {
	Suite  Suite
	File   string      // what it is called
	Port   uint16      // the server's, or 0
	Roles  []spec.Role // which are judged
	Args   []string    // the words after the program's name
	Strict bool
}

// Trace is what a capture came to: a result for each role that was judged.
type Trace struct {
	Summary capture.Summary
	Results []Result
}

// How much of the findings is kept. All of them are counted.
const (
	keptViolations = 100 // of one requirement
	keptTraced     = 50  // connections with their evidence
)

// NewTrace reads a capture and judges both ends of each connection that speaks
// monolock. What a capture cannot show is unsupported, what it leaves in doubt
// inconclusive, and no result of a capture is complete. Memory is bounded. The errors
// are those of [capture.Read]; the summary then holds what was read.
func NewTrace(r io.Reader, in TraceInput) (Trace, error) {
	var watches []*traceWatch
	for _, role := range in.Roles {
		watches = append(watches, &traceWatch{role: role, watch: monitor.NewCapture(role, keptViolations), told: map[spec.ID]int{}})
	}
	summary, err := capture.Read(r, capture.Options{
		Port:  in.Port,
		Begin: func(c *capture.Conn) { beginTraced(c, watches) },
		Event: func(c *capture.Conn, e *timeline.Event) { stepTraced(c, e, watches) },
		End:   func(c *capture.Conn) { endTraced(c, watches) },
	})
	trace := Trace{Summary: summary}
	if err != nil {
		return trace, err
	}
	for _, w := range watches {
		trace.Results = append(trace.Results, w.result(in, summary))
	}
	return trace, nil
}

// result is the result of one role.
func (w *traceWatch) result(in TraceInput, s capture.Summary) Result {
	r := Result{
		Schema: Schema, Suite: in.Suite,
		Subject: cleanSubject(Subject{Role: w.role, Target: in.File}),
		Run: Run{
			Started: s.First.UTC().Format(time.RFC3339), DurationMS: milli(s.Last.Sub(s.First)), Args: copied(in.Args),
		},
		Filters:      Filters{Run: []string{}, Skip: []string{}, Strict: in.Strict},
		Features:     newFeatures(w.role, nil),
		Scenarios:    []Scenario{w.overall(s)},
		Observations: w.observations(),
		OpenPoints:   spec.OpenPoints(),
	}
	r.Suite.Catalogue, r.Suite.CatalogueVersion = spec.Hash(), spec.CatalogueVersion
	for _, t := range w.shown {
		r.Scenarios = append(r.Scenarios, t.scenario())
	}
	Judge(&r)
	return r
}

// How the scenarios of a capture are called.
const (
	traceScenarios = "trace/"
	traceOverall   = traceScenarios + "capture"
)

// ofCapture reports whether a result is one of a capture.
func (r Result) ofCapture() bool {
	return len(r.Scenarios) > 0 && strings.HasPrefix(r.Scenarios[0].ID, traceScenarios)
}

// Why a requirement has no verdict from a capture.
const (
	notShown  = "nothing in this capture shows it"
	notPassed = "a capture cannot show it: it takes an experiment, so test the subject itself"
)

// overall is what the capture says as a whole: of each requirement that no
// connection's own scenario accuses.
func (w *traceWatch) overall(s capture.Summary) Scenario {
	entry := emptyTrace(traceOverall, "what all connections of the capture show together")
	entry.DurationMS = milli(s.Last.Sub(s.First))
	found := map[spec.ID]monitor.Finding{}
	for _, f := range w.watch.Findings() {
		found[f.ID] = f
	}
	for _, requirement := range spec.Of(w.role) {
		f, watched := found[requirement.ID]
		if j, some := w.judgement(requirement, f, watched); some {
			entry.Requirements = append(entry.Requirements, j)
			entry.Verdict = conformance.Worst(entry.Verdict, j.Verdict)
		}
	}
	for _, line := range append([]string{traceNumbers(s)}, TraceLimits(s)...) {
		entry.Timeline = append(entry.Timeline, Event{Who: byCapture, What: string(timeline.Remark), Frame: cleanLine(line)})
	}
	return entry
}

// byCapture writes the entries that tell what a capture held.
const byCapture = "capture"

func emptyTrace(id, title string) Scenario {
	return Scenario{
		ID: id, Title: title, Attempts: 1,
		Requirements: []Judgement{}, Claims: []Claim{}, Bands: []Band{}, Limits: []Limit{}, Timeline: []Event{},
	}
}

// judgement is the verdict of the whole capture on one requirement. There is none
// where the connections' own scenarios say it all.
func (w *traceWatch) judgement(requirement spec.Requirement, f monitor.Finding, watched bool) (Judgement, bool) {
	j := Judgement{ID: requirement.ID, Verdict: conformance.Pass}
	all := f.Violated() + f.Doubted()
	observed, some := w.fact(requirement.ID)
	switch {
	case some:
		j.Verdict, j.Actual = conformance.Observed, observed
	case !watched:
		j.Verdict, j.Actual = conformance.Unsupported, notPassed
	case all > 0 && w.told[f.ID] == all:
		return Judgement{}, false
	case f.Violated() > 0:
		j = newTraceJudgement(f.ID, f.Violations[0], false)
		j.Actual = counted(all, "place in all, such as: ", "places in all, such as: ") + j.Actual
	case f.Doubted() > 0:
		j = newTraceJudgement(f.ID, f.Doubts[0], true)
		j.Actual = counted(all, "place in all, such as: ", "places in all, such as: ") + j.Actual
	case f.Examined == 0:
		j.Verdict, j.Actual = conformance.Unsupported, notShown
	}
	return j, true
}

func newTraceJudgement(id spec.ID, v monitor.Violation, doubt bool) Judgement {
	return Judgement{ID: id, Verdict: traceVerdict(id, doubt), Expected: cleanBlock(v.Expected), Actual: cleanBlock(v.Actual)}
}

// traceVerdict is the verdict on a violation, or on what may be one.
func traceVerdict(id spec.ID, doubt bool) conformance.Verdict {
	requirement, _ := spec.Get(id)
	switch {
	case doubt:
		return conformance.Inconclusive
	case requirement.Level == spec.LevelShould:
		return conformance.Warn
	case requirement.Level == spec.LevelObserve:
		return conformance.Observed
	}
	return conformance.Fail
}
