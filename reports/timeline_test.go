package reports

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/spec"
)

func longRun(verdict conformance.Verdict, findings ...int) conformance.Result {
	result := conformance.Result{Verdict: verdict, Started: epoch, Zero: epoch, Ended: epoch.Add(time.Second), Events: exchange(3000)}
	for i, at := range findings {
		id := spec.ID(fmt.Sprintf("S-X-%02d", i))
		result.Judgements = append(result.Judgements, conformance.Judgement{ID: id, Verdict: verdict, Sentence: "it holds", Event: at})
	}
	return result
}

func TestALongTimelineKeepsWhatMatters(t *testing.T) {
	many := make([]int, 100)
	for i := range many {
		many[i] = i * 29
	}
	rows := []struct {
		name   string
		result conformance.Result
		most   int
		marked int // findings that must be kept
	}{
		{"a pass", longRun(conformance.Pass), keptOfPass, 0},
		{"a fail in the middle", longRun(conformance.Fail, 1500), keptOfFinding, 1},
		{"a fail at the begin", longRun(conformance.Fail, 0), keptOfFinding, 1},
		{"a fail at the end", longRun(conformance.Fail, 2999), keptOfFinding, 1},
		{"three far apart", longRun(conformance.Fail, 10, 1500, 2900), keptOfFinding, 3},
		{"a hundred", longRun(conformance.Fail, many...), keptOfFinding, 50},
		{"a fail without an event", longRun(conformance.Fail, -1), keptOfFinding, 0},
	}
	for _, row := range rows {
		events := newTimeline(row.result)
		if len(events) > row.most || len(events) < row.most/2 {
			t.Errorf("%s: %d events kept, of at most %d", row.name, len(events), row.most)
		}
		if got := countWho(events, byVerdict); got < row.marked {
			t.Errorf("%s: %d findings kept, want %d", row.name, got, row.marked)
		}
		whole := 0
		for _, e := range events {
			var gap int
			if _, err := fmt.Sscanf(e.Frame, "… %d events left out", &gap); err == nil && e.Who == bySuite {
				whole += gap
			} else {
				whole++
			}
		}
		if want := 3000 + len(findingsOf(row.result)); whole != want {
			t.Errorf("%s: %d events kept or counted, want %d", row.name, whole, want)
		}
	}
}

func findingsOf(result conformance.Result) []conformance.Judgement {
	return slices.DeleteFunc(slices.Clone(result.Judgements), func(j conformance.Judgement) bool { return j.Event < 0 })
}

func countWho(events []Event, who string) int {
	n := 0
	for _, e := range events {
		if e.Who == who {
			n++
		}
	}
	return n
}

func TestTheEventThatDecidedIsMarked(t *testing.T) {
	in := change(goodRun(), promotion(conformance.Fail))
	in.Outcome.Results[3].Events = exchange(40)
	j := promotion(conformance.Fail)
	j.Event = 20
	out := text(t, New(change(in, j)), TextOptions{})
	if got := strings.Count(out, "\n    > "); got != 1 {
		t.Errorf("%d lines are marked", got)
	}
	if !strings.Contains(out, "    >     30.000 ms  conn-1   <- ACQUIRED token=7\n") {
		t.Errorf("another line is marked:\n%s", out)
	}
	for _, want := range []string{"… 8 before", "… 16 after"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is missing", want)
		}
	}
}

func TestTheLastOutputOfAServerStandsBehindAFinding(t *testing.T) {
	result := longRun(conformance.Fail, 2990)
	result.Output = strings.Repeat("line\n", 100) + "\x1b[2Jlast\r\n"
	events := newTimeline(result)
	if got := countWho(events, byOutput); got != keptOutput {
		t.Errorf("%d lines", got)
	}
	if last := events[len(events)-1]; last.Frame != `\x1b[2Jlast` {
		t.Errorf("the last is %q", last.Frame)
	}
}

func TestCasesAreFoundAgain(t *testing.T) {
	for _, name := range []string{"a", `quo"ted: x`, "", hostileText} {
		j := newJudgement(conformance.Judgement{Verdict: conformance.Fail, Case: name, Sentence: "s", Expected: "e"}, false)
		got, rest := splitCase(j.Expected)
		if got != name && cleanLine(got) != cleanLine(name) || rest != "s: e" {
			t.Errorf("%q: %q, %q", name, got, rest)
		}
	}
	for _, text := range []string{"case in point", `case "open`, "", "case "} {
		if name, rest := splitCase(text); name != "" || rest != text {
			t.Errorf("%q: %q, %q", text, name, rest)
		}
	}
}

func TestCleanTextComesBackAsItIs(t *testing.T) {
	for _, dirty := range []string{hostileText, strings.Repeat("ä", 5000), "Grüße, 日本", `a\nb`, ""} {
		once := cleanLine(dirty)
		if twice := cleanLine(once); twice != once {
			t.Errorf("%q became %q", once, twice)
		}
		if strings.ContainsAny(once, "\n\r\x1b\x00") || len(once) > lineBytes+64 {
			t.Errorf("%d bytes: %q", len(once), once)
		}
	}
}
