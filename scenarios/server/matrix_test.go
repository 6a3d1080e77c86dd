package server

import (
	"testing"

	"github.com/monolock-dev/monolock-conform/conformance"
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
			virtual.Prove(t, listed(d), All(), func(t *testing.T, s conformance.Scenario) conformance.Result {
				fresh, _ := defects.Get(d.ID)
				return virtual.Server(t, s, conformance.DefaultParams(), d.Past, func() subject.Running { return fresh.New(refserver.Config{}) })
			})
		})
	}
}

func TestEveryRequirementHasADefect(t *testing.T) {
	var all []virtual.Defect
	for _, d := range defects.All() {
		all = append(all, listed(d))
	}
	virtual.ProveAll(t, all, All())
}

func listed(d defects.Defect) virtual.Defect {
	return virtual.Defect{ID: d.ID, Sentence: d.Sentence, Must: d.Must, May: d.May}
}
