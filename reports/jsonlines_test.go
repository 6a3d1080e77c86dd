package reports

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/spec"
)

func TestJSONLinesAreAsInTheGoldenFile(t *testing.T) {
	c := &clock{epoch}
	var out bytes.Buffer
	in := change(goodRun(), promotion(conformance.Fail))
	l := NewJSONLines(&out, JSONLinesOptions{Suite: in.Suite, Subject: in.Subject, Params: in.Params, Jobs: in.Jobs, Total: 2, Now: c.read})
	for _, result := range in.Outcome.Results[3:5] {
		c.pass(time.Second)
		l.Started(result.Scenario)
		c.pass(time.Second)
		l.Finished(result)
	}
	if err := l.Conclude(only(New(in), spec.S_Q_02, spec.S_TOK_01), false); err != nil {
		t.Error(err)
	}
	golden(t, "events.jsonl", strings.ReplaceAll(out.String(), spec.Hash(), "sha256:of the catalogue"))
}

// chopped keeps the pieces that were written.
type chopped struct{ pieces []string }

func (c *chopped) Write(b []byte) (int, error) {
	c.pieces = append(c.pieces, string(b))
	return len(b), nil
}

// TestEveryWriteIsALine also where many scenarios end at once, with hostile text.
func TestEveryWriteIsALine(t *testing.T) {
	out := &chopped{} // without a lock of its own: the race detector sees two writers
	l := NewJSONLines(out, JSONLinesOptions{Subject: Subject{Role: spec.RoleServer, Target: hostileText}})
	var all sync.WaitGroup
	for _, text := range hostileTexts {
		for range 20 {
			all.Go(func() {
				j := promotion(conformance.Fail)
				j.Actual, j.Sentence = text, text
				l.Started(conformance.Scenario{ID: text, Title: text})
				l.Finished(conformance.Result{Scenario: conformance.Scenario{ID: text}, Verdict: conformance.Fail, Judgements: []conformance.Judgement{j}})
			})
		}
	}
	all.Wait()
	if err := l.Conclude(rawResult(hostileText), true); err != nil {
		t.Fatal(err)
	}
	if want := 2 + 2*20*len(hostileTexts); len(out.pieces) != want {
		t.Errorf("%d writes, want %d", len(out.pieces), want)
	}
	counts := map[any]int{}
	for _, piece := range out.pieces {
		var event map[string]any
		if err := json.Unmarshal([]byte(piece), &event); err != nil || strings.Count(piece, "\n") != 1 || !strings.HasSuffix(piece, "}\n") {
			t.Errorf("%v: %.300q", err, piece)
		}
		counts[event["event"]]++
	}
	if n := 20 * len(hostileTexts); counts["run"] != 1 || counts["started"] != n || counts["finished"] != n || counts["conclusion"] != 1 {
		t.Errorf("%v", counts)
	}
}

// failing fails at its n-th write, after half of it.
type failing struct {
	chopped
	n     int
	short bool // and says nothing of it
}

func (f *failing) Write(b []byte) (int, error) {
	if f.n--; f.n > 0 {
		return f.chopped.Write(b)
	}
	n, _ := f.chopped.Write(b[:len(b)/2])
	if f.short {
		return n, nil
	}
	return n, errBroken
}

func TestNoLineStandsBehindHalfALine(t *testing.T) {
	for _, short := range []bool{false, true} {
		out := &failing{n: 3, short: short}
		l := NewJSONLines(out, JSONLinesOptions{})
		for range 5 {
			l.Started(conformance.Scenario{ID: "server/queue/a"})
		}
		want := errBroken
		if short {
			want = io.ErrShortWrite
		}
		if err := l.Conclude(New(goodRun()), false); !errors.Is(err, want) {
			t.Errorf("%v, want %v", err, want)
		}
		if len(out.pieces) != 3 {
			t.Errorf("%d writes: %q", len(out.pieces), out.pieces)
		}
	}
}

// TestTheConclusionHasTheExitCode: an interrupt is seen in it, and a baseline.
func TestTheConclusionHasTheExitCode(t *testing.T) {
	for interrupted, want := range map[bool]string{true: `"exit_code":130}`, false: `"exit_code":1}`} {
		var out bytes.Buffer
		l := NewJSONLines(&out, JSONLinesOptions{})
		if err := l.Conclude(baselines(t)["baseline-unexpected"], interrupted); err != nil || !strings.HasSuffix(strings.TrimSpace(out.String()), want) {
			t.Errorf("%v, %s", err, out.String())
		}
	}
}
