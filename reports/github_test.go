package reports

import (
	"fmt"
	"strings"
	"testing"

	"github.com/monolock-dev/monolock-conform/conformance"
)

// obey reads a line as GitHub's runner does: a command's name, its title and its
// text.
func obey(line string) (command, title, data string, ok bool) {
	rest, found := strings.CutPrefix(strings.TrimSpace(line), "::")
	head, data, closed := strings.Cut(rest, "::")
	if !found || !closed {
		return "", "", "", false
	}
	command, properties, _ := strings.Cut(head, " ")
	for property := range strings.SplitSeq(properties, ",") {
		key, value, _ := strings.Cut(property, "=")
		if key != "title" {
			return "", "", "", false
		}
		title = strings.NewReplacer("%0D", "\r", "%0A", "\n", "%3A", ":", "%2C", ",", "%25", "%").Replace(value)
	}
	return command, title, strings.NewReplacer("%0D", "\r", "%0A", "\n", "%25", "%").Replace(data), true
}

func TestEveryLineIsOneAnnotation(t *testing.T) {
	for name, r := range allResults(t) {
		lines := strings.Split(strings.TrimSuffix(render(t, GitHub, r), "\n"), "\n")
		for i, line := range lines {
			command, title, data, ok := obey(line)
			isLast := i == len(lines)-1
			if !ok || title == "" || data == "" || (command == "notice") != isLast || !isLast && command != "error" && command != "warning" {
				t.Errorf("%s: %q, title %q: %.300q", name, command, title, line)
			}
			if isLast && data != cleanBlock(r.Words()) {
				t.Errorf("%s: concludes %q, want %q", name, data, r.Words())
			}
		}
	}
}

func TestAnnotationsSayWhatWasSeen(t *testing.T) {
	in := change(goodRun(), promotion(conformance.Fail))
	in.Outcome.Results[3].Judgements[1].Actual = "100%0A, a: b\r\nc"
	in = change(in, should(conformance.Warn))
	lines := strings.Split(render(t, GitHub, New(in)), "\n")
	command, title, data, _ := obey(lines[0])
	for _, want := range []string{"A promotion is pushed", "\nexpected: the holder closed", "\nactual: 100%0A, a: b\\r\nc\n", "\nrepeat: monolock-conform "} {
		if !strings.Contains(data, want) {
			t.Errorf("%q is not in %q", want, data)
		}
	}
	if command != "error" || title != "S-Q-02 fail (MUST)" {
		t.Errorf("%s, %q", command, title)
	}
	if command, title, _, _ := obey(lines[1]); command != "warning" || title != string(firstShould())+" warn (SHOULD)" {
		t.Errorf("%s, %q", command, title)
	}
}

// TestWhatGitHubWouldNotShowIsNamed: it shows ten annotations of a kind.
func TestWhatGitHubWouldNotShowIsNamed(t *testing.T) {
	for _, n := range []int{9, 10, 11, 40} {
		in := goodRun()
		framing := &in.Outcome.Results[1]
		for i := range min(n, len(framing.Judgements)) {
			framing.Judgements[i].Verdict = conformance.Fail
		}
		for i := range n - min(n, len(framing.Judgements)) {
			in.Outcome.Results[2].Judgements[i].Verdict = conformance.Fail
		}
		r := New(in)
		out := render(t, GitHub, r)
		if got := strings.Count(out, "::error "); got != min(r.Counts[conformance.Fail], shownByGitHub) {
			t.Errorf("%d failures: %d errors", n, got)
		}
		for _, q := range r.Requirements {
			if q.Verdict == conformance.Fail && !strings.Contains(out, fmt.Sprintf("%s fail", q.ID)) {
				t.Errorf("%d failures: %s is not named", n, q.ID)
			}
		}
	}
}
