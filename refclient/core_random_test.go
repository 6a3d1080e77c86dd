package refclient

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

// world is a core, a server that keeps its session for a lease, and the two
// directions between them, in which messages take their time and stay in order.
type world struct {
	t    *rapid.T
	core *core
	now  time.Time

	up, down       []parcel
	upMax, downMax time.Duration // the longest that a message may take
	promoteAt      int           // which message the promotion comes with: 0 is the ACQUIRE
	merges         bool          // the promotion is its answer, too
	early          bool          // else: the promotion comes while it is under way, not when it has arrived
	cut            int           // how many messages reach the server; 0: all

	seen     time.Time // the server's last message
	sent     int       // messages of the client
	messages int       // that the server took
	owner    bool
	claims   bool // the client, by what it tells its work
	crossed  bool // a promotion met an unanswered heartbeat
	ended    bool
}

// parcel is a message under way.
type parcel struct {
	at    time.Time // its arrival
	frame wire.Frame
}

func newWorld(t *rapid.T, longestTrip time.Duration) *world {
	return &world{
		t: t, core: newCore(StandardRules{}, "x", lease, DefaultFloor), now: time.Unix(1e9, 0),
		upMax: part(t, longestTrip/2, "up"), downMax: part(t, longestTrip/2, "down"),
		promoteAt: rapid.IntRange(0, 5).Draw(t, "promoted with"),
		merges:    rapid.Bool().Draw(t, "merged"), early: rapid.Bool().Draw(t, "early"),
	}
}

// part draws a part of d: none, all, or something in steps of a tenth. Rapid's own
// integers are mostly small ones.
func part(t *rapid.T, d time.Duration, what string) time.Duration {
	return d * time.Duration(rapid.SampledFrom([]int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}).Draw(t, what)) / 10
}

// run lets the world go on for d, or until the client has closed.
func (w *world) run(d time.Duration) {
	end := w.now.Add(d)
	w.step(event{kind: connected})
	for !w.ended {
		at, what := w.next()
		if at.After(end) {
			return
		}
		w.now = at
		if serverEnds := w.seen.Add(lease); w.claims && w.now.After(serverEnds) {
			w.t.Fatalf("claims until %v, when the server's lease has ended at %v", w.now, serverEnds)
		}
		switch what {
		case "up":
			w.up = w.up[1:]
			w.serve()
		case "down":
			f := w.down[0].frame
			w.down = w.down[1:]
			w.step(hears(f))
		default:
			w.step(ticks)
		}
	}
}

// next returns when something happens next, and what.
func (w *world) next() (time.Time, string) {
	at, ok := w.core.next()
	what := "tick"
	if !ok {
		at = w.now.Add(100 * lease)
	}
	if len(w.up) > 0 && !w.up[0].at.After(at) {
		at, what = w.up[0].at, "up"
	}
	if len(w.down) > 0 && !w.down[0].at.After(at) {
		at, what = w.down[0].at, "down"
	}
	return at, what
}

// serve is the server at the arrival of a message: it takes it while the lease
// runs, and answers.
func (w *world) serve() {
	if w.messages > 0 && w.now.After(w.seen.Add(lease)) {
		return // dropped: nothing is answered any more
	}
	w.seen = w.now
	if w.messages == w.promoteAt {
		w.promote()
	}
	w.messages++
	if w.owner {
		w.answer(wire.AcquiredFrame(7))
	} else {
		w.answer(wire.WaitingFrame)
	}
}

// promote makes the client the owner, and pushes that unless an answer says so.
func (w *world) promote() {
	if !w.owner && w.messages > 0 && !w.merges {
		w.answer(wire.AcquiredFrame(7))
	}
	w.owner = true
}

func (w *world) answer(f wire.Frame) { w.down = w.send(w.down, f, w.downMax) }

// send puts f behind what is under way.
func (w *world) send(way []parcel, f wire.Frame, longest time.Duration) []parcel {
	at := w.now.Add(part(w.t, longest, "takes"))
	if n := len(way); n > 0 && way[n-1].at.After(at) {
		at = way[n-1].at
	}
	return append(way, parcel{at, f})
}

// step lets the core handle ev and checks what it does.
func (w *world) step(ev event) {
	if w.core.s.state == Waiting && ev.frame.Type == wire.TypeAcquired && w.core.s.Unanswered() > 0 {
		w.crossed = true
	}
	for _, e := range w.core.step(ev, w.now) {
		switch e.kind {
		case send:
			w.post()
		case grant:
			w.claims = true
		case tell:
			w.claims = false
		case hang:
			w.ended = true
		}
	}
	if w.core.s.Unanswered() > 1 && !w.crossed {
		w.t.Fatalf("%d messages unanswered, without a crossing", w.core.s.Unanswered())
	}
	if w.core.s.Unanswered() > 2 {
		w.t.Fatalf("%d messages unanswered", w.core.s.Unanswered())
	}
}

// post takes a message of the client's. The promotion may cross it.
func (w *world) post() {
	if w.sent == w.promoteAt && w.early && w.messages > 0 && !w.merges && !w.now.After(w.seen.Add(lease)) {
		w.promote()
	}
	if w.sent++; w.cut == 0 || w.sent <= w.cut {
		w.up = w.send(w.up, wire.HeartbeatFrame, w.upMax)
	}
}

// However slow and uneven the ways are, and wherever one ends, no claim outlives
// the server's lease.
func TestNoClaimOutlivesTheLease(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := newWorld(t, 2*lease)
		w.cut = rapid.SampledFrom([]int{1, 2, 3, 4, 5, 6, 8, 12}).Draw(t, "cut")
		w.run(20 * lease)
		if !w.ended {
			t.Fatal("a claim that nothing confirms goes on")
		}
	})
}

// Round trips of up to 0.3 lease, however uneven, lose nothing; where a server
// merges a promotion with an answer, those of up to 0.1.
func TestSlowAnswersLoseNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := newWorld(t, lease*3/10)
		if w.merges {
			w.upMax, w.downMax = w.upMax/3, w.downMax/3
		}
		w.run(20 * lease)
		if w.ended || !w.claims {
			t.Fatalf("ended %t, claims %t; want a claim that stands", w.ended, w.claims)
		}
	})
}
