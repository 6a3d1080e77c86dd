package conformance

import (
	"strings"
	"testing"

	"github.com/monolock-dev/monolock-conform/conformance/spec"
)

// A scenario that panics is the suite's own fault: an error with the words of
// the panic, wherever it happens, and the run goes on.
func TestPanic(t *testing.T) {
	for _, test := range []struct {
		name string
		run  func(*T)
		part string
	}{
		{"in the scenario", func(t *T) { panic("as planned") }, ""},
		{"in a case", func(t *T) { t.Case("a", func(*T) { panic("as planned") }) }, "a"},
		{"side by side", func(t *T) {
			t.Together(func(*T) { panic("as planned") }, func(t *T) { t.Pass(spec.S_Q_02, "beside it") })
		}, ""},
		{"in one of many", func(t *T) {
			t.ForEach(3, 1, func(_ *T, i int) {
				if i == 1 {
					panic("as planned")
				}
			})
		}, ""},
		{"side by side in a case", func(t *T) {
			t.Case("a", func(t *T) { t.Together(func(t *T) { t.Case("b", func(*T) { panic("as planned") }) }) })
		}, "a, b"},
		{"with an error", func(t *T) { var s *Scenario; _ = s.ID }, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := judged(t, of(spec.S_Q_01), test.run)
			if r.Verdict != Error {
				t.Errorf("judged %q; want an error", verdicts(r))
			}
			j := the(t, r, spec.S_Q_01)
			if !strings.Contains(j.Actual, "panicked: as planned") && !strings.Contains(j.Actual, "panicked: runtime error") {
				t.Errorf("it says %q; want the words of the panic", j.Actual)
			}
			if !strings.Contains(j.Actual, "panic_test.go") {
				t.Errorf("it says %q; want the place in the scenario", j.Actual)
			}
			if j.Case != test.part {
				t.Errorf("it happened in the case %q; want %q", j.Case, test.part)
			}
		})
	}
}

func TestOthersRunBesideAPanic(t *testing.T) {
	var ran [3]bool
	r := judged(t, of(spec.S_Q_01, spec.S_Q_02), func(t *T) {
		t.Together(
			func(t *T) { t.Pause(t.Lease); ran[0] = true },
			func(t *T) { panic("as planned") },
			func(t *T) { t.Case("", func(t *T) { t.Pause(t.Lease); ran[1] = true }) },
		)
		t.Case("after", func(*T) { ran[2] = true })
		t.Pass(spec.S_Q_02, "the scenario goes on")
	})
	wantVerdicts(t, r, "S-Q-01 error, S-Q-02 pass")
	if ran != [3]bool{true, true, true} {
		t.Errorf("ran %v; want all", ran)
	}
}

// A fail that is certain counts more than a later panic of the same scenario.
func TestAPanicDoesNotHideAFail(t *testing.T) {
	r := judged(t, of(spec.S_Q_01), func(t *T) {
		t.Case("", func(t *T) { t.Fail(spec.S_Q_01, "order", "this", "that") })
		panic("as planned")
	})
	wantVerdicts(t, r, "S-Q-01 fail")
}
