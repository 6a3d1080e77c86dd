package refclient

import (
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

const (
	lease = 4 * time.Second
	base  = lease / 4
	limit = lease * 4 / 5
	ms    = time.Millisecond
)

// story leads a core through events at chosen times, without a network.
type story struct {
	t    *testing.T
	core *core
	from time.Time
}

// newStory is a session whose ACQUIRE was sent at 0.
func newStory(t *testing.T) *story {
	s := &story{t: t, core: newCore(StandardRules{}, "x", lease, DefaultFloor), from: time.Unix(1e9, 0)}
	s.want("asks", 0, event{kind: connected}, "send ACQUIRE")
	return s
}

// waiting is a session in the queue since 0, with a round trip of none.
func waiting(t *testing.T) *story {
	s := newStory(t)
	s.want("queued", 0, hears(wire.WaitingFrame), "queue")
	return s
}

// holding is a session with the lock since 0, with a round trip of none.
func holding(t *testing.T) *story {
	s := newStory(t)
	s.want("granted", 0, hears(wire.AcquiredFrame(7)), "grant 7")
	return s
}

func hears(f wire.Frame) event { return event{kind: heard, frame: f} }

var (
	acquired = hears(wire.AcquiredFrame(7))
	queued   = hears(wire.WaitingFrame)
	ticks    = event{kind: tick}
)

// want sends ev at the given time after the ACQUIRE and compares all effects.
func (s *story) want(why string, at time.Duration, ev event, effects ...string) {
	s.t.Helper()
	got := make([]string, 0)
	for _, e := range s.core.step(ev, s.from.Add(at)) {
		got = append(got, describe(e))
	}
	if g, w := strings.Join(got, ", "), strings.Join(effects, ", "); g != w {
		s.t.Errorf("%s, at %v: got [%s], want [%s]", why, at, g, w)
	}
}

// wantNext compares when the core wants its next tick.
func (s *story) wantNext(why string, at time.Duration) {
	s.t.Helper()
	next, ok := s.core.next()
	if got := next.Sub(s.from); !ok || got != at {
		s.t.Errorf("%s: next tick at %v (%t), want %v", why, got, ok, at)
	}
}

func describe(e effect) string {
	switch e.kind {
	case send:
		return "send " + wire.Type(e.bytes[0]).String()
	case grant:
		return fmt.Sprint("grant ", e.token)
	}
	return map[effectKind]string{queue: "queue", tell: "tell", hang: "hang", release: "release"}[e.kind]
}

func TestHeartbeatsGoFromSendToSend(t *testing.T) {
	for name, begin := range map[string]func(*testing.T) *story{"holding": holding, "waiting": waiting} {
		t.Run(name, func(t *testing.T) {
			s, answer := begin(t), acquired
			if name == "waiting" {
				answer = queued
			}
			s.wantNext("a quarter of the lease after the ACQUIRE", base)
			s.want("not yet", base-1, ticks)
			s.want("now", base, ticks, "send HEARTBEAT")
			s.want("one in flight", base+1, ticks)
			s.want("answered late", base+50*ms, answer)
			s.wantNext("less two round trips of 10 ms, the fifth of the sample", 2*base-20*ms)
			s.want("not yet", 2*base-20*ms-1, ticks)
			s.want("from send to send", 2*base-20*ms, ticks, "send HEARTBEAT")
		})
	}
}

func TestNoHeartbeatBeforeTheAcquireIsAnswered(t *testing.T) {
	s := newStory(t)
	s.wantNext("nothing but the end", limit)
	s.want("a quarter has passed", base, ticks)
	s.want("answered late, by more than half of the base", base, acquired, "grant 7", "send HEARTBEAT")
}

func TestIntervalIsClamped(t *testing.T) {
	for _, row := range []struct{ lease, rtt, want time.Duration }{
		{lease, 0, base},
		{lease, 100 * ms, base - 200*ms},
		{lease, 449 * ms, 102 * ms},
		{lease, 450 * ms, 100 * ms},
		{lease, 499 * ms, 100 * ms},
		{lease, 500 * ms, 0},
		{lease, time.Hour, 0},
		{400 * ms, 0, 100 * ms},
		{400 * ms, 49 * ms, 100 * ms},
		{400 * ms, 50 * ms, 0},
		{200 * ms, 0, 50 * ms},       // the base is below the floor: the base counts
		{200 * ms, 24 * ms, 50 * ms}, // and is its own floor
		{200 * ms, 25 * ms, 0},
		{1 * ms, 0, 250 * time.Microsecond},
	} {
		s := Session{lease: row.lease, floor: DefaultFloor, rtt: row.rtt, samples: 1}
		if got := (StandardRules{}).Interval(&s); got != row.want {
			t.Errorf("lease %v, round trip %v: interval %v, want %v", row.lease, row.rtt, got, row.want)
		}
	}
}

func TestSmoothing(t *testing.T) {
	var s Session
	for i, row := range []struct{ sample, want time.Duration }{
		{100 * ms, 100 * ms}, {200 * ms, 120 * ms}, {0, 96 * ms}, {96 * ms, 96 * ms},
	} {
		s.rtt, s.samples = (StandardRules{}).Smooth(&s, row.sample), i+1
		if s.rtt != row.want {
			t.Errorf("after sample %d of %v: %v, want %v", i+1, row.sample, s.rtt, row.want)
		}
	}
}

func TestASlowLinkBeatsRightAfterTheAnswer(t *testing.T) {
	s := newStory(t)
	s.want("a round trip of half the base", base/2, acquired, "grant 7", "send HEARTBEAT")
	s.want("in flight", base, ticks)
	s.want("answered", base, acquired, "send HEARTBEAT")
}

func TestTheClaimEndsFourFifthsAfterTheLastAnsweredSend(t *testing.T) {
	s := holding(t)
	s.want("beats", base, ticks, "send HEARTBEAT")
	s.want("answered after half a base", base+base/2, acquired)
	s.want("beats", 2*base, ticks, "send HEARTBEAT")
	s.wantNext("silence from here: counted from the send, not from its answer", base+limit)
	s.want("a tick before", base+limit-1, ticks)
	s.want("on the tick", base+limit, ticks, "tell", "hang")
	s.want("an answer revives nothing", base+limit+1, acquired)
	if e := s.core.err; !e.Is(ErrLost) || e.Err != ErrTimeout {
		t.Errorf("error %v, want a lost lock for want of confirmation", e)
	}
}

func TestAnAnswerOnTheTickIsTooLate(t *testing.T) {
	s := holding(t)
	s.want("beats", base, ticks, "send HEARTBEAT")
	s.want("a tick before", limit-1, acquired, "send HEARTBEAT")
	late := holding(t)
	late.want("beats", base, ticks, "send HEARTBEAT")
	late.want("the answer lay in the buffers of a stopped process", limit, acquired, "tell", "hang")
}

func TestOneLateAnswerIsStood(t *testing.T) {
	s := holding(t)
	s.want("beats", base, ticks, "send HEARTBEAT")
	s.want("0.4 lease later", base+lease*4/10, acquired, "send HEARTBEAT")
	s.want("prompt", base+lease*4/10, acquired)
	s.wantNext("the smoothed trip is 256 ms", base+lease*4/10+488*ms)
}

func TestGivenUpWithoutWork(t *testing.T) {
	asking := newStory(t)
	asking.want("a tick before", limit-1, ticks)
	asking.want("no answer to ACQUIRE", limit, ticks, "hang")
	if asking.core.err.Held || !asking.core.err.Temporary() {
		t.Errorf("error %v, want a passing one that lost nothing", asking.core.err)
	}
	s := waiting(t)
	s.want("beats", base, ticks, "send HEARTBEAT")
	s.want("a tick before", limit-1, ticks)
	s.want("no answer in the queue", limit, ticks, "hang")
}

func TestAPromotionConfirmsNothing(t *testing.T) {
	s := waiting(t)
	s.want("beats", base, ticks, "send HEARTBEAT")
	s.want("answered", base, queued)
	s.want("promoted", 2*base-1, acquired, "grant 7")
	s.want("beats", 2*base, ticks, "send HEARTBEAT")
	s.want("counted from the last answered send", base+limit-1, ticks)
	s.want("and no longer", base+limit, ticks, "tell", "hang")
}

func TestDoubtEndsIt(t *testing.T) {
	for name, row := range map[string]struct {
		ev   event
		want error
	}{
		"unknown type":  {event{kind: unknown, err: &wire.UnknownTypeError{Byte: 0x7f}}, ErrDoubt},
		"step back":     {queued, ErrDoubt},
		"another token": {hears(wire.AcquiredFrame(8)), ErrDoubt},
		"ERROR":         {hears(wire.ErrorFrame(wire.CodeClosedByAdmin, "")), ErrClosedByAdmin},
		"FIN":           {event{kind: ended, why: OnFIN, err: errBlocked}, errBlocked},
		"reset":         {event{kind: ended, why: OnReset, err: errBlocked}, errBlocked},
		"failed write":  {event{kind: unsent, err: errBlocked}, errBlocked},
	} {
		t.Run(name, func(t *testing.T) {
			s := holding(t)
			s.want("the claim, then the connection", 1, row.ev, "tell", "hang")
			s.want("no more heartbeats", base, ticks)
			s.want("the work has returned", base, event{kind: worked, why: OnDone})
			if e := s.core.err; !isError(e, row.want) || !isError(e, ErrLost) {
				t.Errorf("error %v, want a lost lock for %v", e, row.want)
			}
		})
	}
}

func isError(e *Error, target error) bool {
	return e.Is(target) || strings.Contains(e.Error(), target.Error())
}

func TestTheReleaseIsAClose(t *testing.T) {
	for _, why := range []Occasion{OnDone, OnFailed} {
		s := holding(t)
		s.want("beats", base, ticks, "send HEARTBEAT")
		s.want("closed, and nothing said", base+1, event{kind: worked, why: why}, "release")
		s.want("a late answer changes nothing", base+2, acquired)
		s.want("no more heartbeats", 3*base, ticks)
		if s.core.err != nil {
			t.Errorf("%v: error %v, want none", why, s.core.err)
		}
	}
}

func TestCancel(t *testing.T) {
	cancel := event{kind: cancelled, err: errBlocked}
	newStory(t).want("asking", 1, cancel, "hang")
	waiting(t).want("waiting", 1, cancel, "hang")
	s := holding(t)
	s.want("holding goes on", 1, cancel)
	s.want("with its heartbeats", base, ticks, "send HEARTBEAT")
	s.want("which are answered", base, acquired)
	s.want("until the work returns", base+1, event{kind: worked, why: OnFailed}, "release")
}

func TestACutConnectionEndsWhateverTheRulesSay(t *testing.T) {
	s := newStory(t)
	s.core.rules = endless{}
	s.want("a rule that ends nothing", 1, event{kind: ended, why: OnFIN, err: errBlocked})
	s.want("closed under the client", 2, event{kind: ended, why: OnReset, err: fmt.Errorf("read: %w", net.ErrClosed)}, "hang")
}

// endless ends nothing.
type endless struct{ StandardRules }

func (endless) Ends(*Session, Occasion) Ending { return Ending{} }

func TestAPassedDeadlineIsAskedAboutOnce(t *testing.T) {
	s := holding(t)
	s.core.rules = endless{}
	s.want("beats", base, ticks, "send HEARTBEAT")
	s.want("ends nothing", limit, ticks)
	if at, ok := s.core.next(); ok {
		t.Errorf("wants a tick at %v, which would come again and again", at.Sub(s.from))
	}
}
