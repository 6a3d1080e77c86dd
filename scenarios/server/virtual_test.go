package server

import (
	"testing"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/subject"
	"github.com/monolock-dev/monolock-conform/conformance/timeline"
	"github.com/monolock-dev/monolock-conform/conformance/virtual"
	"github.com/monolock-dev/monolock-conform/refserver"
)

// TestReferenceServerPassesInVirtualTime: the reference server trips nothing.
func TestReferenceServerPassesInVirtualTime(t *testing.T) {
	for _, s := range All() {
		t.Run(s.ID, func(t *testing.T) {
			t.Parallel()
			result := virtual.Server(t, s, conformance.DefaultParams(), false, referenceServer)
			for _, j := range result.Judgements {
				switch {
				case j.Verdict == conformance.Pass, j.Verdict == conformance.Observed:
				case j.Verdict == conformance.Unsupported && s.NeedsProcess:
				default:
					t.Errorf("%s: %s: %s, expected %s, got %s", j.ID, j.Verdict, j.Sentence, j.Expected, j.Actual)
					logAround(t, result.Events, j.Event)
				}
			}
		})
	}
}

func referenceServer() subject.Running { return refserver.New(refserver.Config{}) }

// logAround prints the timeline around an event.
func logAround(t *testing.T, events []timeline.Event, at int) {
	t.Helper()
	for _, e := range timeline.Around(events, at, 20, 3) {
		t.Log(e.Line())
	}
}
