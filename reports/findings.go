package reports

import (
	"cmp"
	"slices"
	"strings"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/spec"
)

// shownInFull is how often one requirement's finding is shown with its evidence;
// further scenarios are listed.
const shownInFull = 3

// finding is a requirement with what accuses it.
type finding struct {
	Requirement
	places []place
}

// place is one scenario that shows a finding.
type place struct {
	Judgement
	scenario Scenario
}

// consequence reports whether the place only says that something before it ended
// the scenario.
func (p place) consequence() bool { return strings.HasPrefix(p.Actual, notReached) }

// collectFindings returns all findings, the gravest first, then in the order of
// the catalogue. What was left undecided by the end of the run is not among them.
func collectFindings(r Result) []finding {
	var findings []finding
	for _, q := range r.Requirements {
		if !accuses(q.Verdict) {
			continue
		}
		if f := (finding{q, placesOf(r, q.ID)}); len(f.places) > 0 || len(q.Scenarios) == 0 {
			findings = append(findings, f)
		}
	}
	slices.SortStableFunc(findings, func(a, b finding) int { return gravity(a.Verdict, b.Verdict) })
	return findings
}

func placesOf(r Result, id spec.ID) []place {
	var places []place
	for _, s := range r.Scenarios {
		j, found := judgementOf(s, id)
		if _, open := undecidedBy(j); found && !open && accuses(j.Verdict) {
			places = append(places, place{j, s})
		}
	}
	slices.SortStableFunc(places, func(a, b place) int { return gravity(a.Verdict, b.Verdict) })
	return places
}

// gravity compares verdicts, the gravest first.
func gravity(a, b conformance.Verdict) int {
	all := conformance.Verdicts()
	return cmp.Compare(slices.Index(all, a), slices.Index(all, b))
}

// findings writes all findings. Those without evidence of their own are listed.
func (p *page) findings(r Result) {
	var without []finding
	for _, f := range collectFindings(r) {
		if !slices.ContainsFunc(f.places, func(at place) bool { return !at.consequence() }) {
			without = append(without, f)
			continue
		}
		p.finding(r, f)
		p.line("")
	}
	p.withoutEvidence(without)
}

// withoutEvidence lists what was not reached, and names together what no scenario
// is about.
func (p *page) withoutEvidence(findings []finding) {
	if len(findings) == 0 {
		return
	}
	p.section("Not judged")
	var bare []string
	for _, f := range findings {
		if len(f.places) == 0 {
			bare = append(bare, string(f.ID))
			continue
		}
		at := f.places[0]
		p.line("  %-9s %s (%s): %s: %s", cleanLine(string(f.ID)), cleanLine(string(f.Verdict)), cleanLine(string(f.Level)), cleanLine(at.scenario.ID), oneLine(at.Actual))
	}
	if len(bare) > 0 {
		p.wrapped("  ", noScenario+": "+strings.Join(bare, ", "), 2)
	}
	p.line("")
}

func (p *page) finding(r Result, f finding) {
	requirement, _ := spec.Get(f.ID)
	head := p.paint(styleOf(f.Verdict), label(f.Verdict)) + "  " + p.paint(bold, cleanLine(string(f.ID))) + " (" + cleanLine(string(f.Level)) + ")"
	p.line("%s", head)
	p.wrapped("  ", sentenceOf(f.ID), 2)
	p.field("source", sources(requirement))
	p.field("known", f.reason())
	full, listed := min(len(f.places), shownInFull), "also"
	if f.Verdict == conformance.KnownFail || f.Verdict == conformance.UnexpectedPass {
		full, listed = 0, "in" // no news, and nothing to see
	}
	for i, at := range f.places {
		if i < full && !at.consequence() {
			p.place(r, at, f.Verdict)
			continue
		}
		if i == full && full > 0 {
			p.line("")
		}
		p.listed(listed, at, f.Verdict)
	}
}

// reason is why the baseline lists the requirement, or "".
func (f finding) reason() string {
	for _, at := range f.places {
		if reason := at.knownReason(); reason != "" {
			return reason
		}
	}
	return ""
}

// label is a verdict as it stands before a finding.
func label(v conformance.Verdict) string {
	return cleanLine(strings.ToUpper(strings.ReplaceAll(string(v), "-", " ")))
}

// sources lists the pages that state a requirement.
func sources(requirement spec.Requirement) string {
	names := make([]string, len(requirement.Sources))
	for i, source := range requirement.Sources {
		names[i] = source.String()
	}
	return strings.Join(names, "; ")
}

// listed lists a place on one line. Summed is the requirement's verdict.
func (p *page) listed(name string, at place, summed conformance.Verdict) {
	text := cleanLine(at.scenario.ID)
	if at.Verdict != summed {
		text += ", " + string(at.Verdict)
	}
	if seen := oneLine(at.Actual); seen != "" {
		text += ": " + seen
	}
	p.field(name, text)
}

// place shows one scenario's evidence. Summed is the requirement's verdict.
func (p *page) place(r Result, at place, summed conformance.Verdict) {
	p.line("")
	p.field("scenario", cleanLine(joined(at.scenario.ID, at.scenario.Title)))
	if at.Verdict != summed {
		p.field("verdict", string(at.Verdict))
	}
	name, expected := splitCase(at.Expected)
	p.field("case", cleanLine(name))
	p.field("expected", expected)
	p.field("actual", at.Actual)
	if at.MeasuredMS > 0 {
		p.field("measured", millisText(at.MeasuredMS))
	}
	p.evidence(at)
	p.field("repeat", cleanLine(RepeatCommand(r.Run, at.scenario.ID)))
}
