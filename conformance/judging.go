package conformance

import (
	"slices"
	"strings"
	"time"

	"github.com/onsi/gomega"
	"github.com/onsi/gomega/types"

	"github.com/monolock-dev/monolock-conform/conformance/spec"
)

// Pass records that a requirement held here.
func (t *T) Pass(id spec.ID, sentence string) {
	t.record(Judgement{ID: id, Verdict: Pass, Sentence: sentence, Event: -1})
}

// PassAfter records that a requirement held, with the time that was judged.
func (t *T) PassAfter(id spec.ID, sentence string, measured time.Duration) {
	t.record(Judgement{ID: id, Verdict: Pass, Sentence: sentence, Event: -1, Measured: measured, Timed: true})
}

// Fail records that a requirement does not hold. For a MUST it does not return.
func (t *T) Fail(id spec.ID, sentence, expected, actual string) {
	t.judge(Judgement{ID: id, Verdict: failed(id), Sentence: sentence, Expected: expected, Actual: actual, Event: t.lastEvent()})
}

// FailAt is Fail where an event of a connection, at an instant, shows it.
func (t *T) FailAt(who string, at time.Time, id spec.ID, sentence, expected, actual string) {
	t.judge(Judgement{ID: id, Verdict: failed(id), Sentence: sentence, Expected: expected, Actual: actual, Event: t.eventOf(who, at)})
}

// Late records that something did not come in time. For a MUST it does not return.
// Before it counts the scenario runs again alone.
func (t *T) Late(id spec.ID, sentence, expected, actual string) {
	t.judge(Judgement{ID: id, Verdict: failed(id), Timing: true, Sentence: sentence, Expected: expected, Actual: actual, Event: t.lastEvent()})
}

// FailAll records that several requirements do not hold, for one reason, and does
// not return where one of them is a MUST.
func (t *T) FailAll(sentence, expected, actual string, ids ...spec.ID) {
	t.judgeAll(Judgement{Sentence: sentence, Expected: expected, Actual: actual, Event: t.lastEvent()}, ids)
}

// LateAll records that several requirements do not hold, since something came too
// late, in words that the scenario gives; by no more than the lateness of others it
// is a doubt. It does not return where one of them is a MUST.
func (t *T) LateAll(sentence, expected, actual string, at time.Time, w Window, ids ...spec.ID) {
	t.limit(t.ofCase(sentence), w.By)
	j := Judgement{Sentence: sentence, Expected: expected, Actual: actual, Event: t.lastEvent(), Measured: at.Sub(w.From), Timed: true, Timing: true}
	if at.Sub(w.By) <= t.Lateness(w.From) {
		j.Verdict, j.Doubt = Inconclusive, true
	}
	t.judgeAll(j, ids)
}

// judgeAll records j for each requirement, failed unless it has a verdict.
func (t *T) judgeAll(j Judgement, ids []spec.ID) {
	worst, undecided := Judgement{}, j.Verdict != ""
	for _, id := range ids {
		if j.ID = id; !undecided {
			j.Verdict = failed(id)
		}
		if worst.ID == "" || Worst(worst.Verdict, j.Verdict) == j.Verdict {
			worst = j
		}
		t.record(j)
	}
	if worst.Verdict != Warn {
		t.quit()
	}
}

// Doubt records that the suite itself was too late to tell, and does not return.
// The scenario runs again alone.
func (t *T) Doubt(id spec.ID, sentence, expected, actual string) {
	t.judge(Judgement{ID: id, Verdict: Inconclusive, Doubt: true, Sentence: sentence, Expected: expected, Actual: actual, Event: t.lastEvent()})
}

// Unclear records that a requirement could not be told for a reason that
// another run would not mend. It returns.
func (t *T) Unclear(id spec.ID, sentence, why string) {
	t.record(Judgement{ID: id, Verdict: Inconclusive, Sentence: sentence, Expected: sentence, Actual: why, Event: t.lastEvent()})
}

// Unsupported records that the requirement cannot be tested on this subject or
// from this machine. It returns.
func (t *T) Unsupported(id spec.ID, why string) {
	t.record(Judgement{ID: id, Verdict: Unsupported, Actual: why, Event: -1})
}

// Observe records a fact that the documents leave open.
func (t *T) Observe(id spec.ID, key, value string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.observed = append(t.observed, Observation{ID: id, Key: key, Value: value})
	if r, _ := spec.Get(id); r.Level == spec.LevelObserve {
		t.verdicts = append(t.verdicts, Judgement{ID: id, Verdict: Observed, Sentence: key, Actual: value, Event: -1, Case: t.part})
	}
}

// Expect judges a value with a Gomega matcher; the requirement fails with the
// matcher's message.
func (t *T) Expect(id spec.ID, sentence string, actual any, matcher types.GomegaMatcher) {
	held := true
	g := gomega.NewGomega(func(message string, _ ...int) {
		held = false
		t.Fail(id, sentence, sentence, strings.Join(strings.Fields(message), " "))
	})
	g.Expect(actual).To(matcher)
	if held {
		t.Pass(id, sentence)
	}
}

// judge records j and ends the calling part unless the part can go on.
func (t *T) judge(j Judgement) {
	t.record(j)
	if j.Verdict == Warn {
		return
	}
	t.quit()
}

func (t *T) record(j Judgement) {
	j.Case = t.part
	t.add(j)
}

func (a *attempt) add(j Judgement) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.verdicts = append(a.verdicts, j)
}

// hasWarned reports whether a requirement was found not to hold so far.
func (a *attempt) hasWarned(id spec.ID) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.ContainsFunc(a.verdicts, func(j Judgement) bool { return j.ID == id && j.Verdict == Warn })
}

// hasFailed reports whether a requirement did not hold so far.
func (a *attempt) hasFailed() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.ContainsFunc(a.verdicts, func(j Judgement) bool { return j.Verdict == Fail || j.Verdict == Warn })
}
