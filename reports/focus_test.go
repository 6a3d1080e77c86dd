package reports

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/spec"
)

// sideBySide is a timeline of two cases that run side by side, each on a connection
// of its own with an event every millisecond; and a lane that belongs to no case.
func sideBySide(n int) []Event {
	events := []Event{
		{Who: "conn-1", What: "open", Frame: "open by the suite in the case: one"},
		{Who: "conn-2", What: "open", Frame: "open by the suite in the case: two"},
	}
	for i := range n {
		us := int64(i+1) * 1000
		events = append(events, Event{TUS: us, Who: "conn-1", What: "send", Frame: "HEARTBEAT"}, Event{TUS: us, Who: "conn-2", What: "send", Frame: "HEARTBEAT"})
	}
	return append(events,
		Event{TUS: int64(n)*1000 + 1, Who: "proxy", What: "fault", Frame: "healed"},
		Event{TUS: int64(n)*1000 + 1, Who: byVerdict, What: "event", Frame: `S-Q-03 fail: case "two": it comes`},
		Event{TUS: int64(n)*1000 + 3, Who: "conn-1", What: "recv", Frame: "WAITING"},
		Event{TUS: int64(n)*1000 + 3, Who: byVerdict, What: "event", Frame: `S-Q-02 fail: case "one": it is pushed`},
		Event{TUS: int64(n)*1000 + 5, Who: "conn-2", What: "recv", Frame: "WAITING"},
	)
}

func foundInCaseOne(events []Event) place {
	return place{
		Judgement{ID: spec.S_Q_02, Verdict: conformance.Fail, Expected: `case "one": it is pushed: ACQUIRED`, Actual: "conn-1: WAITING"},
		Scenario{
			ID: "server/fake/cases", Verdict: conformance.Fail, Timeline: events,
			Claims: []Claim{{Who: "conn-1", ToUS: 9000}, {Who: "conn-2", ToUS: 9000}},
			Bands:  []Band{{"lease of conn-2", 0, 9000}, {"silence of conn-1", 0, 9000}, {"partition", 0, 9000}},
			Limits: []Limit{{`case "one": it is pushed`, 3000}, {`not before: case "two": it comes`, 4000}},
		},
	}
}

func TestAFindingOfACaseShowsItsOwnConnections(t *testing.T) {
	at := foundInCaseOne(sideBySide(40))
	part, shows := partOf(at, shownBefore, shownAfter)
	if !shows || part.events[part.decisive].Frame != "WAITING" || part.events[part.decisive].Who != "conn-1" {
		t.Fatalf("the part is %+v", part)
	}
	own := 0
	for _, e := range part.events {
		switch e.Who {
		case "conn-1":
			own++
		case "proxy":
		default:
			t.Errorf("the other case's %s is shown: %s", e.Who, e.Frame)
		}
	}
	if own != shownBefore {
		t.Errorf("%d events of its own are shown, want %d and the proxy's", own, shownBefore)
	}
	if whole := part.before + part.after + part.between + len(part.events); whole != len(at.scenario.Timeline)-1 {
		t.Errorf("%d events are shown or counted, of %d", whole, len(at.scenario.Timeline)-1)
	}
	page := &page{}
	page.evidence(at)
	if want := fmt.Sprintf("… and %d of other connections in between", part.between); part.between == 0 || !strings.Contains(page.out.String(), want) {
		t.Errorf("%q is missing:\n%s", want, page.out.String())
	}
}

func TestThePictureOfACaseHasItsOwnLanesAndLimits(t *testing.T) {
	p := placePicture(spec.RoleServer, foundInCaseOne(sideBySide(40)))
	var lanes []string
	for _, l := range p.lanes {
		lanes = append(lanes, l.who)
	}
	if want := []string{"proxy", "conn-1"}; !slices.Equal(lanes, want) {
		t.Errorf("the lanes are %v, want %v", lanes, want)
	}
	if len(p.scenario.Claims) != 1 || len(p.scenario.Bands) != 2 {
		t.Errorf("claims %v and bands %v are drawn, want no other case's", p.scenario.Claims, p.scenario.Bands)
	}
	if len(p.scenario.Limits) != 1 || len(p.found) != 1 {
		t.Errorf("limits %v and findings %v are drawn, want one of each: those of the case", p.scenario.Limits, p.found)
	}
}

// crowdOfLocks is a timeline of many connections on two locks. Conn-1 waits from the
// beginning, and conn-90, which asks at the end, is granted the lock before it.
func crowdOfLocks() []Event {
	var events []Event
	for i := 1; i <= 90; i++ {
		who, us := fmt.Sprintf("conn-%d", i), int64(i)*1000
		events = append(events,
			Event{TUS: us, Who: who, What: "open", Frame: "open by the suite"},
			Event{TUS: us + 1, Who: who, What: "send", Frame: fmt.Sprintf(`ACQUIRE version=1 lease=500ms name="lock-%d"`, map[bool]int{true: 0, false: 1}[i == 1 || i%2 == 0])},
			Event{TUS: us + 2, Who: who, What: "recv", Frame: "WAITING"},
		)
	}
	return append(events, Event{TUS: 91_000, Who: "conn-90", What: "recv", Frame: "ACQUIRED token=7"})
}

func TestAConnectionThatIsNamedIsShownHoweverFarItIs(t *testing.T) {
	events := crowdOfLocks()
	mark := foundIn{len(events), "conn-1 waited, and conn-90 was granted before it"}
	verdict := Event{TUS: 91_000, Who: byVerdict, What: "event", Frame: "S-Q-01 fail: order"}
	kept := trimmed(append(events, verdict), []foundIn{mark}, 60)
	if len(kept) > 60 {
		t.Errorf("%d events are kept, of at most 60", len(kept))
	}
	of := func(events []Event, who string) int { return countWho(events, who) }
	if of(kept, "conn-1") != 3 || of(kept, "conn-90") != 4 {
		t.Errorf("%d and %d events of the two connections are kept, want all", of(kept, "conn-1"), of(kept, "conn-90"))
	}
	at := place{Judgement{ID: spec.S_Q_01, Verdict: conformance.Fail, Actual: mark.words}, Scenario{Verdict: conformance.Fail, Timeline: kept}}
	part, shows := partOf(at, shownBefore, shownAfter)
	if !shows || of(part.events, "conn-1") != 3 || part.events[part.decisive].Frame != "ACQUIRED token=7" {
		t.Errorf("the part is %+v; want all of conn-1, and the grant of conn-90 to decide", part)
	}
	if n := of(part.events, "conn-89"); n != 0 {
		t.Errorf("%d events of a connection that asks for another lock are shown", n)
	}
	if p := placePicture(spec.RoleServer, at); !slices.ContainsFunc(p.lanes, func(l lane) bool { return l.who == "conn-1" }) || len(p.missing()) > 0 {
		t.Errorf("the picture lacks conn-1; missing: %v", p.missing())
	}
}
