package scenarios

import (
	"testing"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/conformance/subject"
)

// TestClient runs the suite against a client as subtests of t, one a scenario, some
// side by side. A MUST that does not hold fails its subtest, with the timeline
// around it; a SHOULD is logged; what the client declines is skipped. An adapter
// that breaks its contract fails t at once.
//
// A Go author wraps the client in a [subject.InProcessClient], or names the
// adapter's command in a [subject.ProcessClient]. It blocks until all have ended,
// some twenty seconds for a good client.
func TestClient(t *testing.T, client subject.Client, options ...Option) {
	t.Helper()
	target := conformance.Target{Client: client, Listen: subject.ListenLoopback, Dial: subject.DialTCP}
	plan := conformance.Plan{Scenarios: All(spec.RoleClient), Target: target, Params: conformance.DefaultParams(), Jobs: conformance.DefaultClientJobs}
	for _, option := range options {
		option(&plan)
	}
	complete(t, &plan)
	hello, startUp, err := conformance.PreflightClient(t.Context(), target, plan.Params)
	plan.Params.StartUp = startUp
	if err != nil {
		t.Fatalf("the adapter cannot be used: %v", err)
	}
	plan.Target.Features = conformance.ClientFeatures(hello.Lacks)
	outcome := conformance.Run(t.Context(), plan)
	for _, result := range outcome.Results {
		t.Run(result.Scenario.ID, func(t *testing.T) { replay(t, result) })
	}
	uncached(t)
}
