package client

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"sync"
	"testing"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/conformance/subject"
	"github.com/monolock-dev/monolock-conform/conformance/virtual"
	"github.com/monolock-dev/monolock-conform/refclient/adapter"
	"github.com/monolock-dev/monolock-conform/refclient/defects"
)

// TestEveryDefectFailsItsRequirements runs each wrong client against every
// scenario in virtual time. The requirements that fail are exactly those that the
// defect lists.
func TestEveryDefectFailsItsRequirements(t *testing.T) {
	for _, d := range defects.All() {
		if d.Process {
			continue // only a process shows it: see the tests of the command
		}
		t.Run(d.ID, func(t *testing.T) {
			t.Parallel()
			seen := failuresOf(t, d)
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

// failuresOf returns each requirement that fails against a defect, with one place
// where it did. A SHOULD that does not hold counts.
func failuresOf(t *testing.T, d defects.Defect) map[spec.ID]string {
	var mu sync.Mutex
	seen := map[spec.ID]string{}
	t.Run("scenarios", func(t *testing.T) {
		for _, s := range All() {
			t.Run(s.ID, func(t *testing.T) {
				result := virtual.Client(t, s, matrixParams(), func(dial virtual.Dial) subject.Client { return wrongClient(d, dial) })
				mu.Lock()
				defer mu.Unlock()
				for _, j := range result.Judgements {
					switch j.Verdict {
					case conformance.Fail, conformance.Warn:
						seen[j.ID] = fmt.Sprintf("%s: %s: %s: expected %s; %s", s.ID, j.Case, j.Sentence, j.Expected, j.Actual)
					case conformance.Error:
						t.Errorf("%s is an error, which only a broken suite or adapter should be: %s", j.ID, j.Actual)
					}
				}
			})
		}
	})
	return seen
}

// wrongClient is a defect's adapter as a goroutine.
func wrongClient(d defects.Defect, dial virtual.Dial) subject.Client {
	return subject.InProcessClient{Run: func(ctx context.Context, getenv func(string) string, stdin io.Reader, stdout, stderr io.Writer) int {
		env := adapter.Env{Getenv: getenv, Stdin: stdin, Stdout: stdout, Stderr: stderr, Dial: dial}
		return adapter.Run(ctx, env, d.New)
	}}
}

// TestEveryRequirementHasADefect: a requirement that no defect fails proves nothing
// when it passes.
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

// matrixParams are the defaults; MONOLOCK_CONFORM_SEED chooses another seed, to see
// whether a defect's list holds for other draws, too.
func matrixParams() conformance.Params {
	p := conformance.DefaultParams()
	if seed, err := strconv.ParseUint(os.Getenv("MONOLOCK_CONFORM_SEED"), 10, 64); err == nil {
		p.Seed = seed
	}
	return p
}
