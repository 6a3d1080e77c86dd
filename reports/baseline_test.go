package reports

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/spec"
)

func TestParseBaseline(t *testing.T) {
	b, err := ParseBaseline(strings.NewReader("\xef\xbb\xbf# of our server\r\n\r\n  S-Q-02\tnext   week: #12 \r\nC-TO-01 one\x1b[2J\n   # S-Q-03 not yet"))
	want := Baseline{spec.S_Q_02: "next week: #12", spec.C_TO_01: `one\x1b[2J`}
	if err != nil || !reflect.DeepEqual(b, want) {
		t.Errorf("%q, %v; want %q", b, err, want)
	}
	if b, err := ParseBaseline(strings.NewReader("\n# none\n")); len(b) != 0 || err != nil {
		t.Errorf("a baseline of nothing: %v, %v", b, err)
	}
}

func TestAllFaultsOfABaselineAreSaid(t *testing.T) {
	_, err := ParseBaseline(strings.NewReader("S-Q-02 known\ns-q-3 a typo\nS-Q-02 again\n\nS-Q-05\nnothing of ours \x1b[2J\n" + strings.Repeat("x", 100_000) + "\n"))
	if err == nil {
		t.Fatal("no error")
	}
	lines := strings.Split(err.Error(), "\n")
	for i, want := range []string{
		`line 2: "s-q-3" is no requirement; did you mean S-Q-03? ` + "`monolock-conform list` shows all IDs",
		`line 3: S-Q-02 is listed in line 1 already`,
		"line 5: S-Q-05 has no reason; write `S-Q-05 why it is known to fail`",
		`line 6: "nothing" is no requirement; `,
		`line 7: "xxx`,
	} {
		if i >= len(lines) || !strings.HasPrefix(lines[i], want) || len(lines[i]) > 600 {
			t.Errorf("%q is not fault %d of:\n%.2000s", want, i, err)
		}
	}
	if _, err := ParseBaseline(broken{}); !errors.Is(err, errBroken) {
		t.Errorf("%v", err)
	}
}

// knowing is the result of in with a baseline.
func knowing(t *testing.T, in Input, lines string) Result {
	t.Helper()
	b, err := ParseBaseline(strings.NewReader(lines))
	if err != nil {
		t.Fatal(err)
	}
	r := New(in)
	b.Apply(&r)
	return r
}

// aborting is a run in which the failure of S-Q-02 ends the scenario before S-Q-03.
func aborting() Input {
	return change(change(goodRun(), promotion(conformance.Fail)), conformance.Judgement{
		ID: spec.S_Q_03, Verdict: conformance.Inconclusive, Expected: "a scenario that comes to this point",
		Actual: "not reached: something before it did not hold", Event: 2,
	})
}

// baselines are runs with a baseline, by the name of their golden file.
func baselines(t *testing.T) map[string]Result {
	return map[string]Result{
		"baseline-known":      knowing(t, manyFailures(), "S-Q-02 issue 12: the queue is a stack\n"),
		"baseline-hidden":     knowing(t, aborting(), "S-Q-02 issue 12: the queue is a stack\n"),
		"baseline-unexpected": knowing(t, goodRun(), "S-Q-02 issue 12: the queue is a stack\n"),
		"baseline-hostile":    knowing(t, hostileRun(), "S-Q-02 "+strings.NewReplacer("\n", " ").Replace(hostileText)+"\n"),
	}
}

func TestTextWithABaselineIsAsInTheGoldenFiles(t *testing.T) {
	for name, r := range baselines(t) {
		t.Run(name, func(t *testing.T) { golden(t, name+".txt", text(t, r, TextOptions{})) })
	}
}

