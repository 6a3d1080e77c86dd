package conformance

import (
	"strings"
	"testing"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/spec"
)

// Nothing examined is never green.
func TestAScenarioThatJudgesNothingIsAnError(t *testing.T) {
	r := judged(t, of(spec.S_Q_01, spec.S_Q_02), func(t *T) { t.Pass(spec.S_Q_01, "order") })
	if r.Verdict == Inconclusive {
		t.Errorf("%q, because the attempt's own end counts as an interruption (%s)", verdicts(r), the(t, r, spec.S_Q_02).Actual)
	}
	wantVerdicts(t, r, "S-Q-01 pass, S-Q-02 error")
	if got := the(t, r, spec.S_Q_02).Actual; !strings.Contains(got, "without one") {
		t.Errorf("it says %q; want that the scenario ended without a judgement", got)
	}
}

// What a scenario promised and did not come to is not passed, and not failed.
func TestWhatIsNotReachedIsInconclusive(t *testing.T) {
	reached := false
	r := judged(t, of(spec.S_Q_01, spec.S_Q_02), func(t *T) {
		t.Fail(spec.S_Q_01, "order", "this", "that")
		reached = true
	})
	wantVerdicts(t, r, "S-Q-01 fail, S-Q-02 inconclusive")
	if reached {
		t.Error("the scenario went on behind a MUST that does not hold")
	}
	if got := the(t, r, spec.S_Q_02).Actual; !strings.Contains(got, "not reached: something before it did not hold") {
		if strings.Contains(got, "context canceled") {
			t.Errorf("it says %q; want that something before it did not hold", got)
		}
		t.Errorf("it says %q; want that something before it did not hold", got)
	}
}

func TestAMustEndsItsCaseOnly(t *testing.T) {
	ran := ""
	r := judged(t, of(spec.S_Q_01, spec.S_Q_02), func(t *T) {
		for _, name := range []string{"a", "b", "c"} {
			t.Case(name, func(t *T) {
				ran += name
				if name == "a" {
					t.Fail(spec.S_Q_01, "order", "this", "that")
				}
				t.Pass(spec.S_Q_01, "order")
				ran += "!"
			})
		}
		t.Pass(spec.S_Q_02, "the scenario goes on behind its cases")
	})
	wantVerdicts(t, r, "S-Q-01 fail, S-Q-02 pass")
	if ran != "ab!c!" {
		t.Errorf("ran %q; want the failing case to end, and the others to run", ran)
	}
	if got := the(t, r, spec.S_Q_01).Case; got != "a" {
		t.Errorf("the fail names the case %q; want a", got)
	}
}

func TestCasesNest(t *testing.T) {
	r := judged(t, of(spec.S_Q_01), func(t *T) {
		t.Case("outer", func(t *T) {
			t.Case("", func(t *T) {
				t.Case("inner", func(t *T) { t.Fail(spec.S_Q_01, "order", "this", "that") })
			})
		})
	})
	if got := the(t, r, spec.S_Q_01).Case; got != "outer, inner" {
		t.Errorf("the case is %q; want both names", got)
	}
}

func TestAShouldDoesNotStop(t *testing.T) {
	reached := false
	r := judged(t, of(spec.S_HB_12), func(t *T) {
		t.Fail(spec.S_HB_12, "advice", "this", "that")
		reached = true
		t.Pass(spec.S_HB_12, "advice, elsewhere")
	})
	wantVerdicts(t, r, "S-HB-12 warn")
	if !reached {
		t.Error("a SHOULD that does not hold ended the scenario")
	}
}

