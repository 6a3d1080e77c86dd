package reports

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance"
)

// clock is a clock that tests set.
type clock struct{ now time.Time }

func (c *clock) read() time.Time { return c.now }

func (c *clock) pass(d time.Duration) { c.now = c.now.Add(d) }

// smallRun tells p of twelve scenarios, a second each, of which the fourth fails,
// the fifth warns and the last two are not decided. After the sixth nothing happens
// for eleven seconds.
func smallRun(p *Progress, c *clock) {
	for i := range 12 {
		s := conformance.Scenario{ID: "server/queue/" + string(rune('a'+i))}
		p.Started(s)
		c.pass(time.Second)
		if i == 6 {
			for range 11 {
				c.pass(time.Second)
				p.Refresh()
			}
		}
		result := conformance.Result{Scenario: s, Verdict: conformance.Pass}
		switch {
		case i == 3:
			result.Judgements = []conformance.Judgement{promotion(conformance.Fail)}
		case i == 4:
			j := should(conformance.Warn)
			j.Actual = hostileText
			result.Judgements = []conformance.Judgement{j}
		case i >= 10:
			result.Judgements = []conformance.Judgement{{Verdict: conformance.Inconclusive, Actual: "not decided: interrupted", Event: -1}}
		}
		if len(result.Judgements) > 0 {
			result.Verdict = result.Judgements[0].Verdict
		}
		p.Finished(result)
	}
}

func TestProgressIsAsInTheGoldenFiles(t *testing.T) {
	for name, opts := range map[string]ProgressOptions{
		"progress-pipe.txt":     {},
		"progress-terminal.txt": {Terminal: true, Width: 60},
		"progress-color.txt":    {Terminal: true, Color: true, Width: 120},
	} {
		t.Run(name, func(t *testing.T) {
			c := &clock{epoch}
			var out bytes.Buffer
			opts.Total, opts.Now, opts.Every = 12, c.read, -1
			p := NewProgress(&out, opts)
			smallRun(p, c)
			if err := p.Close(); err != nil {
				t.Error(err)
			}
			golden(t, name, strings.ReplaceAll(out.String(), "\r", "\\r"))
		})
	}
}

func TestTheBarLeavesNothingAndNeverWraps(t *testing.T) {
	c := &clock{epoch}
	var out bytes.Buffer
	p := NewProgress(&out, ProgressOptions{Total: 12, Terminal: true, Width: 60, Now: c.read, Every: -1})
	smallRun(p, c)
	p.Close()
	p.Close()
	screen := emulate(t, out.String(), 60)
	if len(screen) != 3 || screen[2] != "" {
		t.Fatalf("%d lines are left: %q", len(screen), screen)
	}
	for i, want := range []string{"FAIL server/queue/d (S-Q-02): conn-2", "WARN server/queue/e ("} {
		if !strings.HasPrefix(screen[i], want) {
			t.Errorf("line %d is %q, want %q", i, screen[i], want)
		}
	}
}

func TestProgressTellsKnownFailuresAsSuch(t *testing.T) {
	c := &clock{epoch}
	var out bytes.Buffer
	p := NewProgress(&out, ProgressOptions{Total: 12, Now: c.read, Every: -1, Known: Baseline{promotion(conformance.Fail).ID: "mended in 1.3"}})
	smallRun(p, c)
	p.Close()
	for _, want := range []string{"KNOWN FAIL server/queue/d (S-Q-02): ", "WARN server/queue/e (", "12/12 scenarios, 1 did not pass, 1 failed as known, 2 not decided\n"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is missing:\n%s", want, out.String())
		}
	}
	if strings.Contains(out.String(), "\nFAIL ") {
		t.Errorf("a known failure is told as a new one:\n%s", out.String())
	}
}

// emulate returns the lines of a terminal that obeys \r and "erase the line". A
// bar that is as wide as the terminal fails t.
func emulate(t *testing.T, output string, width int) []string {
	t.Helper()
	lines := []string{""}
	for piece := range strings.SplitAfterSeq(output, "\n") {
		for part := range strings.SplitSeq(piece, "\r") {
			last := &lines[len(lines)-1]
			if rest, erased := strings.CutPrefix(part, "\x1b[K"); erased {
				*last, part = "", rest
			}
			text, ended := strings.CutSuffix(part, "\n")
			*last += text
			if strings.HasPrefix(*last, "[") && len([]rune(*last)) >= width {
				t.Errorf("the bar wraps: %q", *last)
			}
			if ended {
				lines = append(lines, "")
			}
		}
	}
	return lines
}

func TestProgressTicksByItself(t *testing.T) {
	written := make(chan string, 100)
	p := NewProgress(writerFunc(func(b []byte) (int, error) {
		select {
		case written <- string(b):
		default:
		}
		return len(b), nil
	}), ProgressOptions{Total: 1, Terminal: true, Every: time.Millisecond})
	defer p.Close()
	if got := <-written; !strings.Contains(got, "0/1 scenarios") {
		t.Errorf("%q", got)
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(b []byte) (int, error) { return f(b) }

func TestProgressReturnsTheErrorOfItsWriter(t *testing.T) {
	p := NewProgress(broken{}, ProgressOptions{Total: 1, Every: -1})
	p.Started(conformance.Scenario{ID: "a"})
	p.Finished(conformance.Result{Scenario: conformance.Scenario{ID: "a"}, Verdict: conformance.Pass})
	if err := p.Close(); !errors.Is(err, errBroken) {
		t.Errorf("%v", err)
	}
}
