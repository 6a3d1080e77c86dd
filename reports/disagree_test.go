package reports

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/monolock-dev/monolock-conform/conformance"
)

// savedAndRead is a result as it comes back from its file.
func savedAndRead(t *testing.T, r Result) Result {
	t.Helper()
	var file bytes.Buffer
	if err := WriteJSON(&file, r); err != nil {
		t.Fatal(err)
	}
	read, err := ReadJSON(&file)
	if err != nil {
		t.Fatal(err)
	}
	return read
}

// TestResultsAgreeWithThemselves, of whatever run, once they were saved.
func TestResultsAgreeWithThemselves(t *testing.T) {
	for name, in := range runs() {
		if faults := savedAndRead(t, New(in)).Disagreements(true); len(faults) > 0 {
			t.Errorf("%s: %q", name, faults)
		}
	}
}

// TestChangedResultsDisagree: each statement that follows from the judgements is
// compared with them.
func TestChangedResultsDisagree(t *testing.T) {
	for _, row := range []struct {
		change  string
		edit    func(r *Result)
		details bool
		says    string
	}{
		{"the conclusion", func(r *Result) { r.Result = NotConformant }, false, "it says not-conformant"},
		{"completeness", func(r *Result) { r.Complete = !r.Complete }, false, "it says complete"},
		{"the counts", func(r *Result) { r.Counts[conformance.Pass]++ }, false, "counts of verdicts"},
		{"a verdict", func(r *Result) { r.Requirements[0].Verdict = conformance.Fail }, false, "says fail"},
		{"a judgement", func(r *Result) { r.Scenarios[0].Requirements[0].Verdict = conformance.Fail }, false, "its judgements say fail"},
		{"a level", func(r *Result) { r.Requirements[0].Level = "MAY" }, false, "is a MUST, and not a MAY"},
		{"the scenarios", func(r *Result) {
			i := slices.IndexFunc(r.Requirements, func(q Requirement) bool { return len(q.Scenarios) > 0 })
			r.Requirements[i].Scenarios = []string{"server/x"}
		}, false, "names other scenarios"},
		{"a detail", func(r *Result) { r.Requirements[0].Detail = "all is well" }, true, `says "all is well"`},
	} {
		r := savedAndRead(t, New(runs()["pass"]))
		row.edit(&r)
		if got := strings.Join(r.Disagreements(row.details), "\n"); !strings.Contains(got, row.says) {
			t.Errorf("%s was changed, and it says %q; want %q", row.change, got, row.says)
		}
	}
}
