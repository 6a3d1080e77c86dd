package conformance

import (
	"slices"
	"testing"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/spec"
)

// round is the result of one round: the verdict on each requirement.
func round(judgements ...Judgement) Result {
	return Result{Judgements: judgements, Verdict: verdictOf(judgements), Attempts: 1}
}

func on(id spec.ID, v Verdict) Judgement { return Judgement{ID: id, Verdict: v} }

func TestRepeated(t *testing.T) {
	for _, test := range []struct {
		name, why string
		one, two  Verdict
		want      Verdict
	}{
		{"twice passed", "it holds", Pass, Pass, Pass},
		{"twice failed", "it does not hold", Fail, Fail, Fail},
		{"failed, then passed", "never a pass", Fail, Pass, Flaky},
		{"passed, then failed", "the order is chance", Pass, Fail, Flaky},
		{"flaky, then passed", "a third round does not mend it", Flaky, Pass, Flaky},
		{"flaky, then failed", "it passed once", Flaky, Fail, Flaky},
		{"failed, then flaky", "and likewise", Fail, Flaky, Flaky},
		{"failed, then could not be told", "nothing contradicts the fail", Fail, Inconclusive, Fail},
		{"passed, then could not be told", "it is not decided", Pass, Inconclusive, Inconclusive},
		{"warned, then passed", "a SHOULD that did not hold stays in view", Warn, Pass, Warn},
		{"passed, then broke", "an error is no success", Pass, Error, Error},
		{"observed twice", "nothing is judged", Observed, Observed, Observed},
		{"unsupported twice", "nothing is judged", Unsupported, Unsupported, Unsupported},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := repeated(round(on(spec.S_Q_01, test.one)), round(on(spec.S_Q_01, test.two)))
			if got.Verdict != test.want || got.Judgements[0].Verdict != test.want {
				t.Errorf("%s and %s come to %s; want %s: %s", test.one, test.two, got.Verdict, test.want, test.why)
			}
			if got.Attempts != 2 {
				t.Errorf("%d attempts; want 2", got.Attempts)
			}
		})
	}
}

// The events of the round that went wrong are kept, whichever it was.
func TestRepeatedKeepsTheEvidence(t *testing.T) {
	good, bad := round(on(spec.S_Q_01, Pass)), round(on(spec.S_Q_01, Fail))
	good.Output, bad.Output = "good", "bad"
	good.Started, bad.Started = time.Unix(1, 0), time.Unix(2, 0)
	for _, got := range []Result{repeated(good, bad), repeated(bad, good)} {
		if got.Output != "bad" {
			t.Errorf("kept the evidence of the %s round", got.Output)
		}
	}
	if got := repeated(good, bad); !got.Started.Equal(good.Started) {
		t.Error("a repeated scenario starts with its first round")
	}
}

// The rounds themselves are results of their own and stay as they are.
func TestRepeatedChangesNothing(t *testing.T) {
	one, two := round(on(spec.S_Q_01, Fail)), round(on(spec.S_Q_01, Pass))
	repeated(one, two)
	if verdicts(one) != "S-Q-01 fail" || verdicts(two) != "S-Q-01 pass" {
		t.Errorf("the rounds became %q and %q", verdicts(one), verdicts(two))
	}
}

// A requirement that only one round judged counts, too: a monitor speaks up
// in any scenario, and perhaps in one round of many.
func TestRepeatedLosesNoJudgement(t *testing.T) {
	one := round(on(spec.S_Q_01, Fail))
	two := round(on(spec.S_Q_01, Pass), on(spec.S_TOK_01, Fail))
	got := repeated(one, two)
	if find(got, spec.S_TOK_01) == "" {
		t.Errorf("the fail of S-TOK-01 in the second round is lost: %q", verdicts(got))
	}
}

// What failed in one round and was not spoken of in the other, which passed, is
// flaky: a monitor says nothing where all was well.
func TestRepeatedMonitorFinding(t *testing.T) {
	one := round(on(spec.S_Q_01, Pass), on(spec.S_TOK_01, Fail))
	two := round(on(spec.S_Q_01, Pass))
	if got := repeated(one, two); got.Verdict != Flaky {
		t.Errorf("a scenario that failed and then passed is %s: %q", got.Verdict, verdicts(got))
	}
}

func TestAgainDecides(t *testing.T) {
	doubt := round(Judgement{ID: spec.S_Q_03, Verdict: Inconclusive, Doubt: true})
	doubt.Started = time.Unix(1, 0)
	second := round(on(spec.S_Q_03, Pass))
	second.Started = time.Unix(9, 0)
	got := again(doubt, second)
	if got.Verdict != Pass || got.Attempts != 2 || !got.Started.Equal(doubt.Started) {
		t.Errorf("again gives %s after %d attempts, started %v; want pass after 2, started with the first", got.Verdict, got.Attempts, got.Started)
	}
}

func TestDoubtful(t *testing.T) {
	doubt := Judgement{ID: spec.S_Q_03, Verdict: Inconclusive, Doubt: true}
	for _, test := range []struct {
		name       string
		judgements []Judgement
		want       bool
	}{
		{"nothing", nil, false},
		{"a doubt", []Judgement{doubt}, true},
		{"a doubt among passes", []Judgement{on(spec.S_Q_01, Pass), doubt}, true},
		{"a doubt beside a warn", []Judgement{on(spec.S_HB_12, Warn), doubt}, true},
		{"a doubt beside a certain fail", []Judgement{on(spec.S_Q_01, Fail), doubt}, false},
		{"could not be told, for good", []Judgement{on(spec.S_Q_03, Inconclusive)}, false},
		{"passed", []Judgement{on(spec.S_Q_03, Pass)}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := doubtful(round(test.judgements...)); got != test.want {
				t.Errorf("doubtful is %v; want %v", got, test.want)
			}
		})
	}
}

// In a run: what a scenario says in its rounds is joined, and the scenario
// ran as often as asked.
func TestRepeatInARun(t *testing.T) {
	runs := 0
	s := fake("server/fake/flaky", of(spec.S_Q_01), func(t *T) {
		if runs++; runs == 2 {
			t.Fail(spec.S_Q_01, "it holds", "order", "none")
		}
		t.Pass(spec.S_Q_01, "it holds")
	})
	o := outcomeOf(t, Plan{Scenarios: []Scenario{s}, Repeat: 3})
	wantVerdicts(t, o.Results[0], "S-Q-01 flaky")
	if runs != 3 || o.Results[0].Attempts != 3 {
		t.Errorf("ran %d times, and says %d; want 3", runs, o.Results[0].Attempts)
	}
}

// A judgement ends up once, in whatever round it came.
func TestRepeatedJudgesEachOnce(t *testing.T) {
	got := repeated(round(on(spec.S_Q_01, Pass), on(spec.S_Q_02, Pass)), round(on(spec.S_Q_02, Pass), on(spec.S_Q_01, Pass)))
	var ids []spec.ID
	for _, j := range got.Judgements {
		ids = append(ids, j.ID)
	}
	slices.Sort(ids)
	if !slices.Equal(ids, of(spec.S_Q_01, spec.S_Q_02)) {
		t.Errorf("judged %v; want each requirement once", ids)
	}
}
