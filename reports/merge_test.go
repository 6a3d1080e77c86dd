package reports

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/spec"
)

// sharded is in as n runs of its parts. Each is a minute later and a bit noisier
// than the one before.
func sharded(in Input, n int) []Input {
	var scenarios []conformance.Scenario
	for _, result := range in.Outcome.Results {
		scenarios = append(scenarios, result.Scenario)
	}
	var parts []Input
	for i := 1; i <= n; i++ {
		part, outcome := in, *in.Outcome
		outcome.Results, part.Excluded = nil, slices.Clone(in.Excluded)
		chosen := conformance.Shard(scenarios, i, n)
		for _, result := range in.Outcome.Results {
			if slices.ContainsFunc(chosen, func(s conformance.Scenario) bool { return s.ID == result.Scenario.ID }) {
				late := time.Duration(i-1) * time.Minute
				result.Started, result.Zero, result.Ended = result.Started.Add(late), result.Zero.Add(late), result.Ended.Add(late)
				outcome.Results = append(outcome.Results, result)
			} else {
				part.Excluded = append(part.Excluded, result.Scenario)
			}
		}
		outcome.Started = in.Outcome.Started.Add(time.Duration(i-1) * time.Minute)
		outcome.Noise.Max += time.Duration(i) * time.Millisecond
		part.Outcome = &outcome
		part.Filters.Shard = fmt.Sprintf("%d/%d", i, n)
		part.Args = append([]string{"--shard", part.Filters.Shard}, in.Args...)
		parts = append(parts, part)
	}
	return parts
}

func results(inputs []Input) []Result {
	var list []Result
	for _, in := range inputs {
		list = append(list, New(in))
	}
	return list
}

// TestThePartsOfARunSayWhatTheWholeSays: but for the order of the scenarios, and for
// what only the parts have of their own.
func TestThePartsOfARunSayWhatTheWholeSays(t *testing.T) {
	all := runs()
	all["a doubt beside"], all["some fail"], all["also failing"] = beside(conformance.Inconclusive), someFail(), alsoFailing()
	for _, b := range []Baseline{nil, {spec.S_Q_02: "known", spec.S_TOK_01: "known", firstShould(): "known"}} {
		for name, in := range all {
			partsSayWhatTheWholeSays(t, name, in, b)
		}
	}
}

func partsSayWhatTheWholeSays(t *testing.T, name string, in Input, b Baseline) {
	t.Helper()
	if in.Outcome == nil || len(in.Outcome.Results) == 0 {
		return
	}
	for n := 1; n <= 5; n++ {
		parts := results(sharded(in, n))
		for i := range parts {
			b.Apply(&parts[i])
		}
		merged, err := Merge(parts)
		if err != nil {
			t.Errorf("%s in %d parts: %v", name, n, err)
			continue
		}
		want := New(in)
		b.Apply(&want)
		slices.SortFunc(want.Scenarios, func(a, b Scenario) int {
			return compareExcluded(a, b)*1000 + strings.Compare(a.ID, b.ID)
		})
		Judge(&want) // the order of the scenarios decides that of the details
		want.Run.DurationMS += int64(n-1) * 60_000
		want.Run.NoiseUS.Max += int64(n) * 1000
		for i, s := range merged.Scenarios {
			late := s.StartMS / 60_000 * 60_000
			merged.Scenarios[i].StartMS -= late
		}
		if !reflect.DeepEqual(merged, want) {
			t.Errorf("%s in %d parts: %s %v, complete %v, %v; want %s %v, %v, %v", name, n,
				merged.Result, merged.Counts, merged.Complete, merged.Run, want.Result, want.Counts, want.Complete, want.Run)
		}
	}
}

func TestAPartAloneIsNotComplete(t *testing.T) {
	for _, r := range results(sharded(goodRun(), 3)) {
		if r.Complete {
			t.Errorf("part %s is complete", r.Filters.Shard)
		}
	}
}

func TestMergeChangesNoPart(t *testing.T) {
	parts, again := results(sharded(goodRun(), 3)), results(sharded(goodRun(), 3))
	b := Baseline{spec.S_Q_02: "known"}
	for i := range parts {
		b.Apply(&parts[i])
		b.Apply(&again[i])
	}
	if _, err := Merge(parts); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(parts, again) {
		t.Error("a part is another than before")
	}
}

