package reports

import (
	"strconv"
	"strings"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/spec"
)

// How the texts of what was not judged begin. The engine's own texts do too.
const (
	notDecided = conformance.NotDecided // the run ended before or under it
	notReached = conformance.NotReached // a finding before it ended the scenario
	noSubject  = "no subject: "         // the run did not begin
)

// newScenarios lists what ran, in the order of the plan, and then what the user
// left out.
func newScenarios(in Input) []Scenario {
	scenarios := []Scenario{}
	if in.Outcome != nil {
		for _, result := range in.Outcome.Results {
			scenarios = append(scenarios, newScenario(result, in))
		}
	} else {
		for _, s := range in.Selected {
			scenarios = append(scenarios, notRun(s, in, conformance.Error, noSubject+preflightText(in.Preflight)))
		}
	}
	for _, s := range in.Excluded {
		scenarios = append(scenarios, notRun(s, in, conformance.Excluded, ""))
	}
	return scenarios
}

func preflightText(err error) string {
	if err == nil {
		return "the run did not begin"
	}
	return cleanBlock(err.Error())
}

// notRun is the entry of a scenario that has no result.
func notRun(s conformance.Scenario, in Input, v conformance.Verdict, why string) Scenario {
	entry := emptyScenario(s, in)
	entry.Verdict = v
	for _, id := range s.Judges {
		entry.Requirements = append(entry.Requirements, Judgement{ID: id, Verdict: v, Actual: why})
	}
	return entry
}

func emptyScenario(s conformance.Scenario, in Input) Scenario {
	return Scenario{
		ID: s.ID, Title: s.Title, LeaseMS: in.Params.Lease.Milliseconds(),
		Requirements: []Judgement{}, Claims: []Claim{}, Bands: []Band{}, Limits: []Limit{}, Timeline: []Event{},
	}
}

func newScenario(result conformance.Result, in Input) Scenario {
	entry := emptyScenario(result.Scenario, in)
	entry.Verdict = result.Verdict
	entry.StartMS = milli(result.Started.Sub(in.Outcome.Started))
	entry.DurationMS = milli(result.Ended.Sub(result.Started))
	entry.Attempts = result.Attempts
	for _, j := range result.Judgements {
		entry.Requirements = append(entry.Requirements, newJudgement(j, in.Outcome.Ended != nil))
	}
	entry.Timeline = newTimeline(result)
	entry.Claims, entry.Bands, entry.Limits = newClaims(result), newBands(result), newLimits(result)
	entry.Trace = in.Traces[result.Scenario.ID]
	return entry
}

func milli(d time.Duration) int64 { return max(d, 0).Milliseconds() }

// newJudgement puts the case and the scenario's words before what was expected,
// or before what was seen where nothing was. In a run that ended early, what was
// not reached was not decided.
func newJudgement(j conformance.Judgement, endedEarly bool) Judgement {
	entry := Judgement{ID: j.ID, Verdict: j.Verdict, Expected: j.Expected, Actual: j.Actual}
	if j.Timed {
		entry.MeasuredMS = milliseconds(j.Measured)
	}
	sentence := strings.TrimPrefix(j.Sentence, "monitor: ")
	switch j.Verdict {
	case conformance.Pass:
		entry.Expected, entry.Actual = "", ""
	case conformance.Observed, conformance.Unsupported:
		entry.Expected, entry.Actual = "", joined(caseText(j.Case), sentence, j.Actual)
	default:
		entry.Expected = joined(caseText(j.Case), sentence, j.Expected)
		if rest, cut := strings.CutPrefix(entry.Actual, notReached); cut && endedEarly {
			entry.Actual = notDecided + rest
		}
		if j.Doubt {
			entry.Actual += "; the delay of the suite or of a busy machine may have caused it"
		}
		if j.AllCases != "" {
			entry.Actual += "\n" + j.AllCases
		}
	}
	entry.Expected, entry.Actual = cleanBlock(entry.Expected), cleanBlock(entry.Actual)
	return entry
}

// caseText names one of several cases so that [splitCase] finds it again.
func caseText(name string) string {
	if name == "" {
		return ""
	}
	return "case " + strconv.Quote(name)
}

// splitCase takes the case's name off the text of a judgement.
func splitCase(text string) (name, rest string) {
	after, cut := strings.CutPrefix(text, "case ")
	if !cut {
		return "", text
	}
	quoted, err := strconv.QuotedPrefix(after)
	if err != nil {
		return "", text
	}
	name, err = strconv.Unquote(quoted)
	if err != nil {
		return "", text
	}
	return name, strings.TrimPrefix(after[len(quoted):], ": ")
}

// joined joins what is not empty with colons, and says nothing twice in a row.
func joined(parts ...string) string {
	var kept []string
	for _, part := range parts {
		if part == "" || len(kept) > 0 && kept[len(kept)-1] == part {
			continue
		}
		kept = append(kept, part)
	}
	return strings.Join(kept, ": ")
}

// judgementOf returns what s says of a requirement, the worst where it says
// several things.
func judgementOf(s Scenario, id spec.ID) (Judgement, bool) {
	var worst Judgement
	found := false
	for _, j := range s.Requirements {
		if j.ID == id && (!found || j.Verdict != worst.Verdict && conformance.Worst(j.Verdict, worst.Verdict) == j.Verdict) {
			worst, found = j, true
		}
	}
	return worst, found
}
