package monitor

import (
	"slices"
	"testing"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/conformance/timeline"
	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

const (
	second = time.Second
	ms     = time.Millisecond
)

// near is the path of a capture on the host of both ends; far is one from between
// them.
var (
	near = Path{Known: true, Client: 100 * time.Microsecond, Server: 100 * time.Microsecond}
	far  = Path{Known: true, Client: 80 * ms, Server: 80 * ms}
)

// at gives an event its time.
func at(when time.Duration, e timeline.Event) timeline.Event {
	e.At = when
	return e
}

func late(e timeline.Event) timeline.Event {
	e.Note = timeline.Late
	return e
}

func missed(who string) timeline.Event {
	return timeline.Event{Who: who, What: timeline.Remark, Note: timeline.Missed}
}

func asksFor(who, lock string, lease time.Duration) timeline.Event {
	return sends(who, wire.AcquireFrame(lock, uint32(lease.Milliseconds())))
}

// captureRow is a capture as its client's side sees it, and what a monitor must say.
type captureRow struct {
	name     string
	path     Path
	events   []timeline.Event
	examined int
	violated []int
	doubted  []int
}

// checkCapture runs the monitor of id over each row. For a client the events are
// turned around.
func checkCapture(t *testing.T, id spec.ID, rows []captureRow) {
	t.Helper()
	r, _ := spec.Get(id)
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			w := NewCapture(r.Role, 1000)
			for _, who := range []string{"a", "b", "c"} {
				w.Begin(who, "server", row.path)
			}
			for _, e := range row.events {
				if r.Role == spec.RoleClient {
					e = turned(e)
				}
				w.Step(&e)
				if e.Note == endOfSession {
					w.End(e.Who)
				}
			}
			for _, f := range w.Findings() {
				if f.ID != id {
					continue
				}
				if f.Examined != row.examined || !slices.Equal(seqs(f.Violations), row.violated) || !slices.Equal(seqs(f.Doubts), row.doubted) {
					t.Errorf("examined %d, violated %v, doubted %v; want %d, %v, %v\n%+v", f.Examined, seqs(f.Violations), seqs(f.Doubts),
						row.examined, row.violated, row.doubted, f)
				}
			}
		})
	}
}

// endOfSession marks an event behind which the session is over.
const endOfSession = "end"

func seqs(all []Violation) (seqs []int) {
	for _, v := range all {
		seqs = append(seqs, v.Event)
	}
	return seqs
}

func turned(e timeline.Event) timeline.Event {
	switch e.What {
	case timeline.Send:
		e.What = timeline.Recv
	case timeline.Recv:
		e.What = timeline.Send
	}
	if e.By == timeline.Suite {
		e.By = timeline.Subject
	} else {
		e.By = timeline.Suite
	}
	return e
}

// beating is a holder with a lease of a second whose heartbeats come after these
// pauses, each answered a millisecond later.
func beating(pauses ...time.Duration) []timeline.Event {
	events := []timeline.Event{asksFor("a", "job", second), at(ms, acquired("a", 1))}
	now := time.Duration(0)
	for _, pause := range pauses {
		now += pause
		events = append(events, at(now, beats("a")), at(now+ms, acquired("a", 1)))
	}
	return story(events...)
}

