package virtual

import (
	"fmt"
	"slices"
	"testing"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/spec"
)

// Defect is what a proof must know of a wrong subject.
type Defect struct {
	ID, Sentence string
	Must, May    []string // requirements that fail, and that may fail with them
}

// Prove fails t unless the requirements that fail against a defect are those that it
// lists: each of Must, in some scenario that names it, and beyond them none but those
// of May. A SHOULD that does not hold counts. Play runs one scenario against the defect.
func Prove(t *testing.T, d Defect, scenarios []conformance.Scenario, play func(*testing.T, conformance.Scenario) conformance.Result) {
	seen := map[string]string{}
	named := map[string]bool{}
	t.Run("scenarios", func(t *testing.T) {
		for _, s := range scenarios {
			t.Run(s.ID, func(t *testing.T) { noteFailures(t, play(t, s), seen, named) })
		}
	})
	for _, id := range d.Must {
		if seen[id] == "" {
			t.Errorf("%s (%s) must fail %s, and did not", d.ID, d.Sentence, id)
		} else if !named[id] {
			t.Errorf("%s (%s) fails %s only in scenarios that do not name it, such as %s", d.ID, d.Sentence, id, seen[id])
		}
	}
	for id, where := range seen {
		if !slices.Contains(d.Must, id) && !slices.Contains(d.May, id) {
			t.Errorf("%s (%s) fails %s, which it does not list: %s", d.ID, d.Sentence, id, where)
		}
	}
}

// noteFailures notes what fails, with one place where it did, and whether it was
// where the scenario names the requirement.
func noteFailures(t *testing.T, r conformance.Result, seen map[string]string, named map[string]bool) {
	for _, j := range r.Judgements {
		switch j.Verdict {
		case conformance.Fail, conformance.Warn:
			seen[string(j.ID)] = fmt.Sprintf("%s: %s: %s: expected %s; %s", r.Scenario.ID, j.Case, j.Sentence, j.Expected, j.Actual)
			named[string(j.ID)] = named[string(j.ID)] || slices.Contains(r.Scenario.Names(), j.ID)
		case conformance.Error:
			t.Errorf("%s is an error, which only a broken suite or subject should be: %s", j.ID, j.Actual)
		}
	}
}

// ProveAll fails t where a requirement of the scenarios has no defect that fails it:
// then it proves nothing when it passes.
func ProveAll(t *testing.T, defects []Defect, scenarios []conformance.Scenario) {
	broken := map[string]bool{}
	for _, d := range defects {
		for _, id := range d.Must {
			broken[id] = true
			if _, known := spec.Get(spec.ID(id)); !known {
				t.Errorf("%s lists %s, which is no requirement", d.ID, id)
			}
		}
	}
	for _, s := range scenarios {
		for _, id := range s.Judges {
			if r, _ := spec.Get(id); r.Level != spec.LevelObserve && !broken[string(id)] {
				t.Errorf("no defect fails %s: %s", id, r.Sentence)
			}
		}
	}
}
