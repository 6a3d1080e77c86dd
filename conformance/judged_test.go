package conformance

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/spec"
)

// fake is a scenario of a test.
func fake(id string, judges []spec.ID, run func(*T)) Scenario {
	return Scenario{ID: id, Role: spec.RoleServer, Title: "a fake", Method: "It is a fake.", Judges: judges, Run: run}
}

// judged runs a scenario in virtual time against a server that plays the parts.
func judged(t *testing.T, judges []spec.ID, run func(*T), parts ...part) Result {
	t.Helper()
	return outcomeOf(t, Plan{Scenarios: []Scenario{fake("server/fake/only", judges, run)}}, parts...).Results[0]
}

// outcomeOf runs a plan likewise. Its target and parameters are filled in.
func outcomeOf(t *testing.T, plan Plan, parts ...part) (outcome *Outcome) {
	t.Helper()
	if err := Validate(plan.Scenarios); err != nil {
		t.Fatal(err)
	}
	inBubble(t, func(t *testing.T) {
		server := play(t, parts...)
		defer server.end()
		plan.Target.Server, plan.Params, plan.Quiet = server, DefaultParams(), true
		outcome = Run(t.Context(), plan)
	})
	return outcome
}

// inBubble runs f in virtual time. A goroutine that f leaves behind fails t.
func inBubble(t *testing.T, f func(*testing.T)) {
	t.Helper()
	synctest.Test(t, f)
}

// verdicts lists what was judged: "S-Q-02 fail, S-Q-03 inconclusive".
func verdicts(r Result) string {
	var list []string
	for _, j := range r.Judgements {
		list = append(list, fmt.Sprintf("%s %s", j.ID, j.Verdict))
	}
	return strings.Join(list, ", ")
}

// wantVerdicts compares what was judged, and what it comes to in all.
func wantVerdicts(t *testing.T, r Result, want string) {
	t.Helper()
	if got := verdicts(r); got != want {
		t.Errorf("judged %q; want %q", got, want)
		for _, j := range r.Judgements {
			t.Logf("%s %s: %s: expected %s, got %s", j.ID, j.Verdict, j.Sentence, j.Expected, j.Actual)
		}
		for _, e := range r.Events {
			t.Log(e.Line())
		}
	}
	if r.Verdict != verdictOf(r.Judgements) {
		t.Errorf("the result is %s; want %s, the worst of %s", r.Verdict, verdictOf(r.Judgements), want)
	}
}

// the returns the judgement on one requirement.
func the(t *testing.T, r Result, id spec.ID) Judgement {
	t.Helper()
	for _, j := range r.Judgements {
		if j.ID == id {
			return j
		}
	}
	t.Fatalf("%s was not judged in %q", id, verdicts(r))
	return Judgement{}
}

// took is how long a result took, in virtual time.
func took(r Result) time.Duration { return r.Ended.Sub(r.Started) }

// of is short for the requirements that a scenario judges.
func of(ids ...spec.ID) []spec.ID { return ids }