func TestHolderBeatsInTime(t *testing.T) {
	const right, wrong = 250 * ms, 400 * ms
	slow := story(asksFor("a", "job", second), acquired("a", 1),
		at(200*ms, beats("a")), at(600*ms, acquired("a", 1)), at(610*ms, beats("a")), at(1000*ms, acquired("a", 1)), at(1300*ms, beats("a")))
	checkCapture(t, spec.C_HB_01, []captureRow{
		{name: "in time", path: near, events: beating(right, right, right, right), examined: 3},
		{name: "a little late, within the tolerance", path: near, events: beating(right, 305*ms, right), examined: 2},
		{name: "late twice: a busy machine, perhaps", path: near, events: beating(right, wrong, right, wrong), examined: 3, doubted: []int{4, 8}},
		{name: "late every time", path: near, events: beating(right, wrong, wrong, wrong, wrong), examined: 4, violated: []int{8, 10}, doubted: []int{4, 6}},
		{name: "the first heartbeat counts from nothing", path: near, events: beating(900 * ms), examined: 0},
		{name: "seen from far", path: far, events: beating(right, wrong, wrong, wrong)},
		{name: "from nobody knows where", events: beating(right, wrong, wrong, wrong)},
		{name: "right after a late answer", path: near, events: slow, examined: 2, doubted: []int{6}},
		{name: "a lease below any floor", path: near, events: story(asksFor("a", "job", 300*ms), acquired("a", 1),
			beats("a"), acquired("a", 1), at(200*ms, beats("a")), at(200*ms, acquired("a", 1)))},
		{name: "bytes are missing between", path: near, events: story(asksFor("a", "job", second), acquired("a", 1), at(ms, beats("a")), at(2*ms, acquired("a", 1)),
			missed("a"), at(900*ms, beats("a")), at(900*ms, acquired("a", 1)))},
		{name: "seen out of order", path: near, events: story(asksFor("a", "job", second), acquired("a", 1), at(ms, beats("a")), at(2*ms, acquired("a", 1)),
			at(900*ms, late(beats("a"))), at(900*ms, acquired("a", 1)), at(1300*ms, beats("a")))},
	})
	waiting := story(asksFor("a", "job", second), at(ms, waits("a")), at(200*ms, beats("a")), at(201*ms, waits("a")), at(900*ms, beats("a")))
	checkCapture(t, spec.C_HB_02, []captureRow{{name: "a waiter", path: near, events: waiting, examined: 1, doubted: []int{4}}})
	checkCapture(t, spec.C_HB_01, []captureRow{{name: "a waiter is no holder", path: near, events: waiting}})
}

func TestSilentHolderCloses(t *testing.T) {
	// The answers stop behind the heartbeat at 250 ms; 0.8 lease is over at 1051 ms.
	silence := func(then ...timeline.Event) []timeline.Event {
		return story(append([]timeline.Event{asksFor("a", "job", second), at(ms, acquired("a", 1)),
			at(250*ms, beats("a")), at(251*ms, acquired("a", 1)), at(500*ms, beats("a"))}, then...)...)
	}
	checkCapture(t, spec.C_TO_04, []captureRow{
		{name: "closes in time", path: near, events: silence(at(1050*ms, leaves("a"))), examined: 1},
		{name: "closes far too late", path: near, events: silence(at(1900*ms, leaves("a"))), examined: 1, doubted: []int{5}},
		{name: "goes on once, as one that woke", path: near, events: silence(at(1500*ms, beats("a")), at(1600*ms, leaves("a"))), examined: 1},
		{name: "goes on and on", path: near, events: silence(at(1500*ms, beats("a")), at(2000*ms, beats("a")), at(2400*ms, beats("a"))), examined: 1, violated: []int{6}},
		{name: "goes on when an answer came late", path: near, events: silence(at(1500*ms, beats("a")), at(1501*ms, acquired("a", 1)), at(2000*ms, beats("a"))),
			examined: 1, violated: []int{7}},
		{name: "the work was done", path: near, events: story(asksFor("a", "job", second), acquired("a", 1), at(ms, leaves("a")))},
		{name: "seen from far", path: far, events: silence(at(1500*ms, beats("a")), at(2000*ms, beats("a")))},
		{name: "the server closed first", path: near, events: silence(at(1400*ms, dropped("a")), at(1900*ms, leaves("a")))},
		{name: "answers may be missing", path: near, events: silence(missed("a"), at(1500*ms, beats("a")), at(2000*ms, beats("a")))},
	})
	checkCapture(t, spec.C_TO_05, []captureRow{{name: "a waiter", path: near, examined: 1, violated: []int{3},
		events: story(asksFor("a", "job", second), waits("a"), at(1000*ms, beats("a")), at(1500*ms, beats("a")))}})
}

