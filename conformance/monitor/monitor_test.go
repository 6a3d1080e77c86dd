package monitor

import (
	"slices"
	"testing"

	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/conformance/timeline"
)

// A timeline without traffic is not applicable to any monitor. Were it held, a
// run against nothing would be green.
func TestNothingHoldsWhereNothingHappened(t *testing.T) {
	for _, events := range [][]timeline.Event{
		nil,
		story(remark("nothing else")),
		story(leaves("a"), dropped("b")),
	} {
		for _, f := range Server(events) {
			if f.Examined != 0 || len(f.Violations) != 0 || f.Held() {
				t.Errorf("%s of %d events: %+v; want nothing examined and not held", f.ID, len(events), f)
			}
		}
	}
}

func TestOneFindingEachInTheOrderOfTheCatalogue(t *testing.T) {
	var got []spec.ID
	for _, f := range Server(nil) {
		got = append(got, f.ID)
	}
	var want []spec.ID
	for _, r := range spec.Of(spec.RoleServer) {
		if slices.Contains(got, r.ID) {
			want = append(want, r.ID)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("findings come as %v; want each once, as %v", got, want)
	}
}

// Monitors are pure: the timeline stays as it was, and a second reading finds
// the same.
func TestMonitorsChangeNothing(t *testing.T) {
	events := story(asks("a", "job"), acquired("a", 7), asks("b", "job"), acquired("b", 7), waits("b"))
	before := slices.Clone(events)
	first, second := Server(events), Server(events)
	for i := range events {
		if events[i].Seq != before[i].Seq || events[i].Frame != before[i].Frame {
			t.Errorf("event %d was changed", i)
		}
	}
	for i := range first {
		if first[i].Examined != second[i].Examined || !slices.Equal(first[i].Violations, second[i].Violations) {
			t.Errorf("%s says %v, then %v", first[i].ID, first[i], second[i])
		}
	}
}
