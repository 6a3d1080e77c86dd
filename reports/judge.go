package reports

import (
	"slices"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/spec"
)

// Judge fills in what follows from the rest of a result: the verdict on every
// requirement of the subject's role, Counts, Result and Complete. It reads the
// scenarios, the features and --strict, and nothing of what it writes, so that
// anybody can judge a saved file again.
//
// Of several judgements the worst counts ([conformance.Worst]), whichever
// scenario it stands in. What the user left out counts only where nothing else
// judges the requirement.
func Judge(r *Result) {
	r.Requirements = []Requirement{}
	r.Counts = map[conformance.Verdict]int{}
	for _, v := range conformance.Verdicts() {
		r.Counts[v] = 0
	}
	said := judgementsByRequirement(r.Scenarios)
	for _, requirement := range spec.Of(r.Subject.Role) {
		verdict := judgeOne(*r, requirement, said[requirement.ID])
		r.Requirements = append(r.Requirements, verdict)
		r.Counts[verdict.Verdict]++
	}
	r.Result = conclude(r.Requirements)
	r.Complete = isComplete(*r)
}

// said is a judgement and the scenario that it comes from.
type said struct {
	Judgement
	scenario string
}

func judgementsByRequirement(scenarios []Scenario) map[spec.ID][]said {
	all := map[spec.ID][]said{}
	for _, s := range scenarios {
		for _, j := range s.Requirements {
			all[j.ID] = append(all[j.ID], said{j, s.ID})
		}
	}
	return all
}

// judgeOne sums up what was said of one requirement.
func judgeOne(r Result, requirement spec.Requirement, all []said) Requirement {
	verdict := Requirement{ID: requirement.ID, Level: requirement.Level, Scenarios: []string{}}
	if ran := slices.DeleteFunc(slices.Clone(all), isExcluded); len(ran) > 0 {
		all = ran
	}
	for i := range all {
		if r.Filters.Strict && all[i].Verdict == conformance.Warn {
			all[i].Verdict = conformance.Fail
		}
		verdict.Verdict = conformance.Worst(verdict.Verdict, all[i].Verdict)
		if !slices.Contains(verdict.Scenarios, all[i].scenario) {
			verdict.Scenarios = append(verdict.Scenarios, all[i].scenario)
		}
	}
	if verdict.Verdict == "" {
		verdict.Verdict, verdict.Detail = unjudged(r.Features.Offered, requirement)
		return verdict
	}
	verdict.Detail = detail(verdict.Verdict, all)
	return verdict
}

func isExcluded(s said) bool { return s.Verdict == conformance.Excluded }

const noScenario = "no scenario of this run is about it"

// unjudged is the verdict on a requirement that no scenario is about. Where the subject offers all that it needs, that is no excuse.
func unjudged(offered []spec.Feature, requirement spec.Requirement) (conformance.Verdict, string) {
	for _, f := range requirement.Features {
		if !offers(offered, f) {
			return conformance.Unsupported, "needs the feature " + string(f) + ", which this run does not offer"
		}
	}
	return conformance.Inconclusive, noScenario
}

// conclude is the conclusion from all verdicts. Where nothing was examined, there
// is none. That a fact which the documents leave open stayed open decides nothing.
func conclude(requirements []Requirement) Conclusion {
	examined, open := false, false
	for _, q := range requirements {
		switch q.Verdict {
		case conformance.Fail, conformance.UnexpectedPass:
			return NotConformant
		case conformance.Error:
			open = true
		case conformance.Flaky, conformance.Inconclusive:
			open = open || q.Level != spec.LevelObserve
		case conformance.Unsupported, conformance.Excluded:
		default:
			examined = true
		}
	}
	if open || !examined {
		return Undecided
	}
	return Conformant
}

// isComplete reports whether all scenarios of the role had their say, and no
// requirement is hidden behind a known failure. A capture shows a part of what a run
// tests.
func isComplete(r Result) bool {
	if r.ofCapture() {
		return false
	}
	for _, s := range r.Scenarios {
		if s.Verdict == conformance.Excluded {
			return false
		}
	}
	return len(r.Scenarios) > 0 && r.EndedEarly() == "" && r.Counts[conformance.Excluded] == 0
}