func TestHolderIsDroppedInTime(t *testing.T) {
	until := func(then ...timeline.Event) []timeline.Event {
		return story(append([]timeline.Event{asksFor("a", "job", second), at(ms, acquired("a", 1)),
			at(250*ms, beats("a")), at(251*ms, acquired("a", 1))}, then...)...)
	}
	checkCapture(t, spec.S_HB_07, []captureRow{
		{name: "in time", path: near, events: until(at(1300*ms, dropped("a"))), examined: 1},
		{name: "with an ERROR", path: near, events: until(at(1300*ms, refused("a", 0x7f, "")), at(1900*ms, dropped("a"))), examined: 1},
		{name: "too late", path: near, events: until(at(1600*ms, dropped("a"))), examined: 1, violated: []int{4}},
		{name: "too late, as seen from far", path: far, events: until(at(1700*ms, dropped("a"))), examined: 1, doubted: []int{4}},
		{name: "for another reason", path: near, events: until(at(600*ms, dropped("a")))},
		{name: "the client closed", path: near, events: until(at(300*ms, leaves("a")), at(1900*ms, dropped("a")))},
		{name: "a heartbeat may be missing", path: near, events: until(missed("a"), at(1600*ms, dropped("a")))},
	})
	checkCapture(t, spec.S_HB_11, []captureRow{{name: "never a heartbeat", path: near, examined: 1, violated: []int{2},
		events: story(asksFor("a", "job", second), acquired("a", 1), at(1400*ms, dropped("a")))}})
	checkCapture(t, spec.S_HB_08, []captureRow{{name: "a waiter", path: near, examined: 1, violated: []int{4},
		events: story(asksFor("a", "job", second), waits("a"), beats("a"), waits("a"), at(1400*ms, dropped("a")))}})
	checkCapture(t, spec.S_HB_14, []captureRow{
		{name: "a late heartbeat is answered", path: near, events: until(at(1600*ms, beats("a")), at(1601*ms, acquired("a", 1))), examined: 1, violated: []int{5}},
		{name: "and seen from far", path: far, events: until(at(1600*ms, beats("a")), at(1601*ms, acquired("a", 1))), examined: 1, violated: []int{5}},
		{name: "it is refused", path: near, events: until(at(1600*ms, beats("a")), at(1601*ms, refused("a", 2, ""))), examined: 1},
		{name: "it was in time", path: near, events: until(at(1200*ms, beats("a")), at(1201*ms, acquired("a", 1)))},
		{name: "one before may be missing", path: near, events: until(missed("a"), at(1600*ms, beats("a")), at(1601*ms, acquired("a", 1)))},
	})
}

func TestOneHolderAtATime(t *testing.T) {
	held := func(then ...timeline.Event) []timeline.Event {
		return story(append([]timeline.Event{asksFor("a", "job", second), acquired("a", 1)}, then...)...)
	}
	checkCapture(t, spec.S_Q_10, []captureRow{
		{name: "one after the other", path: near, events: held(leaves("a"), asks("b", "job"), acquired("b", 2), beats("b"), acquired("b", 2)), examined: 3},
		{name: "two at once", path: far, events: held(at(2*ms, asks("b", "job")), at(3*ms, acquired("b", 2)), at(5*ms, beats("a")), at(6*ms, acquired("a", 1)), at(7*ms, beats("a")), at(8*ms, acquired("a", 1))),
			examined: 2, violated: []int{5}},
		{name: "so close that the order is not sure", path: near, events: held(asks("b", "job"), acquired("b", 2), beats("a"), acquired("a", 1)), examined: 2},
		{name: "the answer was on its way", path: near, events: held(beats("a"), asks("b", "job"), acquired("b", 2), acquired("a", 1)), examined: 2},
		{name: "asked before the other's grant was seen", path: near,
			events: story(asks("b", "job"), asks("a", "job"), acquired("a", 1), acquired("b", 2), beats("a"), acquired("a", 1)), examined: 2},
		{name: "two locks", path: near, events: held(asks("b", "other"), acquired("b", 2), beats("a"), acquired("a", 1)), examined: 3},
		{name: "bytes are missing", path: near, events: held(asks("b", "job"), acquired("b", 2), missed("a"), beats("a"), acquired("a", 1)), examined: 2},
	})
}

