package reports

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/spec"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// runs are all kinds of runs, by the name of their golden file.
func runs() map[string]Input {
	strict := change(goodRun(), should(conformance.Warn))
	strict.Filters.Strict = true
	nothing := goodRun()
	nothing.Outcome.Results = nil
	aborted := change(goodRun(), promotion(conformance.Fail))
	aborted = change(aborted, conformance.Judgement{
		ID: spec.S_Q_03, Verdict: conformance.Inconclusive, Expected: "a scenario that comes to this point",
		Actual: "not reached: something before it did not hold", Event: 2,
	})
	remote := goodRun()
	remote.Offered = nil
	remote = change(remote, conformance.Judgement{ID: spec.S_SHUT_01, Verdict: conformance.Unsupported, Actual: "the subject does not offer the feature control", Event: -1})
	remote = change(remote, conformance.Judgement{ID: spec.S_ROB_07, Verdict: conformance.Unsupported, Actual: "only a server that runs as a process can show this", Event: -1})
	doubt := promotion(conformance.Inconclusive)
	doubt.Doubt = true
	return map[string]Input{
		"pass":            goodRun(),
		"fail":            aborted,
		"warn":            change(goodRun(), should(conformance.Warn)),
		"warn-strict":     strict,
		"flaky":           change(goodRun(), promotion(conformance.Flaky)),
		"inconclusive":    change(goodRun(), doubt),
		"error":           change(goodRun(), promotion(conformance.Error)),
		"known-fail":      change(goodRun(), promotion(conformance.KnownFail)),
		"unexpected-pass": change(goodRun(), promotion(conformance.UnexpectedPass)),
		"unsupported":     remote,
		"excluded":        excluding(goodRun(), "queue"),
		"many-failures":   manyFailures(),
		"hostile":         hostileRun(),
		"nothing":         nothing,
		"gone":            gone(""),
		"gone-negative":   gone("a frame of 16 MB"),
		"unreachable":     unreachable(),
		"interrupted":     voided(goodRun(), 2, errors.New("interrupted")),
	}
}

func TestTextIsAsInTheGoldenFiles(t *testing.T) {
	for name, in := range runs() {
		t.Run(name, func(t *testing.T) {
			golden(t, name+".txt", text(t, New(in), TextOptions{}))
		})
	}
	slow := goodRun()
	slow.Outcome.Results[1].Ended = epoch.Add(5 * time.Second)
	slow.Outcome.Results[1].Attempts = 2
	t.Run("verbose", func(t *testing.T) {
		golden(t, "verbose.txt", text(t, New(slow), TextOptions{Verbose: true, Width: 100}))
	})
	t.Run("color", func(t *testing.T) {
		golden(t, "color.txt", text(t, New(change(goodRun(), promotion(conformance.Fail))), TextOptions{Color: true}))
	})
}

func TestColourAddsNothingButColour(t *testing.T) {
	for name, in := range runs() {
		with, without := text(t, New(in), TextOptions{Color: true}), text(t, New(in), TextOptions{})
		if got := uncoloured(with); got != without {
			t.Errorf("%s: without its colours the coloured text is another:\n%s", name, got)
		}
	}
}

// uncoloured takes away what painted adds.
func uncoloured(text string) string {
	for _, s := range []style{bold, dim, red, green, yellow} {
		text = strings.ReplaceAll(text, "\x1b["+string(s)+"m", "")
	}
	return strings.ReplaceAll(text, "\x1b[0m", "")
}

func text(t *testing.T, r Result, opts TextOptions) string {
	t.Helper()
	var out bytes.Buffer
	if err := Text(&out, r, opts); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// golden compares with a file of testdata, or rewrites it. The catalogue's hash is
// left out: each change of a sentence would change every file.
func golden(t *testing.T, name, got string) {
	t.Helper()
	got = strings.ReplaceAll(got, spec.Hash(), "CATALOGUE-HASH")
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v (go test ./reports -update writes it)", err)
	}
	if got != string(want) {
		t.Errorf("%s differs (go test ./reports -update rewrites it); got:\n%s", path, got)
	}
}
