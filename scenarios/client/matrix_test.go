package client

import (
	"context"
	"io"
	"os"
	"strconv"
	"testing"

	"github.com/monolock-dev/monolock-conform/conformance"
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
			virtual.Prove(t, listed(d), All(), func(t *testing.T, s conformance.Scenario) conformance.Result {
				return virtual.Client(t, s, matrixParams(), func(dial virtual.Dial) subject.Client { return wrongClient(d, dial) })
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

// wrongClient is a defect's adapter as a goroutine.
func wrongClient(d defects.Defect, dial virtual.Dial) subject.Client {
	return subject.InProcessClient{Run: func(ctx context.Context, getenv func(string) string, stdin io.Reader, stdout, stderr io.Writer) int {
		env := adapter.Env{Getenv: getenv, Stdin: stdin, Stdout: stdout, Stderr: stderr, Dial: dial}
		return adapter.Run(ctx, env, d.New)
	}}
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
