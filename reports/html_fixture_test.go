package reports

import (
	"encoding/hex"
	"fmt"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

// lateSentence is what the late client breaks.
const lateSentence = "without a confirmation the claim ends by 0.8 lease"

// lateClient is a client that revokes itself 201 ms too late, with claim, bands and
// limit, and another scenario, behind a proxy, that passes.
func lateClient() Result {
	r := New(Input{
		Suite: Suite{Version: "0.1.0", Commit: "abc"}, Params: conformance.DefaultParams(), Jobs: 12,
		Subject: Subject{Role: spec.RoleClient, Name: "slow", Version: "1.2", Language: "Go", Target: "./slow --quick", Lacks: []string{"retry"}},
		Args:    []string{"--client", "./slow --quick"}, Outcome: &conformance.Outcome{Started: epoch, Duration: 3 * time.Second},
	})
	r.Scenarios = []Scenario{lateScenario(), proxiedScenario()}
	Judge(&r)
	return r
}

func lateScenario() Scenario {
	s := newFixture("client/documented/network-stops", conformance.Fail)
	s.Title = "the network stops while the client holds"
	s.Requirements = []Judgement{{
		ID: spec.C_TO_01, Verdict: conformance.Fail, Expected: lateSentence + ": the stop signal by 0.8 lease",
		Actual: "client-1 was stopped 1001 ms after its last confirmation", MeasuredMS: 1001,
	}}
	s.word(0.2, "client-1", "hello from slow 1.2 (Go)")
	s.add(Event{TUS: 300, Who: "conn-1", What: "open", Frame: "by the subject"})
	s.frame(0.4, "conn-1", "recv", wire.AcquireFrame("conform/job", 1000))
	s.frame(0.5, "conn-1", "send", wire.AcquiredFrame(7))
	s.word(0.6, "client-1", "granted, token 7")
	for _, ms := range []float64{250, 500, 750} {
		s.frame(ms, "conn-1", "recv", wire.HeartbeatFrame)
		s.frame(ms+0.1, "conn-1", "send", wire.AcquiredFrame(7))
	}
	s.word(750.2, "conn-1", "the server falls silent")
	s.word(1751, "client-1", "lost: no confirmation")
	s.add(Event{TUS: 1_751_000, Who: byVerdict, What: "event", Frame: "C-TO-01 fail: " + lateSentence})
	s.word(1752, "client-1", "ended: exit code 0")
	s.Claims = []Claim{{"client-1", 600, 1_751_000, "7"}}
	s.Bands = []Band{
		{"silence of conn-1", 750_200, 1_752_000}, {"lease of conn-1", 750_000, 1_750_000}, {"0.8 lease of conn-1", 750_000, 1_550_000},
	}
	s.Limits = []Limit{{lateSentence, 1_550_000}}
	return s.Scenario
}

func proxiedScenario() Scenario {
	s := newFixture("client/heartbeats/behind-a-proxy", conformance.Pass)
	s.Requirements = []Judgement{{ID: spec.C_HB_01, Verdict: conformance.Pass, MeasuredMS: 251.3}}
	for _, end := range []struct{ who, sent, got string }{{"link-1", "recv", "send"}, {"upstream-1", "send", "recv"}} {
		s.add(Event{TUS: 100, Who: end.who, What: "open", Frame: "by the subject"})
		s.frame(0.3, end.who, end.sent, wire.AcquireFrame("conform/job", 1000))
		s.frame(0.4, end.who, end.got, wire.AcquiredFrame(9))
		for i := range 6 {
			s.frame(250*float64(i+1), end.who, end.sent, wire.HeartbeatFrame)
		}
		s.add(Event{TUS: 1_800_000, Who: end.who, What: "rst", Frame: "by the subject"})
	}
	s.add(Event{TUS: 600_000, Who: "proxy", What: "fault", Frame: "partition dir=up at 127.0.0.1:1"})
	s.Bands = []Band{{"partition dir=up at 127.0.0.1:1", 600_000, 700_000}, {"lease", 0, 1_000_000}}
	s.Trace = "traces/behind a proxy.pcapng"
	return s.Scenario
}

// fixture is a scenario that is written by hand.
type fixture struct{ Scenario }

func newFixture(id string, v conformance.Verdict) *fixture {
	return &fixture{Scenario{ID: id, Title: "a title", Verdict: v, Attempts: 1, DurationMS: 1800, LeaseMS: 500, Limits: []Limit{}, Claims: []Claim{}, Bands: []Band{}}}
}

func (f *fixture) add(e Event) { f.Timeline = append(f.Timeline, e) }

func (f *fixture) word(ms float64, who, text string) {
	f.add(Event{TUS: int64(ms * 1000), Who: who, What: "event", Frame: text})
}

func (f *fixture) frame(ms float64, who, what string, frame wire.Frame) {
	f.add(Event{TUS: int64(ms * 1000), Who: who, What: what, Frame: frame.String(), Hex: hex.EncodeToString(wire.Bytes(frame))})
}

// crowd is a scenario with more lanes and more frames than a picture can hold.
func crowd(lanes, frames int) Scenario {
	s := newFixture("server/load/crowd", conformance.Pass)
	for i := range frames {
		s.frame(float64(i)/50, fmt.Sprintf("conn-%d", i%lanes+1), "send", wire.HeartbeatFrame)
	}
	return s.Scenario
}
