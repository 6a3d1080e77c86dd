package conformance

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/spec"
)

// Judgement is what a scenario said of one requirement at one place.
type Judgement struct {
	ID      spec.ID
	Verdict Verdict
	// Sentence says what was expected here, in the scenario's words.
	Sentence string
	// Expected and Actual are set where the verdict is no pass. They may hold
	// text of the subject, escaped already.
	Expected, Actual string
	Case             string // which of several cases, or ""
	// AllCases says in which of how many cases the requirement does not hold, and is
	// set where an attempt's judgements are summed up.
	AllCases string
	// Measured is the time that was judged, where one was.
	Measured time.Duration
	Timed    bool
	// Event is the Seq of the timeline's event that shows it, or -1.
	Event int
	// Timing says that a time was missed which a busy machine may miss, too: the
	// scenario runs again alone before it counts.
	Timing bool
	// Doubt says that the delay of the suite, or of the machine, may have caused it:
	// the scenario runs again alone.
	Doubt bool
}

// How Actual begins where a requirement could not be judged for a reason that
// lies outside it. Reports sum such judgements up.
const (
	NotDecided = "not decided: " // the run ended before or under it
	NotReached = "not reached: " // something before it ended the scenario
)

// Observation is a fact that the documents leave open, under the requirement
// that asks for it.
type Observation struct {
	ID         spec.ID
	Key, Value string
}

// failed is the verdict for a requirement that does not hold.
func failed(id spec.ID) Verdict {
	r, _ := spec.Get(id)
	if r.Level == spec.LevelMust {
		return Fail
	}
	return Warn
}

// merge sums up the judgements of one attempt: one a requirement, the worst;
// among equals the first, but a measured pass keeps its longest time.
func merge(judgements []Judgement) []Judgement {
	var merged []Judgement
	index := map[spec.ID]int{}
	for _, j := range judgements {
		i, known := index[j.ID]
		if !known {
			index[j.ID] = len(merged)
			merged = append(merged, j)
			continue
		}
		m := &merged[i]
		if m.Verdict != j.Verdict && Worst(m.Verdict, j.Verdict) == j.Verdict {
			*m = j
		} else if m.Verdict == Pass && j.Verdict == Pass && j.Timed && j.Measured > m.Measured {
			m.Measured, m.Timed = j.Measured, true
		}
	}
	for i := range merged {
		if v := merged[i].Verdict; v == Fail || v == Warn {
			merged[i].AllCases = casesOf(merged[i], judgements)
		}
	}
	return merged
}

// casesNamed is how many cases are named; more are counted.
const casesNamed = 12

// casesOf names the cases in which the requirement of a summed-up judgement does not
// hold, where more than one judged it.
func casesOf(j Judgement, all []Judgement) string {
	judged := map[string]bool{}
	var fails []string
	for _, other := range all {
		if other.ID != j.ID || other.Case == "" {
			continue
		}
		judged[other.Case] = true
		if name := strconv.Quote(other.Case); other.Verdict == j.Verdict && !slices.Contains(fails, name) {
			fails = append(fails, name)
		}
	}
	if len(judged) < 2 || len(fails) == 0 {
		return ""
	}
	slices.Sort(fails)
	text := fmt.Sprintf("in %d of %d cases: %s", len(fails), len(judged), strings.Join(fails[:min(len(fails), casesNamed)], ", "))
	if more := len(fails) - casesNamed; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}
