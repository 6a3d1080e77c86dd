package server

import (
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/conformance/subject"
	"github.com/monolock-dev/monolock-conform/conformance/virtual"
	"github.com/monolock-dev/monolock-conform/refserver"
	"github.com/monolock-dev/monolock-conform/refserver/defects"
)

// TestEveryDefectFailsItsRequirements runs each wrong server against every
// scenario in virtual time. The requirements that fail are exactly those that
// the defect lists.
func TestEveryDefectFailsItsRequirements(t *testing.T) {
	for _, d := range defects.All() {
		if d.Process {
			continue // only a process shows it: see the tests of the command
		}
		t.Run(d.ID, func(t *testing.T) {
			t.Parallel()
			seen := failuresOf(t, d.ID, d.Past)
			for _, id := range d.Must {
				if seen[spec.ID(id)] == "" {
					t.Errorf("%s (%s) must fail %s, and did not", d.ID, d.Sentence, id)
				}
			}
			for id, where := range seen {
				if !slices.Contains(d.Must, string(id)) && !slices.Contains(d.May, string(id)) {
					t.Errorf("%s (%s) fails %s, which it does not list: %s", d.ID, d.Sentence, id, where)
				}
			}
		})
	}
}

// failuresOf returns each requirement that fails against a defect, with one
// place where it did. A SHOULD that does not hold counts.
func failuresOf(t *testing.T, id string, past bool) map[spec.ID]string {
	var mu sync.Mutex
	seen := map[spec.ID]string{}
	t.Run("scenarios", func(t *testing.T) {
		for _, s := range All() {
			t.Run(s.ID, func(t *testing.T) {
				result := virtual.Server(t, s, conformance.DefaultParams(), past, func() func() subject.Running {
					d, _ := defects.Get(id) // fresh for each scenario
					return func() subject.Running { return d.New(refserver.Config{}) }
				}())
				mu.Lock()
				defer mu.Unlock()
				for _, j := range result.Judgements {
					switch j.Verdict {
					case conformance.Fail, conformance.Warn:
						seen[j.ID] = fmt.Sprintf("%s: %s: expected %s; %s", s.ID, j.Sentence, j.Expected, j.Actual)
					case conformance.Error:
						t.Errorf("%s is an error, which only a broken suite or server should be: %s", j.ID, j.Actual)
					}
				}
			})
		}
	})
	return seen
}

// TestEveryRequirementHasADefect: a requirement that no defect fails proves
// nothing when it passes.
func TestEveryRequirementHasADefect(t *testing.T) {
	broken := map[string]bool{}
	for _, d := range defects.All() {
		for _, id := range d.Must {
			broken[id] = true
			if _, known := spec.Get(spec.ID(id)); !known {
				t.Errorf("%s lists %s, which is no requirement", d.ID, id)
			}
		}
	}
	for _, s := range All() {
		for _, id := range s.Judges {
			if r, _ := spec.Get(id); r.Level != spec.LevelObserve && !broken[string(id)] {
				t.Errorf("no defect fails %s: %s", id, r.Sentence)
			}
		}
	}
}
