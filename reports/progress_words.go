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
	if s.void > 0 {
		text += fmt.Sprintf(", %d not decided", s.void)
	}
	if s.oldest != "" {
		text += fmt.Sprintf(", longest: %s (%v)", cleanLine(s.oldest), s.since.Truncate(time.Second))
	}
	return text
}

// worstOf returns the first judgement that weighs as much as the result, and
// whether it accuses anybody.
func worstOf(r conformance.Result) (Judgement, bool) {
	for _, j := range r.Judgements {
		if j.Verdict == r.Verdict {
			return newJudgement(j, false), accuses(r.Verdict)
		}
	}
	return Judgement{Verdict: r.Verdict}, accuses(r.Verdict)
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
