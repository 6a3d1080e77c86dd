package reports

import (
	"fmt"
	"io"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance"
)

// words is a standing on one line.
func (s standing) words() string {
	text := fmt.Sprintf("%d/%d scenarios", s.done, max(s.total, s.done))
	if s.bad > 0 {
		text += fmt.Sprintf(", %d did not pass", s.bad)
	}
	if s.known > 0 {
		text += fmt.Sprintf(", %d failed as known", s.known)
	}
	if s.void > 0 {
		text += fmt.Sprintf(", %d not decided", s.void)
	}
	if s.oldest != "" {
		text += fmt.Sprintf(", longest: %s (%v)", cleanLine(s.oldest), s.since.Truncate(time.Second))
	}
	return text
}

// worstOf returns the first judgement that weighs as much as the result, for somebody
// who knows of some failures, and whether it accuses anybody. Whether a known failure
// passes shows only when all of the run is there.
func worstOf(r conformance.Result, known Baseline) (Judgement, bool) {
	one := Result{Scenarios: []Scenario{{Verdict: r.Verdict}}}
	s := &one.Scenarios[0]
	for _, j := range r.Judgements {
		s.Requirements = append(s.Requirements, newJudgement(j, false))
	}
	one.admitFailures(known)
	if s.hasKnown() {
		s.spareConsequences()
		s.sumUp()
	}
	for _, j := range s.Requirements {
		if j.Verdict == s.Verdict {
			return j, accuses(s.Verdict)
		}
	}
	return Judgement{Verdict: s.Verdict}, accuses(s.Verdict)
}

// findingLine tells of a scenario that did not pass.
func findingLine(scenario string, j Judgement, color bool) string {
	text := painted(color, styleOf(j.Verdict), label(j.Verdict)) + " " + cleanLine(scenario)
	if j.ID != "" {
		text += " (" + cleanLine(string(j.ID)) + ")"
	}
	if seen := oneLine(j.Actual); seen != "" {
		text += ": " + cut(seen, shownOfLine)
	}
	return text
}

// output writes and keeps the first error.
type output struct {
	w   io.Writer
	err error
}

func (o *output) write(text string) {
	if o.err == nil {
		_, o.err = io.WriteString(o.w, text)
	}
}
