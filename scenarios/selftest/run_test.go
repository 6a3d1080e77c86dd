package selftest

import (
	"fmt"
	"slices"
	"testing"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/spec"
)

// judgement is one of a result.
func judgement(id spec.ID, v conformance.Verdict) conformance.Judgement {
	return conformance.Judgement{ID: id, Verdict: v}
}

func TestProofSortsWhatFailed(t *testing.T) {
	wrong := Wrong{Must: []spec.ID{spec.S_Q_02, spec.S_Q_03, spec.S_Q_04}, May: []spec.ID{spec.S_Q_10}}
	p := Proof{Wrong: wrong}
	p.judge(&conformance.Outcome{Results: []conformance.Result{
		{Judgements: []conformance.Judgement{
			judgement(spec.S_Q_02, conformance.Fail), judgement(spec.S_Q_10, conformance.Warn),
			judgement(spec.S_Q_03, conformance.Inconclusive), judgement(spec.S_TOK_01, conformance.Fail),
		}},
		{Judgements: []conformance.Judgement{judgement(spec.S_Q_02, conformance.Fail), judgement(spec.S_Q_04, conformance.Pass)}},
	}})
	if want := []spec.ID{spec.S_Q_02, spec.S_Q_10, spec.S_TOK_01}; !slices.Equal(p.Failed, want) {
		t.Errorf("failed %v; want %v", p.Failed, want)
	}
	if !slices.Equal(p.Open, []spec.ID{spec.S_Q_03}) || !slices.Equal(p.Missed, []spec.ID{spec.S_Q_04}) || !slices.Equal(p.Unlisted, []spec.ID{spec.S_TOK_01}) || p.Refused() {
		t.Errorf("open %v, missed %v, unlisted %v, refused %v", p.Open, p.Missed, p.Unlisted, p.Refused())
	}
}

// An error is the suite's own or the subject's, and proves nothing.
func TestProofOfAnError(t *testing.T) {
	p := Proof{}
	p.judge(&conformance.Outcome{Results: []conformance.Result{{Judgements: []conformance.Judgement{judgement(spec.S_Q_02, conformance.Error)}}}})
	if p.Err == nil || p.Refused() {
		t.Errorf("error %v, refused %v", p.Err, p.Refused())
	}
}

// Each wrong one has a scenario that judges each requirement which it must fail.
func TestEachCouldBeSeen(t *testing.T) {
	ids := map[string]bool{}
	for _, w := range All() {
		name := fmt.Sprintf("%s %s", w.Role, w.ID)
		if ids[name] {
			t.Errorf("two are named %s", name)
		}
		ids[name] = true
		for _, id := range w.Must {
			if !slices.ContainsFunc(w.Scenarios(), func(s conformance.Scenario) bool { return slices.Contains(s.Names(), id) }) {
				t.Errorf("%s must fail %s, which no scenario judges", w.ID, id)
			}
		}
	}
}