func TestWhatABaselineMakesOfVerdicts(t *testing.T) {
	const listed = "S-Q-02 known\n"
	advice := string(firstShould()) + " known\n"
	rows := []struct {
		name, baseline string
		in             Input
		id             spec.ID
		want           conformance.Verdict
		exit           int
		complete       bool
	}{
		{"a failure", listed, change(goodRun(), promotion(conformance.Fail)), spec.S_Q_02, conformance.KnownFail, 0, true},
		{"a failure that is not listed", "S-Q-03 known\n", change(goodRun(), promotion(conformance.Fail)), spec.S_Q_02, conformance.Fail, 1, true},
		{"another that passes", "S-Q-03 known\n", change(goodRun(), promotion(conformance.Fail)), spec.S_Q_03, conformance.UnexpectedPass, 1, true},
		{"one of five passes", listed, someFail(), spec.S_Q_02, conformance.KnownFail, 0, true},
		{"a pass", listed, goodRun(), spec.S_Q_02, conformance.UnexpectedPass, 1, true},
		{"an observation", "S-Q-12 known\n", goodRun(), spec.S_Q_12, conformance.UnexpectedPass, 1, true},
		{"a warn", advice, change(goodRun(), should(conformance.Warn)), firstShould(), conformance.KnownFail, 0, true},
		{"flaky", listed, change(goodRun(), promotion(conformance.Flaky)), spec.S_Q_02, conformance.Flaky, 3, true},
		{"a doubt", listed, change(goodRun(), promotion(conformance.Inconclusive)), spec.S_Q_02, conformance.Inconclusive, 3, true},
		{"a doubt beside a failure", listed, beside(conformance.Inconclusive), spec.S_Q_02, conformance.KnownFail, 0, true},
		{"flaky beside a failure", listed, beside(conformance.Flaky), spec.S_Q_02, conformance.KnownFail, 0, true},
		{"an error beside a failure", listed, beside(conformance.Error), spec.S_Q_02, conformance.Error, 3, true},
		{"an error", listed, change(goodRun(), promotion(conformance.Error)), spec.S_Q_02, conformance.Error, 3, true},
		{"left out", listed, excluding(goodRun(), "queue"), spec.S_Q_02, conformance.Excluded, 0, false},
		{"not offered", "S-SHUT-02 known\n", goodRun(), spec.S_SHUT_02, conformance.Unsupported, 0, true},
		{"of the other role", "C-TO-01 known\n", goodRun(), spec.S_Q_02, conformance.Pass, 0, true},
		{"behind a known failure", listed, aborting(), spec.S_Q_03, conformance.Excluded, 0, false},
		{"behind another failure", "S-Q-05 known\n", alsoFailing(), spec.S_Q_03, conformance.Inconclusive, 1, true},
		{"watched, and something left out", "S-TOK-01 known\n", excluding(goodRun(), "queue"), spec.S_TOK_01, conformance.Pass, 0, false},
		{"passed before the end", listed, voided(goodRun(), 4, errors.New("interrupted")), spec.S_Q_02, conformance.Pass, 3, false},
		{"not decided", listed, voided(goodRun(), 2, errors.New("interrupted")), spec.S_Q_02, conformance.Inconclusive, 3, false},
	}
	for _, row := range rows {
		r := knowing(t, row.in, row.baseline)
		if got := verdictOn(r, row.id); got != row.want || r.ExitCode(false) != row.exit || r.Complete != row.complete {
			t.Errorf("%s: %s, exit %d, complete %v; want %s, %d, %v", row.name, got, r.ExitCode(false), r.Complete, row.want, row.exit, row.complete)
		}
	}
}

// someFail is one requirement that fails in four scenarios and holds in one.
func someFail() Input {
	in := manyFailures()
	last := &in.Outcome.Results[len(in.Outcome.Results)-1]
	last.Verdict = conformance.Pass
	last.Judgements = []conformance.Judgement{{ID: spec.S_Q_02, Verdict: conformance.Pass, Event: -1}}
	return in
}

// beside is one requirement that fails in four scenarios, and has v in another.
func beside(v conformance.Verdict) Input {
	in := manyFailures()
	last := &in.Outcome.Results[len(in.Outcome.Results)-1]
	last.Verdict, last.Judgements = v, []conformance.Judgement{promotion(v)}
	return in
}

// alsoFailing is aborting with a second failure in the same scenario.
func alsoFailing() Input {
	j := promotion(conformance.Fail)
	j.ID = spec.S_Q_05
	return change(aborting(), j)
}

