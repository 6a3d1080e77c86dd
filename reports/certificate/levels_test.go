package certificate

import (
	"slices"
	"testing"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/reports"
)

// verdicts are those on a whole catalogue: pass, but for the changes and for what
// needs a feature that is not offered.
func verdicts(role spec.Role, offered []spec.Feature, changes map[spec.ID]conformance.Verdict) []Combined {
	var all []Combined
	for _, r := range spec.Of(role) {
		v := conformance.Pass
		if slices.ContainsFunc(r.Features, func(f spec.Feature) bool { return !offers(offered, f) }) {
			v = conformance.Unsupported
		}
		if changed, ok := changes[r.ID]; ok {
			v = changed
		}
		all = append(all, Combined{r.ID, r.Level, v})
	}
	return all
}

func TestLevels(t *testing.T) {
	type changes = map[spec.ID]conformance.Verdict
	for _, row := range []struct {
		name    string
		offered []spec.Feature
		changes changes
		want    []string
	}{
		{"nothing but core", nil, nil, []string{"core"}},
		{"control, though S-SHUT-02 needs ops, too", []spec.Feature{spec.FeatureControl}, nil, []string{"core", "control"}},
		{"a feature with a MUST that was not shown", []spec.Feature{spec.FeatureControl}, changes{spec.S_ROB_07: conformance.Unsupported}, []string{"core"}},
		{"a feature with a MUST that fails", []spec.Feature{spec.FeatureControl, spec.FeatureAdmin}, changes{spec.S_ADM_01: conformance.Fail}, []string{"core", "control"}},
		{"mutual TLS is TLS, too", []spec.Feature{spec.FeatureMTLS}, nil, []string{"core", "tls", "mtls"}},
		{"a MUST without a feature", []spec.Feature{spec.FeatureControl}, changes{spec.S_Q_02: conformance.Warn}, []string{"control"}},
		{"passed, but not offered", nil, changes{spec.S_TOK_05: conformance.Pass}, []string{"core"}},
	} {
		if got := Levels(spec.RoleServer, verdicts(spec.RoleServer, row.offered, row.changes), row.offered); !slices.Equal(got, row.want) {
			t.Errorf("%s: %q, want %q", row.name, got, row.want)
		}
	}
	if got := Levels(spec.RoleServer, nil, []spec.Feature{spec.FeatureControl}); len(got) > 0 {
		t.Errorf("without verdicts: %q", got)
	}
}

// TestAFeatureOfNothingButAdvice needs one that passed.
func TestAFeatureOfNothingButAdvice(t *testing.T) {
	offered := []spec.Feature{spec.FeatureCancel}
	warned := map[spec.ID]conformance.Verdict{spec.C_CAN_01: conformance.Warn, spec.C_CAN_02: conformance.Warn}
	if got := Levels(spec.RoleClient, verdicts(spec.RoleClient, offered, warned), offered); !slices.Equal(got, []string{"core"}) {
		t.Errorf("%q", got)
	}
}

func TestCombine(t *testing.T) {
	const pass, fail, warn = conformance.Pass, conformance.Fail, conformance.Warn
	for _, row := range []struct {
		given []conformance.Verdict
		want  conformance.Verdict
	}{
		{[]conformance.Verdict{pass, pass, pass}, pass},
		{[]conformance.Verdict{pass, warn, pass}, warn},
		{[]conformance.Verdict{pass, fail, pass}, conformance.Flaky},
		{[]conformance.Verdict{fail, fail, fail}, fail},
		{[]conformance.Verdict{pass, conformance.Unsupported, pass}, conformance.Unsupported},
		{[]conformance.Verdict{pass, "", pass}, conformance.Inconclusive}, // not listed
	} {
		got := Combine(oneRequirement(row.given))
		if len(got) != 1 || got[0].Verdict != row.want {
			t.Errorf("%q: %+v, want %s", row.given, got, row.want)
		}
	}
}

// oneRequirement are runs that list S-Q-02 with these verdicts; "" lists nothing.
func oneRequirement(verdicts []conformance.Verdict) []reports.Result {
	var runs []reports.Result
	for _, v := range verdicts {
		r := reports.Result{}
		if v != "" {
			r.Requirements = []reports.Requirement{{ID: spec.S_Q_02, Level: spec.LevelMust, Verdict: v}}
		}
		runs = append(runs, r)
	}
	return runs
}
