// Package tree shows scenarios to Ginkgo: one It a scenario, generated from the
// registry, with labels for role, topic, level, feature and requirement.
//
// Ginkgo cannot run specs side by side in one process, and most scenarios wait.
// So the engine runs them, and each It awaits its scenario's result, replays it
// as report entries, and passes, fails or skips.
//
// Ginkgo keeps its suite in globals: one call of this package at a time.
package tree

import (
	"context"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/extensions/globals"
	"github.com/onsi/ginkgo/v2/formatter"
	"github.com/onsi/ginkgo/v2/types"

	"github.com/monolock-dev/monolock-conform/conformance"
)

// suiteName is the name of the Ginkgo suite.
const suiteName = "monolock conformance"

var (
	one sync.Mutex
	// quiet makes Ginkgo's own console output vanish: the suite has its own.
	quiet sync.Once
)

// Select returns the scenarios that a Ginkgo label expression selects, in their
// order. It is resolved by Ginkgo before anything starts. A syntax error is
// returned, since inside RunSpecs it would end the process.
func Select(scenarios []conformance.Scenario, expression string) ([]conformance.Scenario, error) {
	if strings.TrimSpace(expression) == "" {
		return scenarios, nil
	}
	if _, err := types.ParseLabelFilter(expression); err != nil {
		return nil, fmt.Errorf("label filter %q: %s", expression, plain(err))
	}
	one.Lock()
	defer one.Unlock()
	build(scenarios, func(conformance.Scenario) {}, nil)
	suite, reporter := config(expression)
	report := ginkgo.PreviewSpecs(suiteName, suite, reporter)
	chosen := map[string]bool{}
	for _, spec := range report.SpecReports {
		if spec.State.Is(types.SpecStatePassed) {
			chosen[spec.LeafNodeText] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(scenarios), func(s conformance.Scenario) bool { return !chosen[s.ID] }), nil
}

// Run runs the plan by the engine and shows it to Ginkgo as a suite. It returns
// the engine's outcome, and Ginkgo's report with each scenario's own start, end
// and run time.
func Run(ctx context.Context, plan conformance.Plan) (*conformance.Outcome, types.Report) {
	one.Lock()
	defer one.Unlock()
	waiting := newResults(plan)
	plan.Observer = waiting
	outcome := make(chan *conformance.Outcome, 1)
	var report types.Report
	build(plan.Scenarios, func(s conformance.Scenario) { replay(waiting.of(s.ID)) }, func(r types.Report) { report = timed(r, waiting) })
	go func() { outcome <- conformance.Run(ctx, plan) }()
	suite, reporter := config("")
	ginkgo.RunSpecs(ignored{}, suiteName, suite, reporter)
	return <-outcome, report
}

// ignored takes Ginkgo's verdict of the suite: the engine's counts.
type ignored struct{}

// Fail is called when a spec failed.
func (ignored) Fail() {}

// build makes the tree anew: a container for each topic, an It for each scenario.
func build(scenarios []conformance.Scenario, body func(conformance.Scenario), after func(types.Report)) {
	globals.Reset()
	quiet.Do(func() { formatter.ColorableStdOut, formatter.ColorableStdErr = io.Discard, io.Discard })
	for _, s := range scenarios {
		ginkgo.Describe(s.Topic().Title, func() {
			ginkgo.It(s.ID, ginkgo.Label(s.AllLabels()...), func() { body(s) })
		})
	}
	if after != nil {
		ginkgo.ReportAfterSuite("times", after)
	}
}

func config(expression string) (types.SuiteConfig, types.ReporterConfig) {
	suite, reporter := ginkgo.GinkgoConfiguration()
	suite.LabelFilter = expression
	suite.FailOnEmpty = true
	suite.Timeout = 0
	reporter.NoColor = true
	return suite, reporter
}

// replay gives the running spec the result of its scenario.
func replay(r conformance.Result) {
	for _, j := range r.Judgements {
		ginkgo.AddReportEntry(string(j.ID), string(j.Verdict), ginkgo.ReportEntryVisibilityFailureOrVerbose)
	}
	switch r.Verdict {
	case conformance.Pass, conformance.Observed, conformance.Warn, conformance.KnownFail:
	case conformance.Unsupported, conformance.Excluded:
		ginkgo.Skip(describe(r))
	default:
		ginkgo.Fail(describe(r))
	}
}

// describe says in a few lines why a scenario did not pass.
func describe(r conformance.Result) string {
	var lines []string
	for _, j := range r.Judgements {
		if j.Verdict != conformance.Pass && j.Verdict != conformance.Observed {
			lines = append(lines, fmt.Sprintf("%s: %s: expected %s; %s", j.ID, j.Verdict, j.Expected, j.Actual))
		}
	}
	return strings.Join(lines, "\n")
}

// timed writes each scenario's own times over those of its It, which only waited.
func timed(report types.Report, results *results) types.Report {
	for i := range report.SpecReports {
		spec := &report.SpecReports[i]
		r, ok := results.known(spec.LeafNodeText)
		if !ok {
			continue
		}
		spec.StartTime, spec.EndTime, spec.RunTime = r.Started, r.Ended, r.Ended.Sub(r.Started)
		spec.NumAttempts = r.Attempts
	}
	return report
}

// ansi are the colour marks that Ginkgo puts into its errors.
var ansi = regexp.MustCompile("\x1b\\[[0-9;]*m")

// plain is what Ginkgo says of an expression, on one line: its message behind the
// expression that it repeats, without colours and heading.
func plain(err error) string {
	text := err.Error()
	if ginkgo, ok := err.(types.GinkgoError); ok {
		text = ginkgo.Message
	}
	lines := strings.Split(strings.TrimSpace(ansi.ReplaceAllString(text, "")), "\n")
	return strings.TrimSpace(lines[len(lines)-1])
}