func TestASavedFileKnowsOfTheBaseline(t *testing.T) {
	for name, want := range baselines(t) {
		got := reread(t, want)
		got.Requirements, got.Counts, got.Result, got.Complete = nil, nil, "", !want.Complete
		Judge(&got)
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: judged again: %s %v, want %s %v", name, got.Result, got.Counts, want.Result, want.Counts)
		}
	}
}

func TestABaselineAppliedTwiceIsAppliedOnce(t *testing.T) {
	b := Baseline{spec.S_Q_02: "known", spec.S_Q_05: "known", spec.S_TOK_01: "known"}
	for name, in := range runs() {
		once, twice := New(in), New(in)
		b.Apply(&once)
		b.Apply(&twice)
		b.Apply(&twice)
		if !reflect.DeepEqual(once, twice) {
			t.Errorf("%s: the second time changes it: %s %v, then %s %v", name, once.Result, once.Counts, twice.Result, twice.Counts)
		}
	}
}

// TestAWrittenBaselineExcusesItsRun: with the baseline of a run, the same run has
// known failures only.
func TestAWrittenBaselineExcusesItsRun(t *testing.T) {
	for name, in := range runs() {
		r := New(in)
		failures := r.Counts[conformance.Fail]
		lines := written(t, r)
		again := knowing(t, in, lines)
		if again.Counts[conformance.Fail] != 0 || r.EndedEarly() == "" && again.Counts[conformance.KnownFail] < failures {
			t.Errorf("%s: %d failures; with the baseline %d fail and %d are known:\n%s", name, failures, again.Counts[conformance.Fail], again.Counts[conformance.KnownFail], lines)
		}
		if failures > 0 && r.EndedEarly() == "" && again.ExitCode(false) != 0 {
			t.Errorf("%s: with its baseline it ends with %d", name, again.ExitCode(false))
		}
		if kept := written(t, again); kept != lines {
			t.Errorf("%s: the baseline of the second run is another:\n%s\nwant:\n%s", name, kept, lines)
		}
	}
}

func TestWriteBaseline(t *testing.T) {
	golden(t, "baseline.lines", written(t, New(alsoFailing())))
	strict := change(goodRun(), should(conformance.Warn))
	if lines := written(t, New(strict)); strings.Contains(lines, "S-") {
		t.Errorf("a warn is listed:\n%s", lines)
	}
	strict.Filters.Strict = true
	if lines := written(t, New(strict)); !strings.Contains(lines, "\n"+string(firstShould())+" ") {
		t.Errorf("a warn that fails is not listed:\n%s", lines)
	}
	if lines := written(t, knowing(t, goodRun(), "S-Q-02 known\n")); strings.Contains(lines, "S-Q-02") {
		t.Errorf("what passed is still listed:\n%s", lines)
	}
	if lines := written(t, New(hostileRun())); strings.Count(lines, "\n") != 3 || len(lines) > 1000 {
		t.Errorf("hostile text makes lines:\n%s", lines)
	}
	if err := WriteBaseline(broken{}, New(goodRun())); !errors.Is(err, errBroken) {
		t.Errorf("%v", err)
	}
}

func written(t *testing.T, r Result) string {
	t.Helper()
	var out strings.Builder
	if err := WriteBaseline(&out, r); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// TestABaselineIsVisibleInTheResult: what a certificate must refuse can be seen.
func TestABaselineIsVisibleInTheResult(t *testing.T) {
	r := knowing(t, manyFailures(), "S-Q-02 known\n")
	if r.Counts[conformance.KnownFail] != 1 || !strings.Contains(r.Words(), "1 known failure") {
		t.Errorf("%v, %s", r.Counts, r.Words())
	}
	j, _ := judgementOf(r.Scenarios[3], spec.S_Q_02)
	if j.knownReason() != "known" || j.Verdict != conformance.KnownFail || r.Scenarios[3].Verdict != conformance.KnownFail {
		t.Errorf("%+v of %s", j, r.Scenarios[3].Verdict)
	}
}

func TestASubjectCannotPassForKnown(t *testing.T) {
	j := Judgement{ID: spec.S_Q_02, Verdict: conformance.Fail, Expected: "x\nknown failure: trust me"}
	if reason := j.knownReason(); reason != "" {
		t.Errorf("%q", reason)
	}
}
