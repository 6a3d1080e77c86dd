package reports

import (
	"bytes"
	"reflect"
	"slices"
	"testing"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/spec"
)

func TestAFileIsJudgedAsItsRunWas(t *testing.T) {
	for name, in := range runs() {
		want := New(in)
		got := reread(t, want)
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: the result that was read is not the one that was written", name)
		}
		got.Requirements, got.Counts, got.Result, got.Complete = nil, nil, "", !want.Complete
		Judge(&got)
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: judged again: %s %v, want %s %v", name, got.Result, got.Counts, want.Result, want.Counts)
		}
	}
}

func TestTheFirstVerdictInOrderCounts(t *testing.T) {
	order := conformance.Verdicts()
	for i, grave := range order {
		for _, light := range order[i:] {
			want := grave
			if grave == conformance.Excluded { // what was left out says nothing against what ran
				want = light
			}
			for _, pair := range [][]conformance.Verdict{{grave, light}, {light, grave}} {
				r := twoScenarios(pair)
				if got := verdictOn(r, spec.S_Q_02); got != want {
					t.Errorf("%v: %s, want %s", pair, got, want)
				}
			}
		}
	}
}

// twoScenarios judge S-Q-02, one each way.
func twoScenarios(verdicts []conformance.Verdict) Result {
	r := Result{Subject: Subject{Role: spec.RoleServer}}
	for i, v := range verdicts {
		r.Scenarios = append(r.Scenarios, Scenario{
			ID: "server/queue/" + string(rune('a'+i)), Verdict: v, Requirements: []Judgement{{ID: spec.S_Q_02, Verdict: v}},
		})
	}
	Judge(&r)
	return r
}

func verdictOn(r Result, id spec.ID) conformance.Verdict {
	i := slices.IndexFunc(r.Requirements, func(q Requirement) bool { return q.ID == id })
	return r.Requirements[i].Verdict
}

func TestConclusions(t *testing.T) {
	type row struct {
		result   Conclusion
		exit     int
		complete bool
	}
	want := map[string]row{
		"pass":            {Conformant, 0, true},
		"fail":            {NotConformant, 1, true},
		"warn":            {Conformant, 0, true},
		"warn-strict":     {NotConformant, 1, true},
		"flaky":           {Undecided, 3, true},
		"inconclusive":    {Undecided, 3, true},
		"error":           {Undecided, 3, true},
		"known-fail":      {Conformant, 0, true},
		"unexpected-pass": {NotConformant, 1, true},
		"unsupported":     {Conformant, 0, true},
		"excluded":        {Conformant, 0, false},
		"many-failures":   {NotConformant, 1, true},
		"hostile":         {NotConformant, 1, true},
		"nothing":         {Undecided, 3, false},
		"gone":            {Undecided, 3, false},
		"gone-negative":   {NotConformant, 1, false},
		"unreachable":     {Undecided, 3, false},
		"interrupted":     {Undecided, 3, false},
	}
	for name, in := range runs() {
		r := New(in)
		if got := (row{r.Result, r.ExitCode(false), r.Complete}); got != want[name] {
			t.Errorf("%s: %v, want %v", name, got, want[name])
		}
		if got := r.ExitCode(true); got != 130 {
			t.Errorf("%s, interrupted: exit code %d, want 130", name, got)
		}
	}
}

func TestWhatStaysOpenInAnObservationDecidesNothing(t *testing.T) {
	open := func(v conformance.Verdict) Conclusion {
		return New(change(goodRun(), conformance.Judgement{ID: spec.S_Q_12, Verdict: v, Event: -1})).Result
	}
	if got := open(conformance.Inconclusive); got != Conformant {
		t.Errorf("an inconclusive observation: %s", got)
	}
	if got := open(conformance.Error); got != Undecided {
		t.Errorf("an observation that broke: %s", got)
	}
}

func TestNothingExaminedIsNeverGreen(t *testing.T) {
	in := goodRun()
	for _, topic := range spec.Topics(spec.RoleServer) {
		in = excluding(in, topic.Key)
	}
	if r := New(in); r.Result != Undecided {
		t.Errorf("all excluded: %s", r.Result)
	}
	if r := New(Input{Subject: Subject{Role: spec.RoleServer}}); r.Result != Undecided {
		t.Errorf("an empty input: %s", r.Result)
	}
	var zero Result
	if zero.ExitCode(false) != 3 {
		t.Errorf("the zero result ends with %d", zero.ExitCode(false))
	}
}

func TestJudgementsOutsideTheListOfAScenarioCount(t *testing.T) {
	in := goodRun()
	framing := &in.Outcome.Results[0]
	framing.Judgements = append(framing.Judgements, promotion(conformance.Fail))
	framing.Verdict = conformance.Fail
	r := New(in)
	i := slices.IndexFunc(r.Requirements, func(q Requirement) bool { return q.ID == spec.S_Q_02 })
	q := r.Requirements[i]
	if q.Verdict != conformance.Fail || !slices.Equal(q.Scenarios, []string{"server/framing/all", "server/queue/all"}) {
		t.Errorf("%+v", q)
	}
}

func TestDetails(t *testing.T) {
	timed := conformance.Judgement{ID: spec.S_Q_03, Verdict: conformance.Pass, Measured: 412345, Timed: true}
	rows := []struct {
		in   Input
		id   spec.ID
		want string
	}{
		{change(goodRun(), timed), spec.S_Q_03, "at most 0.412 ms"},
		{goodRun(), spec.S_Q_03, ""},
		{change(goodRun(), promotion(conformance.Fail)), spec.S_Q_02, "conn-2: after 612.3ms"},
		{change(goodRun(), should(conformance.Warn)), firstShould(), `case "two at once": conn-1: another`},
		{goodRun(), spec.S_Q_12, "key: value"},
		{goodRun(), spec.S_SHUT_02, "needs the feature ops, which this run does not offer"},
		{excluding(goodRun(), "queue"), spec.S_Q_02, "left out of this run"},
		{gone(""), spec.S_Q_02, "not decided: " + gone("").Outcome.Gone.Error()},
	}
	for _, row := range rows {
		r := New(row.in)
		i := slices.IndexFunc(r.Requirements, func(q Requirement) bool { return q.ID == row.id })
		if got := r.Requirements[i].Detail; got != row.want {
			t.Errorf("%s: %q, want %q", row.id, got, row.want)
		}
	}
}

func TestEveryVerdictIsCounted(t *testing.T) {
	for name, in := range runs() {
		r := New(in)
		sum := 0
		for _, v := range conformance.Verdicts() {
			n, there := r.Counts[v]
			if !there {
				t.Errorf("%s: no count of %s", name, v)
			}
			sum += n
		}
		if want := len(spec.Of(spec.RoleServer)); sum != want || len(r.Requirements) != want {
			t.Errorf("%s: %d counted, %d listed, want %d", name, sum, len(r.Requirements), want)
		}
	}
}

func reread(t *testing.T, r Result) Result {
	t.Helper()
	var file bytes.Buffer
	if err := WriteJSON(&file, r); err != nil {
		t.Fatal(err)
	}
	got, err := ReadJSON(&file)
	if err != nil {
		t.Fatal(err)
	}
	return got
}
