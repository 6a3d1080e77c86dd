package conformance

import (
	"fmt"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/spec"
)

// JudgeInstant judges when something of who came that the scenario has in hand.
func (t *T) JudgeInstant(who string, id spec.ID, why, expected string, at time.Time, w Window) bool {
	return t.judgeInstant(who, id, why, expected, at, t.eventOf(who, at), w)
}

// judgeInstant judges when something came. Too early is certain: clocks start when
// the suite sent, which is before anybody saw it. Too late by less than the suite's
// own delay is a doubt.
func (t *T) judgeInstant(who string, id spec.ID, why, expected string, at time.Time, event int, w Window) bool {
	took := at.Sub(w.From)
	w.By = w.By.Add(t.params.Patience)
	j := Judgement{ID: id, Verdict: failed(id), Sentence: why, Actual: who + ": after " + span(took), Measured: took, Timed: true, Event: event}
	switch {
	case !w.Reveals.IsZero() && !w.By.Before(w.Reveals):
		t.Unclear(id, why, fmt.Sprintf("the tolerance reaches to %s, where a wrong one would act as well; a longer --lease helps", span(w.By.Sub(w.From))))
		return false
	case !w.NotBefore.IsZero() && at.Before(w.NotBefore):
		t.limit("not before: "+t.ofCase(why), w.NotBefore)
		j.Expected = fmt.Sprintf("%s not before %s", expected, span(w.NotBefore.Sub(w.From)))
	case at.After(w.By):
		t.limit(t.ofCase(why), w.By)
		j.Timing = true
		j.Expected = fmt.Sprintf("%s within %s", expected, span(w.By.Sub(w.From)))
		if at.Sub(w.By) <= t.Lateness(w.From) {
			j.Verdict, j.Doubt = Inconclusive, true
		}
	default:
		t.PassAfter(id, why, took)
		return true
	}
	t.judge(j)
	return false
}
