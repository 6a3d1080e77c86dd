package reports

import (
	"strings"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/spec"
)

// Words is the conclusion in one line for people, and what to do next where the
// run decided nothing.
func (r Result) Words() string {
	switch r.Result {
	case Conformant:
		return r.conformantWords()
	case NotConformant:
		return "not conformant: " + r.brokenWords()
	}
	return "undecided: " + r.undecidedWords()
}

func (r Result) conformantWords() string {
	words := []string{"conformant"}
	if !r.Complete {
		words[0] += " in what ran (" + r.leftOutWords() + ")"
	}
	if n := r.Counts[conformance.KnownFail]; n > 0 {
		words = append(words, counted(n, "known failure", "known failures"))
	}
	if n := r.Counts[conformance.Warn]; n > 0 {
		words = append(words, counted(n, "SHOULD requirement does not hold", "SHOULD requirements do not hold"))
	}
	return strings.Join(words, "; ")
}

// leftOutWords counts what had no verdict since it was not run.
func (r Result) leftOutWords() string {
	if r.ofCapture() {
		return r.traceLeftOut()
	}
	requirements := r.Counts[conformance.Excluded] + r.undecidedByEnd()
	if requirements > 0 {
		return counted(requirements, "requirement was", "requirements were") + " left out"
	}
	scenarios := 0
	for _, s := range r.Scenarios {
		if s.Verdict == conformance.Excluded {
			scenarios++
		}
	}
	return counted(scenarios, "scenario was", "scenarios were") + " left out"
}

func (r Result) brokenWords() string {
	var words []string
	for _, level := range []spec.Level{spec.LevelMust, spec.LevelShould, spec.LevelObserve} {
		if n := r.count(conformance.Fail, level); n > 0 {
			words = append(words, counted(n, string(level)+" requirement does not hold", string(level)+" requirements do not hold"))
		}
	}
	if n := r.Counts[conformance.UnexpectedPass]; n > 0 {
		words = append(words, counted(n, "known failure", "known failures")+" passed, to be taken out of the baseline")
	}
	if n := r.undecidedByEnd(); n > 0 {
		words = append(words, "the run ended early, and "+counted(n, "requirement is", "requirements are")+" open")
	}
	return strings.Join(words, "; ")
}

func (r Result) undecidedWords() string {
	open := r.Counts[conformance.Error] + r.Counts[conformance.Flaky] + r.Counts[conformance.Inconclusive]
	requirements := counted(open, "requirement is", "requirements are") + " open"
	switch {
	case r.ofCapture() && open > 0:
		return requirements + "; the report says what the capture leaves in doubt"
	case r.ofCapture():
		return "nothing in the capture can be judged for this role"
	case r.EndedEarly() != "" && !r.began():
		return "the run did not begin, and nothing was tested; the report says what was seen"
	case !r.began():
		return "nothing was tested; select scenarios that the features of this run allow"
	case r.EndedEarly() != "":
		return "the run ended early, and " + requirements + "; run it again once the cause is mended"
	case r.Counts[conformance.Error] > 0:
		return requirements + "; the errors are those of the suite or its surroundings: mend them and run again"
	case r.Counts[conformance.Flaky] > 0:
		return requirements + "; something comes and goes: run the command of the finding with --repeat 20"
	case open > 0:
		return requirements + "; the report says why: a quieter machine or a longer --lease often helps"
	}
	return "nothing was tested; select scenarios that the features of this run allow"
}

// count counts the requirements of a level with a verdict.
func (r Result) count(v conformance.Verdict, level spec.Level) int {
	n := 0
	for _, q := range r.Requirements {
		if q.Verdict == v && q.Level == level {
			n++
		}
	}
	return n
}