// TestABaselineInParts: what holds in one part may fail in another, so that only the
// whole can pass unexpectedly.
func TestABaselineInParts(t *testing.T) {
	tokens := conformance.Judgement{ID: spec.S_TOK_01, Verdict: conformance.Fail, Sentence: "monitor: one token", Event: 1}
	elsewhere := goodRun()
	queue := &elsewhere.Outcome.Results[3]
	queue.Judgements, queue.Verdict = append(queue.Judgements, tokens), conformance.Fail
	for name, row := range map[string]struct {
		in   Input
		id   spec.ID
		want conformance.Verdict
		exit int
	}{
		"it holds":                          {goodRun(), spec.S_Q_02, conformance.UnexpectedPass, 1},
		"it fails":                          {change(goodRun(), promotion(conformance.Fail)), spec.S_Q_02, conformance.KnownFail, 0},
		"it fails in one scenario":          {someFail(), spec.S_Q_02, conformance.KnownFail, 0},
		"a monitor finds it somewhere else": {elsewhere, spec.S_TOK_01, conformance.KnownFail, 0},
	} {
		parts := results(sharded(row.in, 4))
		for i := range parts {
			Baseline{row.id: "known"}.Apply(&parts[i])
			if code := parts[i].ExitCode(false); code == 1 {
				t.Errorf("%s: part %d ends with 1: %s", name, i+1, parts[i].Words())
			}
			parts[i] = reread(t, parts[i])
		}
		merged, err := Merge(parts)
		if err != nil {
			t.Fatal(err)
		}
		if got := verdictOn(merged, row.id); got != row.want || merged.ExitCode(false) != row.exit {
			t.Errorf("%s: %s, exit code %d; want %s, %d", name, got, merged.ExitCode(false), row.want, row.exit)
		}
	}
}

func TestMergedNumbers(t *testing.T) {
	parts := results(sharded(goodRun(), 3))
	parts[0].Run.Args = []string{"--shard=1/3", "--server", "127.0.0.1:7070"}
	parts[1].Run.RTTUS, parts[2].Run.Jobs = 900, 64
	parts[2].Run.DurationMS = 1
	slices.Reverse(parts)
	merged, err := Merge(parts)
	if err != nil {
		t.Fatal(err)
	}
	want := Run{
		Seed: 1, Started: "2026-03-01T12:00:00Z", DurationMS: 120_001, Jobs: 64, LeaseMS: 500, RTTUS: 900,
		NoiseUS: Noise{P50: 60, P99: 210, Max: 6000}, Args: []string{"--server", "127.0.0.1:7070"},
	}
	if !reflect.DeepEqual(merged.Run, want) {
		t.Errorf("%+v, want %+v", merged.Run, want)
	}
	for _, s := range merged.Scenarios {
		late := int64(0)
		for i, p := range []int64{120_000, 60_000, 0} { // the parts stand the other way round
			if slices.ContainsFunc(parts[i].Scenarios, func(o Scenario) bool { return o.ID == s.ID && o.Attempts > 0 }) {
				late = p
			}
		}
		if s.StartMS != late+1000 {
			t.Errorf("%s starts at %d ms, want %d", s.ID, s.StartMS, late+1000)
		}
	}
	if merged.Filters.Shard != "" || !merged.Complete || merged.Result != Conformant {
		t.Errorf("shard %q, complete %v, %s", merged.Filters.Shard, merged.Complete, merged.Result)
	}
}

