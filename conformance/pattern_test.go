package conformance

import (
	"errors"
	"strings"
	"testing"

	"github.com/monolock-dev/monolock-conform/conformance/spec"
)

func TestSelectByPatterns(t *testing.T) {
	all := []Scenario{
		{ID: "server/queue/one", Judges: []spec.ID{spec.S_Q_01}},
		{ID: "server/queue/two", Judges: []spec.ID{spec.S_Q_02, spec.S_Q_03}},
		{ID: "server/token/one", Judges: []spec.ID{spec.S_TOK_01}},
	}
	for _, row := range []struct{ run, skip, want string }{
		{"", "", "server/queue/one server/queue/two server/token/one"},
		{"server/queue/*", "", "server/queue/one server/queue/two"},
		{"S-Q-0?", "S-Q-03", "server/queue/one"},
		{"*/one", "server/token/*", "server/queue/one"},
		{"S-Q-02 S-TOK-01", "", "server/queue/two server/token/one"},
		{"", "*", ""},
	} {
		got, err := Select(all, strings.Fields(row.run), strings.Fields(row.skip))
		var ids []string
		for _, s := range got {
			ids = append(ids, s.ID)
		}
		if err != nil || strings.Join(ids, " ") != row.want {
			t.Errorf("run %q skip %q: %q, %v; want %q", row.run, row.skip, ids, err, row.want)
		}
	}
}

// A pattern that matches nothing is an error that offers the nearest name, also of a
// scenario by its last part. Characters of regular expressions are plain ones.
func TestPatternsThatMatchNothing(t *testing.T) {
	all := []Scenario{{ID: "server/queue/owner-closes", Judges: []spec.ID{spec.S_Q_03}}}
	for _, row := range []struct{ pattern, nearest string }{
		{"S-Q-30", "S-Q-"}, {"server/queue/ownr-closes", "server/queue/owner-closes"}, {"owner-closes", "server/queue/owner-closes"}, {"server.queue.*", ""},
	} {
		_, err := Select(all, []string{row.pattern}, nil)
		var none *NoMatchError
		if !errors.As(err, &none) || !strings.HasPrefix(none.Nearest, row.nearest) {
			t.Errorf("%q: %v; want the nearest to be %q", row.pattern, err, row.nearest)
		}
	}
}
