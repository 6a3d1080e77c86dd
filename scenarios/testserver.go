package scenarios

import (
	"cmp"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/conformance/timeline"
)

// Option changes a run of [TestServer].
type Option func(*conformance.Plan)

// WithParams replaces the defaults of [conformance.DefaultParams].
func WithParams(p conformance.Params) Option {
	return func(plan *conformance.Plan) { plan.Params = p }
}

// WithScenarios runs these instead of all: a selection of [All].
func WithScenarios(selected []conformance.Scenario) Option {
	return func(plan *conformance.Plan) { plan.Scenarios = selected }
}

// TestServer runs the suite against a server as subtests of t, one a scenario,
// side by side. A MUST that does not hold fails its subtest, with the timeline
// around it; a SHOULD is logged; what the server lacks is skipped. A target that
// is no monolock server fails t at once.
//
// It blocks until all have ended, some ten seconds for a good server.
func TestServer(t *testing.T, target conformance.Target, options ...Option) {
	t.Helper()
	plan := conformance.Plan{Scenarios: All(spec.RoleServer), Target: target, Params: conformance.DefaultParams()}
	for _, option := range options {
		option(&plan)
	}
	complete(t, &plan)
	rtt, err := conformance.Preflight(t.Context(), target, plan.Params)
	if err != nil {
		t.Fatalf("the target is no subject: %v", err)
	}
	plan.Params = plan.Params.Fitted(rtt)
	outcome := conformance.Run(t.Context(), plan)
	if outcome.Gone != nil {
		t.Errorf("%v", outcome.Gone)
	}
	for _, result := range outcome.Results {
		t.Run(result.Scenario.ID, func(t *testing.T) { replay(t, result) })
	}
	uncached(t)
}

// complete fills in what options left out. An empty selection is never green.
func complete(t *testing.T, plan *conformance.Plan) {
	t.Helper()
	if len(plan.Scenarios) == 0 {
		t.Fatal("no scenario is selected, so nothing would be tested")
	}
	p, defaults := &plan.Params, conformance.DefaultParams()
	p.Lease = cmp.Or(p.Lease, defaults.Lease)
	p.IOTimeout = cmp.Or(p.IOTimeout, defaults.IOTimeout)
	p.Sessions = cmp.Or(p.Sessions, defaults.Sessions)
	p.StartTimeout = cmp.Or(p.StartTimeout, defaults.StartTimeout)
	p.Nonce = cmp.Or(p.Nonce, conformance.NewNonce())
}

// uncached keeps `go test` from taking this run's result for the next one's: the
// subject may be another by then. A file that was just changed is an input that
// go test does not cache.
func uncached(t *testing.T) {
	name := filepath.Join(os.TempDir(), "monolock-conform.uncached")
	if err := os.WriteFile(name, []byte(time.Now().String()), 0o644); err != nil {
		t.Logf("run with -count=1, for go test may cache this result: %v", err)
	}
	os.Stat(name)
}

// replay tells a subtest what came of its scenario.
func replay(t *testing.T, result conformance.Result) {
	for _, o := range result.Observations {
		t.Logf("observed %s %s: %s", o.ID, o.Key, o.Value)
	}
	for _, j := range result.Judgements {
		r, _ := spec.Get(j.ID)
		switch j.Verdict {
		case conformance.Pass, conformance.Observed, conformance.Unsupported:
		case conformance.Warn:
			t.Logf("warn %s: %s\n  expected %s\n  %s", j.ID, r.Sentence, j.Expected, j.Actual)
		default:
			t.Errorf("%s %s: %s\n  expected %s\n  %s\n%s", j.Verdict, j.ID, r.Sentence, j.Expected, j.Actual, around(result, j))
		}
	}
	if result.Verdict == conformance.Unsupported {
		t.Skip(result.Judgements[0].Actual)
	}
}

func around(result conformance.Result, j conformance.Judgement) string {
	const before, after = 12, 3
	text := ""
	for _, e := range timeline.Around(result.Events, j.Event, before, after) {
		text += "  " + e.Line() + "\n"
	}
	return text
}
