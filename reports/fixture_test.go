package reports

import (
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/conformance/timeline"
	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

var epoch = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// goodRun is a run in which all that the subject offers holds: one scenario a
// topic, a second long each.
func goodRun() Input {
	params := conformance.DefaultParams()
	params.RTT = 120 * time.Microsecond
	in := Input{
		Suite:   Suite{Version: "0.1.0", Commit: "abc"},
		Subject: Subject{Role: spec.RoleServer, Target: "127.0.0.1:7070"},
		Params:  params, Jobs: 32, Args: []string{"--server", "127.0.0.1:7070", "--json", "out.json"},
		Offered: []spec.Feature{spec.FeatureControl},
		Outcome: &conformance.Outcome{
			Started: epoch, Duration: 9123 * time.Millisecond,
			Noise: conformance.Noise{P50: 60 * time.Microsecond, P99: 210 * time.Microsecond, Max: 3 * time.Millisecond},
		},
	}
	for _, topic := range spec.Topics(spec.RoleServer) {
		if result, some := goodResult(topic, in.Offered); some {
			in.Outcome.Results = append(in.Outcome.Results, result)
		}
	}
	return in
}

// goodResult is a scenario that judges every requirement of a topic that the
// features allow.
func goodResult(topic spec.Topic, offered []spec.Feature) (conformance.Result, bool) {
	s := conformance.Scenario{ID: "server/" + topic.Key + "/all", Title: "all of " + strings.ToLower(topic.Title), Role: spec.RoleServer}
	result := conformance.Result{
		Verdict: conformance.Pass, Attempts: 1, Started: epoch.Add(time.Second), Zero: epoch.Add(time.Second), Ended: epoch.Add(2 * time.Second), Events: exchange(3),
	}
	for _, r := range spec.Of(spec.RoleServer) {
		_, why := unjudged(offered, r)
		if r.Topic != topic || strings.HasPrefix(why, "needs") {
			continue
		}
		s.Judges = append(s.Judges, r.ID)
		j := conformance.Judgement{ID: r.ID, Verdict: conformance.Pass, Sentence: "it holds", Event: -1}
		if r.Level == spec.LevelObserve {
			j = conformance.Judgement{ID: r.ID, Verdict: conformance.Observed, Sentence: "key", Actual: "value", Event: -1}
		}
		result.Judgements = append(result.Judgements, j)
	}
	result.Scenario = s
	return result, len(s.Judges) > 0
}

// exchange is a timeline of n events: an opening, and then frames.
func exchange(n int) []timeline.Event {
	tl := timeline.New(epoch)
	tl.Add(epoch, timeline.Event{Who: "conn-1", By: timeline.Suite, What: timeline.Open})
	for i := 1; i < n; i++ {
		at := epoch.Add(time.Duration(i) * 1500 * time.Microsecond)
		frame, e := wire.HeartbeatFrame, timeline.Event{Who: "conn-1", By: timeline.Suite, What: timeline.Send}
		if i%2 == 0 {
			frame, e = wire.AcquiredFrame(7), timeline.Event{Who: "conn-1", By: timeline.Subject, What: timeline.Recv}
		}
		e.Frame, e.Bytes = &frame, wire.Bytes(frame)
		tl.Add(at, e)
	}
	return tl.Events()
}

// change replaces the judgement on j.ID in the first scenario that has one.
func change(in Input, j conformance.Judgement) Input {
	for i := range in.Outcome.Results {
		result := &in.Outcome.Results[i]
		for k := range result.Judgements {
			if result.Judgements[k].ID == j.ID {
				result.Judgements[k] = j
				result.Verdict = worstIn(result.Judgements)
				return in
			}
		}
	}
	panic("no scenario judges " + string(j.ID))
}

func worstIn(judgements []conformance.Judgement) conformance.Verdict {
	worst := conformance.Verdict("")
	for _, j := range judgements {
		worst = conformance.Worst(worst, j.Verdict)
	}
	return worst
}

// promotion is a judgement on S-Q-02, a MUST, shown by the third event.
func promotion(v conformance.Verdict) conformance.Judgement {
	return conformance.Judgement{
		ID: spec.S_Q_02, Verdict: v, Sentence: "the holder closed, and the waiter said nothing",
		Expected: "ACQUIRED, pushed within 250ms", Actual: "conn-2: after 612.3ms",
		Measured: 612345 * time.Microsecond, Timed: true, Event: 2,
	}
}

// should is a SHOULD that does not hold.
func should(v conformance.Verdict) conformance.Judgement {
	return conformance.Judgement{
		ID: firstShould(), Verdict: v, Case: "two at once", Sentence: "the advice is kept",
		Expected: "one thing", Actual: "conn-1: another", Event: 1,
	}
}

func firstShould() spec.ID {
	for _, r := range spec.Of(spec.RoleServer) {
		if r.Level == spec.LevelShould && len(r.Features) == 0 {
			return r.ID
		}
	}
	panic("the catalogue has no SHOULD")
}

// voided is a run that ended early: its last scenarios have no verdict.
func voided(in Input, from int, cause error) Input {
	in.Outcome.Ended = cause
	for i := from; i < len(in.Outcome.Results); i++ {
		result := &in.Outcome.Results[i]
		result.Verdict, result.Attempts, result.Events = conformance.Inconclusive, 0, nil
		for k, j := range result.Judgements {
			result.Judgements[k] = conformance.Judgement{
				ID: j.ID, Verdict: conformance.Inconclusive, Expected: "a run that goes on to its end",
				Actual: "not decided: " + cause.Error(), Event: -1,
			}
		}
	}
	return in
}

// excluding leaves a topic's scenario out.
func excluding(in Input, topic string) Input {
	in.Outcome.Results = slices.DeleteFunc(in.Outcome.Results, func(r conformance.Result) bool {
		out := r.Scenario.ID == "server/"+topic+"/all"
		if out {
			in.Excluded = append(in.Excluded, r.Scenario)
		}
		return out
	})
	in.Filters.Skip = append(in.Filters.Skip, "server/"+topic+"/*")
	return in
}

// manyFailures is one requirement that fails in five scenarios.
func manyFailures() Input {
	in := change(goodRun(), promotion(conformance.Fail))
	for _, name := range []string{"b", "c", "d", "e"} {
		in.Outcome.Results = append(in.Outcome.Results, conformance.Result{
			Scenario: conformance.Scenario{ID: "server/queue/" + name, Title: "again", Judges: []spec.ID{spec.S_Q_02}},
			Verdict:  conformance.Fail, Judgements: []conformance.Judgement{promotion(conformance.Fail)},
			Attempts: 1, Started: epoch, Zero: epoch, Ended: epoch.Add(time.Second), Events: exchange(30),
		})
	}
	return in
}

// hostileText is what a bad subject may send where text is expected.
var hostileText = "\x1b[31mred\x1b]0;title\x07\n::error::forged\r\x00\xff\xfe\u202eback " + strings.Repeat("n", 300)

func hostileRun() Input {
	j := promotion(conformance.Fail)
	j.Case, j.Sentence, j.Actual = hostileText, hostileText, hostileText
	in := change(goodRun(), j)
	in.Args = append(in.Args, "--lock-prefix", "it's\n")
	in.Subject.Name, in.Subject.Target = hostileText, hostileText
	for i := range in.Outcome.Results {
		result := &in.Outcome.Results[i]
		if result.Verdict != conformance.Fail {
			continue
		}
		frame := wire.ErrorFrame(wire.CodeNotAuthorized, hostileText[:255])
		result.Events[2].Frame, result.Events[2].Bytes = &frame, wire.Bytes(frame)
		result.Events[1].Who, result.Events[1].Note = hostileText[:20], hostileText
		result.Output = hostileText + "\n::stop-commands::x\n"
		result.Observations = []conformance.Observation{{ID: spec.S_Q_12, Key: hostileText, Value: hostileText}}
	}
	return in
}

func gone(negative string) Input {
	lost := &conformance.Gone{At: epoch, Negative: negative, Scenario: "server/framing/all", Seen: "its process ended: exit code 2; the last it wrote: panic: oops"}
	if negative == "" {
		lost.Scenario = ""
	}
	in := voided(goodRun(), 3, lost)
	in.Outcome.Gone = lost
	if negative != "" {
		first := &in.Outcome.Results[0]
		first.Verdict = conformance.Fail
		first.Judgements = append(first.Judgements, conformance.Judgement{
			ID: spec.S_ROB_01, Verdict: conformance.Fail, Sentence: "the server still serves after a negative case",
			Expected: "a server that goes on serving", Actual: lost.Error(), Event: 2,
		})
	}
	return in
}

func unreachable() Input {
	in := goodRun()
	for _, result := range in.Outcome.Results {
		in.Selected = append(in.Selected, result.Scenario)
	}
	in.Outcome, in.Started = nil, epoch
	in.Preflight = errors.New("127.0.0.1:7070: the connection was refused: is the server running?\nits last output:\n  \"bind: in use\"")
	return in
}