// Tokens of a server that may have been restarted within a second need not grow.
func TestRestartInACapture(t *testing.T) {
	over := func(e timeline.Event) timeline.Event {
		e.Note = endOfSession
		return e
	}
	again := func(when time.Duration, ends ...timeline.Event) []timeline.Event {
		events := append([]timeline.Event{asks("a", "job"), acquired("a", 9)}, ends...)
		return story(append(events, at(when, asks("b", "job")), at(when, acquired("b", 3)))...)
	}
	only := func(rows ...captureRow) {
		t.Helper()
		for _, row := range rows {
			w := NewCapture(spec.RoleServer, 10)
			w.Begin("a", "server", near)
			for i, e := range row.events {
				if e.Who == "b" && row.events[i-1].Who == "a" {
					w.Begin("b", "server", near)
				}
				w.Step(&e)
				if e.Note == endOfSession {
					w.End(e.Who)
				}
			}
			for _, f := range w.Findings() {
				if f.ID == spec.S_TOK_02 && (f.Violated() != len(row.violated) || f.Doubted() != len(row.doubted)) {
					t.Errorf("%s: %+v", row.name, f)
				}
			}
		}
	}
	only(
		captureRow{name: "the client left", events: again(100*ms, over(leaves("a"))), violated: []int{1}},
		captureRow{name: "the server ended all sessions", events: again(100*ms, over(dropped("a"))), doubted: []int{1}},
		captureRow{name: "it shut down", events: again(100*ms, refused("a", wire.CodeShuttingDown, ""), over(dropped("a"))), doubted: []int{1}},
		captureRow{name: "that was long ago", events: again(2*second, over(dropped("a"))), violated: []int{1}},
		captureRow{name: "it was kicked out", events: again(100*ms, refused("a", wire.CodeClosedByAdmin, ""), over(dropped("a"))), violated: []int{1}},
	)
}

// Grants of different servers are not compared.
func TestServersAreToldApart(t *testing.T) {
	w := NewCapture(spec.RoleServer, 10)
	w.Begin("a", "one", near)
	w.Begin("b", "two", near)
	for _, e := range story(asks("a", "job"), acquired("a", 9), asks("b", "job"), acquired("b", 9)) {
		if news := w.Step(&e); len(news) > 0 {
			t.Errorf("%+v", news)
		}
	}
}

// What a session leaves behind when it ends is small, and violations beyond those
// kept are counted.
func TestAWatchStaysSmall(t *testing.T) {
	w := NewCapture(spec.RoleServer, 3)
	const sessions = 3 * keptTokens
	for i := range sessions {
		w.Begin("a", "server", near)
		for _, e := range []timeline.Event{
			asks("a", string(rune(i))), acquired("a", uint64(i)), acquired("a", uint64(i)), waits("a"), leaves("a"),
		} {
			e.Seq = i
			w.Step(&e)
		}
		w.End("a")
	}
	order := w.orders["server"]
	if len(w.sessions) != 0 || len(order.locks) > keptLocks+1 || len(order.recent.issued) > keptTokens {
		t.Errorf("%d sessions, %d locks, %d tokens are left", len(w.sessions), len(order.locks), len(order.recent.issued))
	}
	for _, f := range w.Findings() {
		if f.ID == spec.S_Q_07 && (len(f.Violations) != 3 || f.Violated() != sessions) {
			t.Errorf("%s: %d kept of %d; want 3 of %d", f.ID, len(f.Violations), f.Violated(), sessions)
		}
	}
}

func TestHandoversAndIntervals(t *testing.T) {
	w := NewCapture(spec.RoleServer, 10)
	w.Begin("a", "server", near)
	w.Begin("b", "server", near)
	for _, e := range story(asks("a", "job"), acquired("a", 1), asks("b", "job"), waits("b"), at(ms, leaves("a")), at(ms+700*time.Microsecond, acquired("b", 2))) {
		w.Step(&e)
	}
	if h := w.Facts().Handovers; h.Count != 1 || h.Max != 700 {
		t.Errorf("%d handovers, at most %d us; want 1, 700", h.Count, h.Max)
	}
}

func TestSpread(t *testing.T) {
	var s Spread
	for i := range int64(10000) {
		s.add(i)
	}
	for share, want := range map[float64]int64{0: 0, 0.5: 5000, 0.99: 9900} {
		if got := s.Quantile(share); got > want || got < want*7/8-1 {
			t.Errorf("the quantile %v is %d; want about %d", share, got, want)
		}
	}
	s.add(1<<63 - 1)
	s.add(-5)
	if s.Max != 1<<63-1 || s.Count != 10002 {
		t.Errorf("at most %d of %d", s.Max, s.Count)
	}
}
