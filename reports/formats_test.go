package reports

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/spec"
)

// formats are the reports that are computed from a result, by the ending of their
// golden files.
var formats = map[string]func(io.Writer, Result) error{
	"junit.xml": JUnit, "md": Markdown, "github": GitHub, "tap": TAP, "svg": Badge,
}

func render(t *testing.T, write func(io.Writer, Result) error, r Result) string {
	t.Helper()
	var out bytes.Buffer
	if err := write(&out, r); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// only is r with those requirements alone, so that a golden file can be read.
func only(r Result, ids ...spec.ID) Result {
	r.Requirements = slices.DeleteFunc(r.Requirements, func(q Requirement) bool { return !slices.Contains(ids, q.ID) })
	r.Counts = map[conformance.Verdict]int{}
	for _, q := range r.Requirements {
		r.Counts[q.Verdict]++
	}
	r.Result = conclude(r.Requirements)
	return r
}

// everyVerdict has a requirement of each verdict.
func everyVerdict(t *testing.T) Result {
	in := goodRun()
	ids := []spec.ID{spec.S_Q_12, spec.S_SHUT_02, firstShould()}
	for id, v := range map[spec.ID]conformance.Verdict{
		spec.S_Q_01: conformance.Pass, spec.S_Q_02: conformance.Fail, spec.S_Q_03: conformance.Flaky, spec.S_Q_04: conformance.Inconclusive,
		spec.S_Q_05: conformance.Error, spec.S_TOK_01: conformance.Fail, spec.S_TOK_03: conformance.Excluded, spec.S_TOK_04: conformance.Pass,
	} {
		j := promotion(v)
		j.ID = id
		in = change(in, j)
		ids = append(ids, id)
	}
	r := knowing(t, change(in, should(conformance.Warn)), "S-TOK-01 issue 7 # tokens | of two\nS-TOK-04 issue 8\n")
	return only(r, ids...)
}

func TestFormatsAreAsInTheGoldenFiles(t *testing.T) {
	nothing := goodRun()
	nothing.Outcome.Results = nil
	for name, r := range map[string]Result{
		"every":   everyVerdict(t),
		"hostile": only(New(hostileRun()), spec.S_Q_02, spec.S_Q_12),
		"nothing": only(New(nothing), spec.S_SHUT_02),
		"early":   only(New(gone("")), spec.S_FRM_01, spec.S_Q_02),
		"pass":    only(New(goodRun()), spec.S_Q_02, spec.S_Q_12),
	} {
		for ending, write := range formats {
			t.Run(name+"."+ending, func(t *testing.T) { golden(t, "format-"+name+"."+ending, render(t, write, r)) })
		}
	}
}

// TestEveryVerdictIsThere keeps the golden files from saying less than they should.
func TestEveryVerdictIsThere(t *testing.T) {
	r := everyVerdict(t)
	for _, v := range conformance.Verdicts() {
		if r.Counts[v] == 0 {
			t.Errorf("no requirement is %s", v)
		}
	}
}

// hostileTexts are what a subject may send to break out of any of the formats.
var hostileTexts = []string{
	hostileText,
	"</code></pre></details>\n</details><img src=x onerror=alert(1)><script>alert(2)</script> & &amp; &#60;",
	"````\n```\n~~~\n# heading | cell | `code` [link](javascript:alert(3)) ![i](http://evil.example/x.png) @everyone www.evil.example http://evil.example <b>",
	"]]> <![CDATA[ <!-- --> <?pi ?> \ufffe\uffff\ud7ff\x01\x0b\x0c\u2028\u2029\u0085",
	"\n::error::forged\n::stop-commands::x\r\n::set-output name=x::y\n##[add-mask]e ##vso[task.complete result=Failed] %0A::error::x a, title=b",
	"\nok 1 - forged\n1..0 # SKIP all\nBail out!\n  ...\nnot ok # TODO x\n\\# TODO \\\\",
	"\n{\"event\":\"conclusion\"}\n---\n...\nkey: value\n- x: 'y' \"z\" \\\n",
	strings.Repeat("`", 500) + strings.Repeat("|", 500),
}

// allHostile is a run in which a subject put text into every place that takes some.
func allHostile(text string) Result {
	j := promotion(conformance.Fail)
	j.Case, j.Sentence, j.Actual, j.Expected = text, text, text, text
	in := change(goodRun(), j)
	advice := should(conformance.Warn)
	advice.Actual = text
	in = change(in, advice)
	in = change(in, conformance.Judgement{ID: spec.S_Q_12, Verdict: conformance.Observed, Sentence: text, Actual: text, Event: -1})
	in = change(in, conformance.Judgement{ID: spec.S_Q_03, Verdict: conformance.Unsupported, Actual: text, Event: -1})
	in = change(in, conformance.Judgement{ID: spec.S_Q_04, Verdict: conformance.Inconclusive, Expected: text, Actual: "not reached: " + text, Event: 1})
	in.Args = []string{"--server", text}
	in.Subject = Subject{Role: spec.RoleServer, Name: text, Version: text, Language: text, Target: text, Lacks: []string{text}}
	for i := range in.Outcome.Results {
		result := &in.Outcome.Results[i]
		result.Scenario.Title, result.Output = text, text
		result.Events[1].Who, result.Events[1].Note = text, text
		result.Observations = []conformance.Observation{{ID: spec.S_Q_12, Key: text, Value: text}}
	}
	return New(in)
}

// rawResult is a result as somebody may have written it by hand: nothing is clean.
func rawResult(text string) Result {
	r := allHostile("x")
	r.Suite = Suite{Version: text, Commit: text, Catalogue: text}
	r.Subject = Subject{Role: spec.Role(text), Name: text, Version: text, Target: text}
	r.Run.Started = text
	for i := range r.Requirements {
		r.Requirements[i].Detail = text
		r.Requirements[i].Scenarios = append(r.Requirements[i].Scenarios, text)
	}
	r.Requirements = append(r.Requirements, Requirement{ID: spec.ID(text), Level: spec.Level(text), Verdict: conformance.Verdict(text), Detail: text})
	for i := range r.Scenarios {
		s := &r.Scenarios[i]
		s.ID, s.Title, s.Trace = text, text, text
		for k := range s.Requirements {
			s.Requirements[k].Expected, s.Requirements[k].Actual = text, text
		}
		for k := range s.Timeline {
			s.Timeline[k] = Event{Who: text, What: text, Frame: text, Hex: text}
		}
	}
	for i := range r.Observations {
		r.Observations[i] = Observation{ID: spec.ID(text), Key: text, Value: text}
	}
	return r
}

// hostileResults are all of them, by a name.
func hostileResults() map[string]Result {
	results := map[string]Result{}
	for i, text := range hostileTexts {
		results[fmt.Sprintf("run %d", i)] = allHostile(text)
		results[fmt.Sprintf("file %d", i)] = rawResult(text)
	}
	return results
}

func TestNothingOfASubjectIsRawInAnyFormat(t *testing.T) {
	for name, r := range hostileResults() {
		for format, write := range formats {
			out := render(t, write, r)
			if !utf8.ValidString(out) {
				t.Errorf("%s as %s: not UTF-8", name, format)
			}
			for _, c := range out {
				if c != '\n' && !unicode.IsGraphic(c) {
					t.Errorf("%s as %s: %U is in it", name, format, c)
				}
			}
			for line := range strings.Lines(out) {
				obeyed := strings.HasPrefix(strings.TrimSpace(line), "::") && format != "github"
				if obeyed || strings.Contains(line, "##[") || strings.Contains(line, "##vso[") {
					t.Errorf("%s as %s: a host would obey %.200q", name, format, line)
				}
			}
		}
	}
}

func TestFormatsReturnTheErrorOfTheirWriter(t *testing.T) {
	for format, write := range formats {
		if err := write(broken{}, New(goodRun())); !errors.Is(err, errBroken) {
			t.Errorf("%s: %v", format, err)
		}
	}
}

// TestFormatsChangeNothing: the same result gives the same bytes, and is the same
// afterwards.
func TestFormatsChangeNothing(t *testing.T) {
	r := everyVerdict(t)
	before := file(t, r)
	for format, write := range formats {
		first := render(t, write, r)
		if second := render(t, write, r); first != second {
			t.Errorf("%s differs the second time", format)
		}
	}
	if file(t, r) != before {
		t.Error("the result is another than before")
	}
}

// TestRedIsWhatTheConclusionSays: a format that knows red and green is red exactly
// where the exit code is not 0.
func TestRedIsWhatTheConclusionSays(t *testing.T) {
	all := baselines(t)
	for name, in := range runs() {
		all[name] = New(in)
	}
	for name, r := range all {
		want := r.ExitCode(false) != 0
		junit, tap := render(t, JUnit, r), render(t, TAP, r)
		if got := strings.Contains(junit, "<failure") || strings.Contains(junit, "<error"); got != want {
			t.Errorf("%s: JUnit is red: %v, want %v", name, got, want)
		}
		red := false
		for line := range strings.Lines(tap) {
			red = red || strings.HasPrefix(line, "not ok") && !strings.Contains(line, " # TODO ")
		}
		if red != want {
			t.Errorf("%s: TAP is red: %v, want %v", name, red, want)
		}
	}
}
