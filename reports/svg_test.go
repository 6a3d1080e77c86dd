package reports

import (
	"slices"
	"strings"
	"testing"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

func TestPictureIsAsInTheGoldenFile(t *testing.T) {
	r := lateClient()
	for name, s := range map[string]Scenario{"late": r.Scenarios[0], "proxied": r.Scenarios[1]} {
		drawn := string(wholePicture(r.Subject.Role, s).drawn("p"))
		golden(t, "picture-"+name+".svg", strings.ReplaceAll(drawn, "><", ">\n<")+"\n")
	}
}

func TestAxisKeepsTheOrderAndTellsInstantsApart(t *testing.T) {
	instants := []int64{8, 9, 10, 11, 250_000, 800_000, 800_900, 1_700_000}
	a := newAxis(instants, 100, 800)
	last := -1.0
	for us := int64(0); us < 1_800_000; us += 37 {
		if x := a.x(us); x < last || x < 100 || x > 900 {
			t.Fatalf("%d µs stands at %v, and what was before it at %v", us, x, last)
		} else {
			last = x
		}
	}
	for i := 1; i < len(instants); i++ {
		if apart := a.x(instants[i]) - a.x(instants[i-1]); apart < 20 {
			t.Errorf("%d and %d stand %v apart", instants[i-1], instants[i], apart)
		}
	}
	for _, empty := range [][]int64{nil, {5}, {5, 5}} {
		if x := newAxis(empty, 100, 800).x(5); x < 100 || x > 900 {
			t.Errorf("an axis of %v puts 5 at %v", empty, x)
		}
	}
}

func TestTicksAreRoundAndApart(t *testing.T) {
	for _, until := range []int64{3, 900, 12_345, 1_700_000, 3_600_000_000} {
		ticks := newAxis([]int64{0, until}, 0, 900).ticks(58)
		if len(ticks) < 2 || len(ticks) > 16 {
			t.Errorf("%d ticks for %d µs", len(ticks), until)
		}
		for i := 1; i < len(ticks); i++ {
			if ticks[i].x-ticks[i-1].x < 58 {
				t.Errorf("%d µs: %q and %q stand too close", until, ticks[i-1].text, ticks[i].text)
			}
		}
	}
}

func TestLabelsOfARowDoNotCover(t *testing.T) {
	s := crowd(3, 120)
	p := wholePicture(spec.RoleServer, s)
	for _, l := range p.lanes {
		labels := p.labels(l)
		if len(labels) == 0 {
			t.Error("a lane without any label")
		}
		for i, a := range labels {
			for _, b := range labels[:i] {
				if a.row == b.row && a.up == b.up && begin(a) < begin(b)+widthOf(b.text) && begin(b) < begin(a)+widthOf(a.text) {
					t.Errorf("%q and %q cover each other", a.text, b.text)
				}
			}
		}
	}
}

func begin(l caption) float64 {
	if l.end {
		return l.x - widthOf(l.text)
	}
	return l.x
}

func TestAPictureSaysWhatItLeavesOut(t *testing.T) {
	p := wholePicture(spec.RoleServer, crowd(30, 150))
	if len(p.lanes) != lanesOfPass || p.hidden != 30-lanesOfPass {
		t.Errorf("%d lanes are drawn and %d are not", len(p.lanes), p.hidden)
	}
	notes := strings.Join(newHTMLPicture(p, "p").Notes, "\n")
	if want := "23 lanes are not drawn for want of room"; !strings.Contains(notes, want) {
		t.Errorf("the notes are %q, want %q", notes, want)
	}
}

func TestAFindingsPictureShowsTheLaneThatItSpeaksOf(t *testing.T) {
	s := crowd(60, 300)
	s.Verdict = conformance.Fail
	at := place{Judgement{ID: spec.S_Q_02, Verdict: conformance.Fail, Actual: "conn-57: no ACQUIRED"}, s}
	drawn := placePicture(spec.RoleServer, at)
	if !slices.ContainsFunc(drawn.lanes, func(l lane) bool { return l.who == "conn-57" }) {
		t.Error("conn-57 has no lane")
	}
}

func TestFramesPointToWhoGetsThem(t *testing.T) {
	down := func(role spec.Role, who, what string) bool { return goesToServer(role, Event{Who: who, What: what}) }
	for _, test := range []struct {
		role      spec.Role
		who, what string
		want      bool
	}{
		{spec.RoleServer, "conn-1", "send", true}, {spec.RoleServer, "conn-1", "recv", false},
		{spec.RoleClient, "conn-1", "send", false}, {spec.RoleClient, "conn-1", "recv", true},
		{spec.RoleClient, "link-1", "recv", true}, {spec.RoleClient, "link-1", "send", false},
		{spec.RoleClient, "upstream-1", "send", true}, {spec.RoleClient, "upstream-1", "recv", false},
	} {
		if got := down(test.role, test.who, test.what); got != test.want {
			t.Errorf("%s, %s %s: to the server is %v", test.role, test.who, test.what, got)
		}
	}
}

func TestMarksThatStandTooCloseAreCounted(t *testing.T) {
	f := newFixture("server/heartbeat/burst", conformance.Fail)
	f.frame(0, "conn-1", "send", wire.AcquireFrame("job", 500))
	for i := range 200 {
		f.frame(1+float64(i)/1000, "conn-1", "send", wire.HeartbeatFrame)
	}
	f.frame(1000, "conn-1", "recv", wire.AcquiredFrame(1))
	marks := wholePicture(spec.RoleServer, f.Scenario).lanes[0].marks
	all := 0
	for _, m := range marks {
		all += m.count
	}
	if all != 202 || len(marks) > 130 {
		t.Errorf("%d marks stand for %d events, want fewer marks for all 202", len(marks), all)
	}
}

func TestAnOverrunIsPairedOnlyWhereItIsClear(t *testing.T) {
	found := func(us int64) Event { return Event{TUS: us, Who: byVerdict, Frame: `C-TO-01 fail: case "1s": in time`} }
	limit := func(us int64) Limit { return Limit{"in time", us} }
	for name, test := range map[string]struct {
		events []Event
		limits []Limit
		want   []overrun
	}{
		"one":          {[]Event{found(900)}, []Limit{limit(800)}, []overrun{{800, 900, "0.100 ms too late"}}},
		"in pairs":     {[]Event{found(900), found(1900)}, []Limit{limit(1800), limit(800)}, []overrun{{800, 900, "0.100 ms too late"}, {1800, 1900, "0.100 ms too late"}}},
		"one before":   {[]Event{found(900)}, []Limit{limit(800), limit(950)}, []overrun{{800, 900, "0.100 ms too late"}}},
		"two before":   {[]Event{found(900)}, []Limit{limit(700), limit(800)}, nil},
		"too early":    {[]Event{found(900)}, []Limit{{"not before: in time", 1000}}, []overrun{{900, 1000, "0.100 ms too early"}}},
		"of another":   {[]Event{found(900)}, []Limit{{"something else", 800}}, nil},
		"not overrun":  {[]Event{found(900)}, []Limit{limit(1000)}, nil},
		"without text": {[]Event{found(900)}, []Limit{{"", 800}}, nil},
	} {
		if got := overruns(test.events, test.limits); !slices.Equal(got, test.want) {
			t.Errorf("%s: got %v, want %v", name, got, test.want)
		}
	}
}

func TestBandsAreInTheLaneThatTheyName(t *testing.T) {
	for text, want := range map[string][2]string{
		"lease of conn-1": {"lease", "conn-1"}, "0.8 lease of client-12": {"0.8 lease", "client-12"}, "silence": {"silence", ""},
		"stall of something": {"stall of something", ""}, "a of b of link-3": {"a of b", "link-3"},
	} {
		if what, who := splitBand(text); what != want[0] || who != want[1] {
			t.Errorf("splitBand(%q) = %q, %q", text, what, who)
		}
	}
	lanes := wholePicture(spec.RoleClient, proxiedScenario()).lanes
	var order []string
	for _, l := range lanes {
		order = append(order, l.who)
	}
	if want := []string{"", "link-1", "proxy", "upstream-1"}; !slices.Equal(order, want) {
		t.Errorf("the lanes are %q, want %q", order, want)
	}
}
