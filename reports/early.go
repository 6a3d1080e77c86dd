package reports

import (
	"slices"
	"strings"

	"github.com/monolock-dev/monolock-conform/conformance"
)

// EndedEarly says why the run ended before its end, or did not begin: the subject
// never answered, it went away, or somebody interrupted. It is "" for a run that
// came to its end.
func (r Result) EndedEarly() string {
	for _, s := range r.Scenarios {
		for _, j := range s.Requirements {
			if why, found := undecidedBy(j); found {
				return why
			}
		}
	}
	return ""
}

// endingTitle is the head of what [Result.EndedEarly] says.
func (r Result) endingTitle() string {
	if !r.began() {
		return "The run did not begin"
	}
	return "The run ended early"
}

// undecidedBy returns what kept a judgement from being made, where that was the
// end of the run.
func undecidedBy(j Judgement) (string, bool) {
	for verdict, beginning := range map[conformance.Verdict]string{
		conformance.Inconclusive: notDecided, conformance.Error: noSubject,
	} {
		if why, found := strings.CutPrefix(j.Actual, beginning); found && j.Verdict == verdict {
			return why, true
		}
	}
	return "", false
}

// began reports whether any scenario was tried.
func (r Result) began() bool {
	return slices.ContainsFunc(r.Scenarios, func(s Scenario) bool { return s.Attempts > 0 })
}

// undecidedByEnd counts the requirements that have no verdict for the early end.
func (r Result) undecidedByEnd() int {
	n := 0
	for _, q := range r.Requirements {
		if strings.HasPrefix(q.Detail, notDecided) || strings.HasPrefix(q.Detail, noSubject) {
			n++
		}
	}
	return n
}
