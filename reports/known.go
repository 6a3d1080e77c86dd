package reports

import (
	"slices"
	"strings"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/monitor"
	"github.com/monolock-dev/monolock-conform/conformance/spec"
)

// knownMark begins the last line of what a judgement expected, where a baseline
// lists its requirement. So a saved file knows of the baseline, and of its reasons.
const knownMark = "known failure: "

// knownReason is why a baseline lists the judgement's requirement, or "".
func (j Judgement) knownReason() string {
	switch j.Verdict {
	case conformance.KnownFail, conformance.UnexpectedPass, conformance.Pass, conformance.Observed:
	default:
		return "" // the line may be a subject's
	}
	last := j.Expected[strings.LastIndexByte(j.Expected, '\n')+1:]
	reason, marked := strings.CutPrefix(last, knownMark)
	if !marked {
		return ""
	}
	return reason
}

// expectKnown notes the baseline's reason in what a judgement expected.
func (j *Judgement) expectKnown(reason string) {
	if j.Expected != "" {
		j.Expected += "\n"
	}
	j.Expected += knownMark + reason
}

// admitFailures makes known failures of what does not hold.
func (r *Result) admitFailures(reasons Baseline) {
	r.eachJudgement(func(j *Judgement) {
		reason, listed := reasons[j.ID]
		if listed && (j.Verdict == conformance.Fail || j.Verdict == conformance.Warn) {
			j.Verdict = conformance.KnownFail
			j.expectKnown(reason)
		}
	})
}

// admitDoubts makes known failures of what could not be told of a requirement that
// fails as known in another scenario: as a fail, it would have counted there, too.
func (r *Result) admitDoubts(reasons Baseline) {
	fails := map[spec.ID]bool{}
	r.eachJudgement(func(j *Judgement) { fails[j.ID] = fails[j.ID] || j.Verdict == conformance.KnownFail })
	r.eachJudgement(func(j *Judgement) {
		reason, listed := reasons[j.ID]
		if !listed || !fails[j.ID] || j.Verdict != conformance.Inconclusive && j.Verdict != conformance.Flaky {
			return
		}
		if _, open := undecidedBy(*j); !open && !strings.HasPrefix(j.Actual, notReached) {
			j.Verdict = conformance.KnownFail
			j.expectKnown(reason)
		}
	})
}

func (r *Result) eachJudgement(visit func(*Judgement)) {
	for i := range r.Scenarios {
		for k := range r.Scenarios[i].Requirements {
			visit(&r.Scenarios[i].Requirements[k])
		}
	}
}

// know changes the judgements to what they are for somebody who knows of failures.
func (r *Result) know(reasons Baseline) {
	r.admitFailures(reasons)
	r.admitDoubts(reasons)
	for i := range r.Scenarios {
		if s := &r.Scenarios[i]; s.hasKnown() {
			s.spareConsequences()
			s.sumUp()
		}
	}
	r.passUnexpectedly(reasons)
}

func (s *Scenario) hasKnown() bool {
	return slices.ContainsFunc(s.Requirements, func(j Judgement) bool { return j.Verdict == conformance.KnownFail })
}

// spareConsequences leaves out what a scenario did not reach, where nothing but
// known failures stood in the way. Else a known failure would keep every run
// undecided.
func (s *Scenario) spareConsequences() {
	var causes []string
	for _, j := range s.Requirements {
		switch j.Verdict {
		case conformance.KnownFail:
			causes = append(causes, string(j.ID))
		case conformance.Fail, conformance.Error, conformance.Flaky:
			return
		case conformance.Inconclusive:
			if !strings.HasPrefix(j.Actual, notReached) {
				return
			}
		}
	}
	for i := range s.Requirements {
		if j := &s.Requirements[i]; j.Verdict == conformance.Inconclusive {
			j.Verdict = conformance.Excluded
			j.Actual = notReached + "the known failure of " + strings.Join(causes, ", ") + " ended the scenario"
		}
	}
}

// passUnexpectedly finds the requirements of which a baseline says that they fail,
// and which held. Where it may still fail in what was left out, the judgements are
// only marked, so that [Merge] can tell.
func (r *Result) passUnexpectedly(reasons Baseline) {
	for id, reason := range reasons {
		if !r.heldEverywhere(id) {
			r.unmark(id) // it fails as known in another part
			continue
		}
		certain := r.nothingLeftOutAbout(id)
		for i := range r.Scenarios {
			r.Scenarios[i].heldThoughKnown(id, reason, certain)
		}
	}
}

// unmark takes the baseline's reason off the judgements that a requirement holds.
func (r *Result) unmark(id spec.ID) {
	r.eachJudgement(func(j *Judgement) {
		if j.ID == id && (j.Verdict == conformance.Pass || j.Verdict == conformance.Observed) && j.knownReason() != "" {
			j.Expected = ""
		}
	})
}

// heldEverywhere reports whether all that was said of a requirement is that it holds.
func (r *Result) heldEverywhere(id spec.ID) bool {
	worst := conformance.Verdict("")
	for _, s := range r.Scenarios {
		for _, j := range s.Requirements {
			if j.ID == id && j.Verdict != conformance.Excluded {
				worst = conformance.Worst(worst, j.Verdict)
			}
		}
	}
	return worst == conformance.Pass || worst == conformance.Observed
}

// nothingLeftOutAbout reports whether every scenario that could show the failure of
// a requirement had its say. A monitor finds it in any of them, and the other parts
// of a run that was split know more.
func (r *Result) nothingLeftOutAbout(id spec.ID) bool {
	if r.Filters.Shard != "" || r.EndedEarly() != "" {
		return false
	}
	isWatched := watched(id)
	for _, s := range r.Scenarios {
		if isWatched && s.Verdict == conformance.Excluded {
			return false
		}
		for _, j := range s.Requirements {
			if j.ID == id && j.Verdict == conformance.Excluded {
				return false
			}
		}
	}
	return true
}

// watched reports whether a monitor judges the requirement.
func watched(id spec.ID) bool {
	return slices.ContainsFunc(slices.Concat(monitor.Server(nil), monitor.Client(nil)), func(f monitor.Finding) bool { return f.ID == id })
}

func (s *Scenario) heldThoughKnown(id spec.ID, reason string, certain bool) {
	for i := range s.Requirements {
		j := &s.Requirements[i]
		if j.ID != id || j.Verdict == conformance.Excluded {
			continue
		}
		if j.knownReason() == "" {
			j.expectKnown(reason)
		}
		if certain {
			j.Verdict, j.Actual = conformance.UnexpectedPass, "it holds: take "+string(id)+" out of the baseline"
		}
	}
	s.sumUp()
}

// sumUp makes the scenario's verdict the worst of what it says.
func (s *Scenario) sumUp() {
	s.Verdict = ""
	for _, j := range s.Requirements {
		s.Verdict = conformance.Worst(s.Verdict, j.Verdict)
	}
}
