package refserver

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

// rig drives a core with handmade events. It is the place to look first:
// a test says who does what and when, and what the core wants done then,
// as lines like "b ACQUIRED" or "a hangUp".
type rig struct {
	t        *testing.T
	core     *core
	start    time.Time
	now      time.Time
	sessions map[string]*Session
}

func newRig(t *testing.T) *rig {
	start := time.Unix(1_000_000, 0)
	return &rig{t: t, core: newCore(StandardRules{}), start: start, now: start, sessions: make(map[string]*Session)}
}

// at moves the time to d after the start.
func (r *rig) at(d time.Duration) { r.now = r.start.Add(d) }

func (r *rig) step(ev event) []string {
	var lines []string
	for _, e := range r.core.step(ev, r.now) {
		lines = append(lines, r.name(e.session)+" "+describe(e))
	}
	return lines
}

func (r *rig) name(s *Session) string {
	for name, other := range r.sessions {
		if other == s {
			return name
		}
	}
	return "?"
}

func describe(e effect) string {
	if e.kind != send {
		return [...]string{"", "finish", "hangUp", "bury"}[e.kind]
	}
	if e.frame.Type == wire.TypeError {
		return fmt.Sprintf("ERROR 0x%02x", byte(e.frame.Code))
	}
	return e.frame.Type.String()
}

func (r *rig) open(name string) []string {
	r.sessions[name] = &Session{ioTimeout: 5 * time.Second, leaseAt: -1}
	return r.step(event{kind: opened, session: r.sessions[name]})
}

func (r *rig) say(name string, m Message) []string {
	return r.step(event{kind: said, session: r.sessions[name], message: m})
}

func (r *rig) acquire(name, lock string, lease time.Duration) []string {
	a := wire.Acquire{Version: wire.Version, LeaseMS: uint32(lease.Milliseconds()), Name: lock}
	return append(r.open(name), r.say(name, Message{Kind: Acquire, Acquire: a})...)
}

func (r *rig) heartbeat(name string) []string { return r.say(name, Message{Kind: Heartbeat}) }

func (r *rig) close(name string) []string {
	return r.step(event{kind: gone, session: r.sessions[name], why: OnFIN})
}

func (r *rig) tick() []string { return r.step(event{}) }

func want(t *testing.T, why string, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: got %q, want %q", why, got, want)
	}
}

const lease = time.Second

func TestQueueIsFirstInFirstOut(t *testing.T) {
	r := newRig(t)
	want(t, "a free lock is granted", r.acquire("a", "x", lease), "a ACQUIRED")
	want(t, "a held one is waited for", r.acquire("b", "x", lease), "b WAITING")
	want(t, "a held one is waited for", r.acquire("c", "x", lease), "c WAITING")
	want(t, "other names are other locks", r.acquire("d", "X", lease), "d ACQUIRED")
	want(t, "the first waiter is promoted", r.close("a"), "a bury", "b ACQUIRED")
	want(t, "a waiter that leaves promotes nobody", r.close("c"), "c bury")
	want(t, "an empty queue promotes nobody", r.close("b"), "b bury")
	want(t, "the lock is free again", r.acquire("e", "x", lease), "e ACQUIRED")
}

func TestIdleLocksAreForgotten(t *testing.T) {
	r := newRig(t)
	r.acquire("a", "x", lease)
	r.acquire("b", "x", lease)
	r.close("a")
	r.close("b")
	r.acquire("c", "", lease)
	r.close("c")
	if len(r.core.locks) != 0 || len(r.core.sessions) != 0 || len(r.core.leases) != 0 {
		t.Errorf("left behind: %d locks, %d sessions, %d deadlines; want none",
			len(r.core.locks), len(r.core.sessions), len(r.core.leases))
	}
}

func TestBothSidesOfALease(t *testing.T) {
	for _, row := range []struct {
		name  string
		lease time.Duration
	}{{"one millisecond", time.Millisecond}, {"one second", time.Second}, {"the longest", (1<<32 - 1) * time.Millisecond}} {
		t.Run(row.name, func(t *testing.T) {
			r := newRig(t)
			r.acquire("a", "x", row.lease)
			r.at(row.lease)
			want(t, "at the lease it still runs", r.tick())
			r.at(row.lease + 1)
			want(t, "after it the session is dropped", r.tick(), "a hangUp")
		})
	}
}

func TestAHeartbeatAtTheDeadlineIsInTime(t *testing.T) {
	r := newRig(t)
	r.acquire("a", "x", lease)
	r.at(lease)
	want(t, "in time", r.heartbeat("a"), "a ACQUIRED")
	r.at(2 * lease)
	want(t, "the whole lease runs again", r.tick())
}

func TestAHeartbeatAfterTheDeadlineIsNotAnswered(t *testing.T) {
	r := newRig(t)
	r.acquire("a", "x", lease)
	r.at(lease + 1)
	want(t, "too late", r.heartbeat("a"), "a hangUp")
	want(t, "and still too late", r.heartbeat("a"))
}

func TestOnlyMessagesRefreshTheSilence(t *testing.T) {
	r := newRig(t)
	r.acquire("a", "x", lease)
	r.at(lease / 2)
	r.acquire("b", "x", lease)
	r.at(lease)
	want(t, "promoted", r.close("a"), "a bury", "b ACQUIRED")
	r.at(lease/2 + lease + 1)
	want(t, "the promotion did not refresh", r.tick(), "b hangUp")
}