func TestPartsThatAreNotOfOneRun(t *testing.T) {
	first := func(parts []Result, id string) *Scenario {
		for i := range parts[1].Scenarios {
			if s := &parts[1].Scenarios[i]; s.Verdict != conformance.Excluded == (id == "ran") {
				return s
			}
		}
		panic("none")
	}
	rows := []struct {
		name   string
		change func(parts []Result) []Result
		want   string
	}{
		{"none", func([]Result) []Result { return nil }, "nothing to merge"},
		{"a version", func(p []Result) []Result { p[1].Suite.Version = "9"; return p }, `the suite's version is "0.1.0" in a.json and "9" in b.json`},
		{"a commit", func(p []Result) []Result { p[2].Suite.Commit = "x"; return p }, `the suite's commit is "abc" in a.json and "x" in c.json`},
		{"a catalogue", func(p []Result) []Result { p[2].Suite.Catalogue = "sha256:0"; return p }, "the catalogue is"},
		{"a target", func(p []Result) []Result { p[2].Subject.Target = "\x1b[2J"; return p }, `the subject's target is "127.0.0.1:7070" in a.json and "\\x1b[2J" in c.json`},
		{"a role", func(p []Result) []Result { p[2].Subject.Role = spec.RoleClient; return p }, "the subject's role"},
		{"a seed", func(p []Result) []Result { p[1].Run.Seed = 7; return p }, `the seed is "1" in a.json and "7" in b.json`},
		{"a lease", func(p []Result) []Result { p[1].Run.LeaseMS = 7; return p }, "the lease in ms"},
		{"strict", func(p []Result) []Result { p[1].Filters.Strict = true; return p }, `--strict is "false" in a.json and "true" in b.json`},
		{"a filter", func(p []Result) []Result { p[1].Filters.Skip = []string{"S-*"}; return p }, `--skip is "" in a.json and "S-*" in b.json`},
		{"a feature", func(p []Result) []Result { p[1].Features.Offered = nil; return p }, `what is offered is "control" in a.json and "" in b.json`},
		{"a baseline", func(p []Result) []Result { p[1].Run.Args = []string{"--baseline=b"}; return p }, `--baseline is "" in a.json and "b" in b.json`},
		{"a start", func(p []Result) []Result { p[1].Run.Started = "noon\n"; return p }, `b.json: its start "noon\\n" is no time`},
		{"no shard", func(p []Result) []Result { p[1].Filters.Shard = ""; return p }, "b.json is no part of a run: it was run without --shard"},
		{"a wrong shard", func(p []Result) []Result { p[1].Filters.Shard = "7/3"; return p }, `b.json: its shard "7/3" is no part`},
		{"another split", func(p []Result) []Result { p[1].Filters.Shard = "2/4"; return p }, "a.json is a part of 3, and b.json one of 4"},
		{"a part twice", func(p []Result) []Result { p[1] = p[0]; return p }, "a.json and b.json are both part 1/3"},
		{"a missing part", func(p []Result) []Result { return p[:2] }, "2 parts were given, missing: 3/3"},
		{"many missing", func(p []Result) []Result { p[0].Filters.Shard = "1/1000000"; return p[:1] }, "missing: 2/1000000, 3/1000000, "},
		{"overlap", func(p []Result) []Result { first(p, "left out").Verdict = conformance.Pass; return p }, "in b.json; one part has it"},
		{"a scenario nobody ran", func(p []Result) []Result { first(p, "ran").Verdict = conformance.Excluded; return p }, "1 scenario ran in none of the parts: server/"},
		{"a scenario that one part lacks", func(p []Result) []Result { p[1].Scenarios = p[1].Scenarios[1:]; return p }, "b.json does not list what other parts do: server/"},
		{"a scenario twice in a part", func(p []Result) []Result { p[1].Scenarios = append(p[1].Scenarios, p[1].Scenarios[0]); return p }, "b.json lists server/"},
	}
	names := []string{"a.json", "b.json", "c.json"}
	for _, row := range rows {
		parts := row.change(results(sharded(goodRun(), 3)))
		_, err := MergeNamed(names[:len(parts)], parts)
		if err == nil || !strings.Contains(err.Error(), row.want) || len(err.Error()) > 2000 {
			t.Errorf("%s: %v; want %q", row.name, err, row.want)
		}
	}
	parts := results(sharded(goodRun(), 2))
	parts[1].Run.Seed = 7
	if _, err := Merge(parts); err == nil || !strings.Contains(err.Error(), `in result 1 and "7" in result 2`) {
		t.Errorf("without names: %v", err)
	}
}

// TestAPartThatEndedEarlyLeavesTheWholeUndecided as it does a run of its own.
func TestAPartThatEndedEarlyLeavesTheWholeUndecided(t *testing.T) {
	inputs := sharded(goodRun(), 3)
	inputs[1] = voided(inputs[1], 0, errors.New("interrupted"))
	merged, err := Merge(results(inputs))
	if err != nil || merged.Result != Undecided || merged.Complete || merged.EndedEarly() != "interrupted" {
		t.Errorf("%s, complete %v, ended by %q, %v", merged.Result, merged.Complete, merged.EndedEarly(), err)
	}
}
