package certificate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/reports"
)

// inspection looks into one result.
type inspection struct {
	r      reports.Result
	suite  Suite
	faults []string
}

// inspect returns all that is wrong with a result by itself.
func (v *verification) inspect(r reports.Result) []string {
	i := &inspection{r: r, suite: v.suite}
	i.faults = append(i.faults, RunReasons(r)...)
	i.scenarios()
	if r.Suite.CatalogueVersion == v.suite.CatalogueVersion {
		i.completeness()
		i.rejudge()
	} else {
		i.rejudgeListed()
	}
	return i.faults
}

func (i *inspection) fault(format string, args ...any) {
	i.faults = append(i.faults, fmt.Sprintf(format, args...))
}

// ours reports whether this very suite made the result, so that its scenarios and
// words must be the same.
func (i *inspection) ours() bool { return i.r.Suite.Version == i.suite.Version }

// scenarios checks each scenario against itself.
func (i *inspection) scenarios() {
	seen := map[string]bool{}
	for _, s := range i.r.Scenarios {
		if seen[s.ID] {
			i.fault("the scenario %s occurs twice", s.ID)
		}
		seen[s.ID] = true
		if !strings.HasPrefix(s.ID, string(i.r.Subject.Role)+"/") {
			i.fault("the scenario %s is of another role than %s", s.ID, i.r.Subject.Role)
		}
		if worst := worstOf(s); s.Verdict != worst {
			i.fault("the scenario %s says %s, and its judgements say %s", s.ID, s.Verdict, worst)
		}
		if fault := evidence(s); fault != "" {
			i.fault("the scenario %s says %s, and %s", s.ID, s.Verdict, fault)
		}
	}
}

func worstOf(s reports.Scenario) conformance.Verdict {
	worst := conformance.Verdict("")
	for _, j := range s.Requirements {
		worst = conformance.Worst(worst, j.Verdict)
	}
	return worst
}

// evidence says how a scenario's own evidence speaks against its judgements.
func evidence(s reports.Scenario) string {
	if s.Verdict == conformance.Pass || s.Verdict == conformance.Observed {
		if s.Attempts < 1 {
			return "it was never tried"
		}
		if len(s.Timeline) == 0 {
			return "nothing happened in it"
		}
	}
	for _, e := range s.Timeline {
		id, verdict, found := finding(e)
		if j := judgementOn(s, id); found && conformance.Worst(verdict, j) != j {
			return fmt.Sprintf("its timeline shows %q", e.Frame)
		}
	}
	return ""
}

// finding takes apart the entry that a timeline has behind the event that shows a
// finding: "S-Q-02 fail: the sentence".
func finding(e reports.Event) (id spec.ID, v conformance.Verdict, found bool) {
	if e.Who != "verdict" {
		return "", "", false
	}
	head, _, _ := strings.Cut(e.Frame, ":")
	first, second, found := strings.Cut(head, " ")
	return spec.ID(first), conformance.Verdict(second), found && slices.Contains(conformance.Verdicts(), conformance.Verdict(second))
}

func judgementOn(s reports.Scenario, id spec.ID) conformance.Verdict {
	worst := conformance.Verdict("")
	for _, j := range s.Requirements {
		if j.ID == id {
			worst = conformance.Worst(worst, j.Verdict)
		}
	}
	return worst
}

// completeness compares the result with the catalogue and with the registry.
func (i *inspection) completeness() {
	var listed, wanted []spec.ID
	for _, q := range i.r.Requirements {
		listed = append(listed, q.ID)
	}
	for _, r := range spec.Of(i.r.Subject.Role) {
		wanted = append(wanted, r.ID)
	}
	sets(i, "requirement", "requirements", "the catalogue", listed, wanted)
	if !i.ours() {
		return
	}
	var ran, known []string
	for _, s := range i.r.Scenarios {
		ran = append(ran, s.ID)
	}
	plan := i.suite.Scenarios(i.r.Subject.Role)
	for _, s := range plan {
		known = append(known, s.ID)
	}
	sets(i, "scenario", "scenarios", "the suite", ran, known)
	for _, s := range i.r.Scenarios {
		if at := slices.IndexFunc(plan, func(p conformance.Scenario) bool { return p.ID == s.ID }); at >= 0 {
			i.judged(s, plan[at])
		}
	}
}

// sets says what is missing of what there must be, what is too much, and what
// occurs twice.
func sets[T ~string](i *inspection, one, many, of string, got, want []T) {
	missing := slices.DeleteFunc(slices.Clone(want), func(id T) bool { return slices.Contains(got, id) })
	foreign := slices.DeleteFunc(slices.Clone(got), func(id T) bool { return slices.Contains(want, id) })
	if len(missing) > 0 {
		i.fault("it lacks %s of %s: %s", counted(len(missing), one, many), of, some(missing))
	}
	if len(foreign) > 0 {
		i.fault("it has %s that %s does not know: %s", counted(len(foreign), one, many), of, some(foreign))
	}
	if sorted := slices.Sorted(slices.Values(got)); len(slices.Compact(slices.Clone(sorted))) < len(sorted) {
		i.fault("it lists some of its %s twice", many)
	}
}

// judged checks that a scenario says something of each requirement that it is
// about, and is what it was.
func (i *inspection) judged(s reports.Scenario, planned conformance.Scenario) {
	silent := slices.DeleteFunc(slices.Clone(planned.Judges), func(id spec.ID) bool { return judgementOn(s, id) != "" })
	if len(silent) > 0 {
		i.fault("the scenario %s judges %s, and the result says nothing of it", s.ID, some(silent))
	}
	if s.Title != planned.Title {
		i.fault("the scenario %s has another title than the suite's", s.ID)
	}
}

// rejudge judges the scenarios again and compares.
func (i *inspection) rejudge() {
	i.faults = append(i.faults, i.r.Disagreements(i.ours())...)
	declined := slices.DeleteFunc(featuresOf(i.r.Subject.Role), func(f spec.Feature) bool { return offers(i.r.Features.Offered, f) })
	if !sameSet(declined, i.r.Features.Declined) {
		i.fault("it says that it declines %v, and by what it offers it declines %v", i.r.Features.Declined, declined)
	}
}

// rejudgeListed compares what a result of another catalogue lists with its own
// judgements: what it should list is not known any more.
func (i *inspection) rejudgeListed() {
	for _, q := range i.r.Requirements {
		worst := conformance.Verdict("")
		for _, s := range i.r.Scenarios {
			worst = conformance.Worst(worst, judgementOn(s, q.ID))
		}
		if worst == "" && (q.Verdict == conformance.Unsupported || q.Verdict == conformance.Inconclusive) {
			continue
		}
		if worst != q.Verdict {
			i.fault("requirement %s says %s, and its judgements say %s", q.ID, q.Verdict, or(worst, "nothing"))
		}
	}
}

func or(v conformance.Verdict, otherwise string) string {
	if v == "" {
		return otherwise
	}
	return string(v)
}

func sameSet[T ~string](a, b []T) bool {
	return slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}

func suiteText(s reports.Suite) string {
	return fmt.Sprintf("monolock-conform %s, commit %s, catalogue %d %s", s.Version, s.Commit, s.CatalogueVersion, s.Catalogue)
}