func TestASecondAcquireIsRefusedAtItsTypeByte(t *testing.T) {
	r := newRig(t)
	r.acquire("a", "x", lease)
	r.acquire("b", "x", lease)
	want(t, "waiting", r.say("b", Message{Kind: AcquireBegun}), "b ERROR 0x12", "b finish")
	r.acquire("c", "x", lease)
	want(t, "holding", r.say("a", Message{Kind: AcquireBegun}), "a ERROR 0x12", "a finish", "c ACQUIRED")
	want(t, "its rest is ignored", r.say("a", Message{Kind: Acquire}))
	want(t, "its end disturbs nobody", r.close("a"), "a bury")
}

func TestSessionsThatExpireTogetherDoNotPromoteEachOther(t *testing.T) {
	r := newRig(t)
	r.acquire("a", "x", lease)
	r.acquire("b", "x", lease)
	r.acquire("c", "x", 2*lease)
	r.at(lease + 1)
	got := r.tick()
	slices.Sort(got)
	want(t, "b is as late as a", got, "a hangUp", "b hangUp", "c ACQUIRED")
}

func TestEachSessionHasItsOwnLease(t *testing.T) {
	r := newRig(t)
	r.acquire("a", "x", 4*lease)
	r.acquire("b", "x", lease)
	r.acquire("c", "x", 8*lease)
	r.at(lease + 1)
	want(t, "the waiter's is the shortest", r.tick(), "b hangUp")
	r.at(4*lease + 1)
	want(t, "the owner's is the next", r.tick(), "a hangUp", "c ACQUIRED")
}

func TestUnfinishedConnectionsEnd(t *testing.T) {
	r := newRig(t)
	r.open("a")
	r.at(time.Second)
	r.say("a", Message{Kind: AcquireBegun})
	r.at(5 * time.Second)
	want(t, "the io-timeout runs", r.tick())
	r.at(5*time.Second + 1)
	want(t, "counted from the connect", r.tick(), "a hangUp")
}

func TestShutdownTellsEveryoneAndPromotesNobody(t *testing.T) {
	r := newRig(t)
	r.acquire("a", "x", lease)
	r.acquire("b", "x", lease)
	r.open("c")
	want(t, "everyone is told", r.step(event{kind: shutdown}),
		"c ERROR 0x01", "c finish", "b ERROR 0x01", "b finish", "a ERROR 0x01", "a finish")
	want(t, "so is who comes late", r.open("d"), "d ERROR 0x01", "d finish")
}

func TestErrors(t *testing.T) {
	good := wire.Acquire{Version: 1, LeaseMS: 500, Name: "x"}
	with := func(change func(*wire.Acquire)) Message {
		a := good
		change(&a)
		return Message{Kind: Acquire, Acquire: a}
	}
	for _, row := range []struct {
		name string
		say  Message
		code wire.Code
	}{
		{"heartbeat first", Message{Kind: Heartbeat}, wire.CodeNotAcquire},
		{"unknown type first", Message{Kind: Unknown, Type: 0x7f}, wire.CodeNotAcquire},
		{"version", with(func(a *wire.Acquire) { a.Version = 0 }), wire.CodeUnsupportedVersion},
		{"lease", with(func(a *wire.Acquire) { a.LeaseMS = 0 }), wire.CodeLeaseNotPositive},
		{"no name", with(func(a *wire.Acquire) { a.Name = "" }), wire.CodeEmptyName},
		{"long name", with(func(a *wire.Acquire) { a.Name = strings.Repeat("n", 256) }), wire.CodeNameTooLong},
		{"no UTF-8", with(func(a *wire.Acquire) { a.Name = "\xff" }), wire.CodeNameNotUTF8},
	} {
		t.Run(row.name, func(t *testing.T) {
			r := newRig(t)
			r.open("a")
			want(t, "refused", r.say("a", row.say), fmt.Sprintf("a ERROR 0x%02x", byte(row.code)), "a finish")
			want(t, "it holds nothing", r.acquire("b", "x", lease), "b ACQUIRED")
		})
	}
}

func TestReasonsContainTheCanonicalText(t *testing.T) {
	r := newRig(t)
	r.acquire("a", "x", lease)
	got := r.core.step(event{kind: said, session: r.sessions["a"], message: Message{Kind: Unknown, Type: 0x7f}}, r.now)
	if want := "unknown message type: 0x7f"; got[0].frame.Reason != want {
		t.Errorf("reason %q, want %q", got[0].frame.Reason, want)
	}
}

func TestTokensGrowOverLocksAndRestarts(t *testing.T) {
	first, second := newRig(t), newRig(t)
	first.acquire("a", "x", lease)
	first.acquire("b", "y", lease)
	second.at(time.Second)
	second.acquire("c", "x", lease)
	a, b, c := first.sessions["a"].Token(), first.sessions["b"].Token(), second.sessions["c"].Token()
	if a >= b || b >= c {
		t.Errorf("tokens %d, %d, after a restart %d; want them to grow", a, b, c)
	}
}

func TestAHeartbeatAllocatesNothing(t *testing.T) {
	r := newRig(t)
	for i := range 1000 {
		r.acquire(fmt.Sprint(i), fmt.Sprint(i%10), lease)
	}
	ev := event{kind: said, session: r.sessions["500"], message: Message{Kind: Heartbeat}}
	got := testing.AllocsPerRun(1000, func() {
		r.now = r.now.Add(time.Microsecond)
		r.core.step(ev, r.now)
	})
	if got != 0 {
		t.Errorf("%v allocations a heartbeat, want 0", got)
	}
}