// An OBSERVE is recorded and never judged, however often; on other levels an
// observation is no verdict.
func TestObserve(t *testing.T) {
	r := judged(t, of(spec.S_Q_12, spec.S_HB_07), func(t *T) {
		t.Observe(spec.S_Q_12, "p50_us", "7")
		t.Observe(spec.S_Q_12, "p99_us", "9")
		t.Observe(spec.S_HB_07, "late_ms", "3")
		t.Pass(spec.S_HB_07, "expiry")
	})
	wantVerdicts(t, r, "S-Q-12 observed, S-HB-07 pass")
	want := []Observation{{spec.S_Q_12, "p50_us", "7"}, {spec.S_Q_12, "p99_us", "9"}, {spec.S_HB_07, "late_ms", "3"}}
	if len(r.Observations) != len(want) {
		t.Fatalf("observed %v; want %v", r.Observations, want)
	}
	for i := range want {
		if r.Observations[i] != want[i] {
			t.Errorf("observed %v; want %v", r.Observations[i], want[i])
		}
	}
}

// What the subject lacks is not tested and not passed.
func TestAFeatureThatIsNotOffered(t *testing.T) {
	ran := false
	s := fake("server/fake/needs", of(spec.S_SHUT_01, spec.S_SHUT_03), func(*T) { ran = true })
	s.Needs = []spec.Feature{spec.FeatureControl}
	o := outcomeOf(t, Plan{Scenarios: []Scenario{s}})
	wantVerdicts(t, o.Results[0], "S-SHUT-01 unsupported, S-SHUT-03 unsupported")
	if ran {
		t.Error("it ran all the same")
	}
}

func TestEvidenceIsKept(t *testing.T) {
	r := judged(t, of(spec.S_Q_01), func(t *T) {
		t.Attach("history.html", []byte("<html>"))
		t.Remark("suite", "%d claims", 7)
		t.Pass(spec.S_Q_01, "order")
	})
	if len(r.Attachments) != 1 || r.Attachments[0].Name != "history.html" {
		t.Errorf("kept %v; want the attachment", r.Attachments)
	}
	if len(r.Events) != 1 || r.Events[0].Note != "7 claims" {
		t.Errorf("the timeline is %v; want the remark", r.Events)
	}
}

// A hung scenario ends by its budget, with an error and no goroutine left (the
// bubble would say so), whatever it judged before.
func TestBudget(t *testing.T) {
	for _, test := range []struct {
		name string
		hang func(*T)
	}{
		{"in a pause", func(t *T) { t.Pause(time.Hour) }},
		{"in a case", func(t *T) { t.Case("slow", func(t *T) { t.Pause(time.Hour) }) }},
		{"side by side", func(t *T) {
			t.Together(func(t *T) { t.Pause(time.Hour) }, func(t *T) { t.Pause(2 * time.Hour) })
		}},
		{"waiting for a frame", func(t *T) {
			t.Acquire(t.Lock("job"), Beating()).WantNothingNew(spec.S_Q_02, "nothing", time.Now().Add(time.Hour))
		}},
		{"in each of many cases", func(t *T) {
			t.ForEach(10, 2, func(t *T, i int) { t.Pause(time.Minute) })
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := judged(t, of(spec.S_Q_01, spec.S_Q_02), func(t *T) {
				t.Pass(spec.S_Q_01, "order")
				test.hang(t)
			})
			if r.Verdict != Error || find(r, spec.S_Q_02) != Error {
				t.Errorf("judged %q; want an error", verdicts(r))
			}
			if got := the(t, r, spec.S_Q_02).Actual; got != errBudget.Error() {
				t.Errorf("it says %q; want %q", got, errBudget)
			}
			if took(r) != minBudget {
				t.Errorf("it took %v; want its budget of %v", took(r), minBudget)
			}
		})
	}
}

// What failed for certain before the budget was over stays a fail.
func TestBudgetDoesNotHideAFail(t *testing.T) {
	r := judged(t, of(spec.S_Q_01), func(t *T) {
		t.Case("", func(t *T) { t.Fail(spec.S_Q_01, "order", "this", "that") })
		t.Pause(time.Hour)
	})
	wantVerdicts(t, r, "S-Q-01 fail")
}
