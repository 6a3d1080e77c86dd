package reports

import (
	"fmt"
	"reflect"
	"slices"
)

// Disagreements says where a result states something else than its own judgements
// come to, a sentence each. A result of this suite's catalogue that nobody changed has
// none. With details the words of each requirement are compared, too; they may change
// from one version of the suite to the next.
func (r Result) Disagreements(details bool) []string {
	var faults []string
	fault := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	again := r
	Judge(&again)
	if again.Result != r.Result {
		fault("it says %s, and its judgements come to %s", r.Result, again.Result)
	}
	if again.Complete != r.Complete {
		fault("it says complete: %v, and it is %v", r.Complete, again.Complete)
	}
	if !reflect.DeepEqual(again.Counts, r.Counts) {
		fault("its counts of verdicts are not those of its judgements")
	}
	for _, want := range again.Requirements {
		for _, q := range r.Requirements {
			if q.ID != want.ID {
				continue
			}
			if text := q.disagreement(want, details); text != "" {
				faults = append(faults, text)
			}
		}
	}
	return faults
}

// disagreement says how a requirement's line differs from what its judgements come to.
func (q Requirement) disagreement(want Requirement, details bool) string {
	switch {
	case q.Verdict != want.Verdict:
		return fmt.Sprintf("requirement %s says %s, and its judgements say %s", q.ID, q.Verdict, want.Verdict)
	case q.Level != want.Level:
		return fmt.Sprintf("requirement %s is a %s, and not a %s", q.ID, want.Level, q.Level)
	case !slices.Equal(q.Scenarios, want.Scenarios):
		return fmt.Sprintf("requirement %s names other scenarios than those that judge it", q.ID)
	case details && q.Detail != want.Detail:
		return fmt.Sprintf("requirement %s says %q, and its judgements say %q", q.ID, q.Detail, want.Detail)
	}
	return ""
}
