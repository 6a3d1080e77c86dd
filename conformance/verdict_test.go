package conformance

import (
	"testing"

	"github.com/monolock-dev/monolock-conform/conformance/spec"
)

// The order is the design's, written down once more: a verdict that moves is
// a change of what every report says.
var designOrder = []Verdict{
	"fail", "unexpected-pass", "error", "flaky", "inconclusive", "known-fail", "warn", "unsupported", "excluded", "observed", "pass",
}

func TestWorst(t *testing.T) {
	for i, worse := range designOrder {
		for _, better := range designOrder[i:] {
			if got := Worst(worse, better); got != worse {
				t.Errorf("Worst(%s, %s) = %s", worse, better, got)
			}
			if got := Worst(better, worse); got != worse {
				t.Errorf("Worst(%s, %s) = %s", better, worse, got)
			}
		}
	}
	if got := Worst(Pass, Observed, Fail, Warn, Pass); got != Fail {
		t.Errorf("of many counts %s; want fail", got)
	}
}

// The zero verdict is no success: it neither wins over a verdict nor becomes one.
func TestNoVerdictIsNoSuccess(t *testing.T) {
	if got := Worst(); got != "" {
		t.Errorf("Worst of nothing is %q", got)
	}
	if got := Worst("", ""); got != "" {
		t.Errorf("Worst of no verdicts is %q", got)
	}
	if got := Worst("", Pass); got != Pass {
		t.Errorf("Worst of none and pass is %q", got)
	}
	if got := verdictOf(nil); got != "" {
		t.Errorf("no judgement comes to %q", got)
	}
}

func TestVerdictsIsACopyOfTheOrder(t *testing.T) {
	got := Verdicts()
	if len(got) != len(designOrder) {
		t.Fatalf("%d verdicts; want %d", len(got), len(designOrder))
	}
	for i, v := range designOrder {
		if got[i] != v {
			t.Errorf("verdict %d is %s; want %s", i, got[i], v)
		}
	}
	got[0] = Pass
	if Verdicts()[0] != Fail {
		t.Error("a caller can change the order")
	}
}

func TestFailedByLevel(t *testing.T) {
	for _, r := range spec.All() {
		want := Warn
		if r.Level == spec.LevelMust {
			want = Fail
		}
		if got := failed(r.ID); got != want {
			t.Errorf("%s (%s) that does not hold is %s; want %s", r.ID, r.Level, got, want)
		}
	}
}
