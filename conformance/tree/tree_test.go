package tree

import (
	"strings"
	"testing"

	"github.com/onsi/ginkgo/v2/types"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/conformance/subject"
)

// fakes are scenarios that pass, fail, warn, and lack a feature.
var fakes = []conformance.Scenario{
	fake("server/queue/passes", spec.S_Q_01, nil, func(t *conformance.T) { t.Pass(spec.S_Q_01, "held") }),
	fake("server/token/fails", spec.S_TOK_01, nil, func(t *conformance.T) { t.Fail(spec.S_TOK_01, "one token", "7", "8") }),
	fake("server/acquire/warns", spec.S_ACQ_21, nil, func(t *conformance.T) { t.Fail(spec.S_ACQ_21, "a close", "FIN", "none") }),
	fake("server/shutdown/lacks", spec.S_SHUT_01, []spec.Feature{spec.FeatureControl}, func(t *conformance.T) { t.Pass(spec.S_SHUT_01, "held") }),
}

func fake(id string, judges spec.ID, needs []spec.Feature, run func(*conformance.T)) conformance.Scenario {
	return conformance.Scenario{ID: id, Title: id, Method: "fake", Role: spec.RoleServer, Judges: []spec.ID{judges}, Needs: needs, Run: run}
}

func TestSelect(t *testing.T) {
	for _, row := range []struct{ expression, want string }{
		{"", "server/queue/passes server/token/fails server/acquire/warns server/shutdown/lacks"},
		{"queue", "server/queue/passes"},
		{"S-TOK-01 || SHOULD", "server/token/fails server/acquire/warns"},
		{"MUST && !control", "server/queue/passes server/token/fails"},
		{"client", ""},
	} {
		got, err := Select(fakes, row.expression)
		var ids []string
		for _, s := range got {
			ids = append(ids, s.ID)
		}
		if err != nil || strings.Join(ids, " ") != row.want {
			t.Errorf("%q selects %q, %v; want %q", row.expression, ids, err, row.want)
		}
	}
	if _, err := Select(fakes, "queue &&"); err == nil || strings.ContainsAny(err.Error(), "\x1b\n") {
		t.Errorf("a syntax error is %q; want one plain line", err)
	}
}

// TestRun: each scenario is a spec of the report, with its own state and times.
func TestRun(t *testing.T) {
	outcome, report := Run(t.Context(), conformance.Plan{
		Scenarios: fakes, Params: conformance.DefaultParams(), Regardless: true,
		Target: conformance.Target{Server: subject.Address("127.0.0.1:1")},
	})
	want := map[string]types.SpecState{
		"server/queue/passes": types.SpecStatePassed, "server/token/fails": types.SpecStateFailed,
		"server/acquire/warns": types.SpecStatePassed, "server/shutdown/lacks": types.SpecStateSkipped,
	}
	seen := 0
	for _, spec := range report.SpecReports {
		state, ours := want[spec.LeafNodeText]
		if !ours {
			continue
		}
		seen++
		result, _ := outcome.Find(spec.LeafNodeText)
		if spec.State != state || !spec.StartTime.Equal(result.Started) || spec.RunTime != result.Ended.Sub(result.Started) {
			t.Errorf("%s: %v from %v for %v; want %v from %v", spec.LeafNodeText, spec.State, spec.StartTime, spec.RunTime, state, result.Started)
		}
	}
	if seen != len(want) {
		t.Errorf("%d specs in the report; want %d", seen, len(want))
	}
}
