package conformance

import (
	"testing"

	"github.com/onsi/gomega"
	"github.com/onsi/gomega/types"

	"github.com/monolock-dev/monolock-conform/conformance/spec"
)

func equalTo(want any) types.GomegaMatcher { return gomega.Equal(want) }

// A matcher's message becomes the judgement, on one line.
func TestExpect(t *testing.T) {
	reached := false
	r := judged(t, of(spec.S_Q_01, spec.S_HB_12, spec.S_TOK_01), func(t *T) {
		t.Expect(spec.S_Q_01, "two is two", 2, equalTo(2))
		t.Expect(spec.S_HB_12, "advice", 2, equalTo(3))
		reached = true
		t.Expect(spec.S_TOK_01, "a must", 2, equalTo(3))
		t.Pass(spec.S_TOK_01, "never reached")
	})
	wantVerdicts(t, r, "S-Q-01 pass, S-HB-12 warn, S-TOK-01 fail")
	if !reached {
		t.Error("a SHOULD that does not hold ended the scenario")
	}
	if got, want := the(t, r, spec.S_TOK_01).Actual, "Expected <int>: 2 to equal <int>: 3"; got != want {
		t.Errorf("Actual is %q; want %q", got, want)
	}
}
