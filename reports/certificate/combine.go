package certificate

import (
	"slices"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/reports"
)

// Runs is how many runs a certificate rests on.
const Runs = 3

// Combined is the verdict of all runs on one requirement.
type Combined struct {
	ID      spec.ID
	Level   spec.Level
	Verdict conformance.Verdict
}

// Combine takes the worst verdict of each requirement. What failed in one run and
// passed in another is flaky. What a run does not list is inconclusive.
func Combine(runs []reports.Result) []Combined {
	var all []Combined
	for _, q := range listed(runs) {
		c := Combined{ID: q.ID, Level: q.Level}
		failed, passed := false, false
		for _, r := range runs {
			v := verdictIn(r, q.ID)
			failed, passed = failed || v == conformance.Fail, passed || v == conformance.Pass
			c.Verdict = conformance.Worst(c.Verdict, v)
		}
		if failed && passed {
			c.Verdict = conformance.Flaky
		}
		all = append(all, c)
	}
	return all
}

// listed is each requirement that any run lists, in the order of the first that does.
func listed(runs []reports.Result) []reports.Requirement {
	var all []reports.Requirement
	for _, r := range runs {
		for _, q := range r.Requirements {
			if !slices.ContainsFunc(all, func(other reports.Requirement) bool { return other.ID == q.ID }) {
				all = append(all, q)
			}
		}
	}
	return all
}

func verdictIn(r reports.Result, id spec.ID) conformance.Verdict {
	verdict := conformance.Verdict("")
	for _, q := range r.Requirements {
		if q.ID == id {
			verdict = conformance.Worst(verdict, q.Verdict)
		}
	}
	if verdict == "" {
		return conformance.Inconclusive
	}
	return verdict
}

// with lists the requirements with a verdict.
func with(all []Combined, v conformance.Verdict) []string {
	ids := []string{}
	for _, c := range all {
		if c.Verdict == v {
			ids = append(ids, string(c.ID))
		}
	}
	return ids
}
