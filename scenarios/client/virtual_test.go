package client

import (
	"context"
	"io"
	"testing"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/subject"
	"github.com/monolock-dev/monolock-conform/conformance/timeline"
	"github.com/monolock-dev/monolock-conform/conformance/virtual"
	"github.com/monolock-dev/monolock-conform/refclient/adapter"
)

// TestReferenceClientPassesInVirtualTime: the reference client trips nothing.
func TestReferenceClientPassesInVirtualTime(t *testing.T) {
	for _, s := range All() {
		t.Run(s.ID, func(t *testing.T) {
			t.Parallel()
			result := virtual.Client(t, s, conformance.DefaultParams(), referenceClient)
			for _, j := range result.Judgements {
				switch {
				case j.Verdict == conformance.Pass, j.Verdict == conformance.Observed:
				case j.Verdict == conformance.Unsupported && s.NeedsProcess:
				default:
					t.Errorf("%s: %s: %s, %s: expected %s, got %s", j.ID, j.Verdict, j.Case, j.Sentence, j.Expected, j.Actual)
					for _, e := range timeline.Around(result.Events, j.Event, 25, 5) {
						t.Log(e.Line())
					}
				}
			}
		})
	}
}

// referenceClient is the reference client's adapter as a goroutine.
func referenceClient(dial virtual.Dial) subject.Client {
	return subject.InProcessClient{Run: func(ctx context.Context, getenv func(string) string, stdin io.Reader, stdout, stderr io.Writer) int {
		env := adapter.Env{Getenv: getenv, Stdin: stdin, Stdout: stdout, Stderr: stderr, Dial: dial}
		return adapter.Run(ctx, env, adapter.Standard)
	}}
}
