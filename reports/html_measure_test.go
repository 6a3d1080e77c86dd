package reports

import (
	"slices"
	"testing"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

func TestHeartbeatIntervalsAreReadOffTheTimeline(t *testing.T) {
	rows := beatRows(proxiedScenario())
	if len(rows) != 1 || rows[0].name != "link-1" {
		t.Fatalf("got the rows %v, want that of link-1 alone", rows)
	}
	if want := []float64{250, 250, 250, 250, 250}; !slices.Equal(rows[0].ms, want) || rows[0].leases[0] != 1000 {
		t.Errorf("got %v of leases %v, want %v of 1000", rows[0].ms, rows[0].leases, want)
	}
}

func TestNoIntervalIsKnownWhereEventsWereLeftOut(t *testing.T) {
	f := newFixture("client/heartbeats/x", conformance.Pass)
	f.frame(0, "conn-1", "recv", wire.AcquireFrame("job", 1000))
	for _, ms := range []float64{100, 200, 300} {
		f.frame(ms, "conn-1", "recv", wire.HeartbeatFrame)
	}
	f.word(350, bySuite, "… 40 events left out")
	for _, ms := range []float64{9000, 9100, 9200} {
		f.frame(ms, "conn-1", "recv", wire.HeartbeatFrame)
	}
	if got, want := beatRows(f.Scenario)[0].ms, []float64{100, 100, 100, 100}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestHandoversAreTheTimesBetweenClaims(t *testing.T) {
	s := Scenario{
		Requirements: []Judgement{{ID: spec.S_Q_12, Verdict: conformance.Observed}},
		Claims:       []Claim{{"conn-2", 130, 200, "2"}, {"conn-1", 0, 100, "1"}, {"conn-3", 190, 300, "3"}},
	}
	if got := handovers(s); !slices.Equal(got, []float64{30}) {
		t.Errorf("got %v, want 30 µs, and nothing for claims that overlap", got)
	}
	s.Requirements = nil
	if got := handovers(s); got != nil {
		t.Errorf("got %v of a scenario that measures no handover", got)
	}
}
