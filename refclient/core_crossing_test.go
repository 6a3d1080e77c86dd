package refclient

import (
	"testing"
	"time"
)

// crossed is a waiter whose heartbeat, sent at base, crosses its promotion.
func crossed(t *testing.T, at time.Duration) *story {
	s := waiting(t)
	s.want("beats", base, ticks, "send HEARTBEAT")
	s.want("promoted", at, acquired, "grant 7")
	return s
}

func TestACrossingWithBothFrames(t *testing.T) {
	s := crossed(t, base+100*ms)
	s.want("in flight", base+100*ms+1, ticks)
	s.want("answered", base+200*ms, acquired)
	if s.core.s.surplus || s.core.s.Unanswered() != 0 {
		t.Errorf("surplus %t, %d unanswered; want all settled", s.core.s.surplus, s.core.s.Unanswered())
	}
	s.wantNext("the pace of a round trip of 40 ms", 2*base-80*ms)
	s.want("beats", 2*base-80*ms, ticks, "send HEARTBEAT")
	s.want("one in flight", 3*base, ticks)
	s.want("counted from the answered send", base+limit-1, ticks)
	s.want("and no longer", base+limit, ticks, "tell", "hang")
}

func TestACrossingWithTheAnswerFirst(t *testing.T) {
	s := waiting(t)
	s.want("beats", base, ticks, "send HEARTBEAT")
	s.want("answered", base+1, queued)
	s.want("promoted", base+1, acquired, "grant 7")
	s.want("beats", 2*base, ticks, "send HEARTBEAT")
	s.want("one in flight", 3*base, ticks)
}

func TestACrossingThatIsMergedDoesNotStarve(t *testing.T) {
	s := crossed(t, base+1)
	for i := time.Duration(2); i < 100; i++ {
		s.want("beats at the base", i*base, ticks, "send HEARTBEAT")
		s.want("one in flight", i*base, ticks)
		s.want("answered", i*base+1, acquired)
	}
	s.want("each answer counts for the heartbeat before", 100*base, ticks, "send HEARTBEAT")
	s.want("a tick before", 98*base+limit-1, ticks)
	s.want("on the tick", 98*base+limit, ticks, "tell", "hang")
}

// On a slow link the promotion arrives long before the answer. The next
// heartbeat waits for the answer, so that one is in flight again.
func TestACrossingOnASlowLinkCatchesUp(t *testing.T) {
	s := newStory(t)
	const rtt = 400 * ms // safeRTT 800 ms, interval 200 ms
	s.want("queued", rtt, queued, "queue", "send HEARTBEAT")
	s.want("promoted", rtt+1, acquired, "grant 7")
	s.want("the interval has passed", rtt+200*ms, ticks)
	s.want("the answer", 2*rtt, acquired, "send HEARTBEAT")
	if s.core.s.surplus {
		t.Error("still open whether the promotion was the answer")
	}
}

// Where the answer takes longer than two round trips, a second heartbeat goes;
// the two answers settle the question.
func TestACrossingWithALateAnswerCatchesUp(t *testing.T) {
	s := crossed(t, base+1)
	s.want("beats", 2*base, ticks, "send HEARTBEAT")
	s.want("answers the first of two", 2*base+1, acquired)
	s.want("two are enough", 2*base+2, ticks)
	s.want("answers the second", 2*base+100*ms, acquired)
	if s.core.s.surplus || s.core.s.Unanswered() != 0 {
		t.Errorf("surplus %t, %d unanswered; want all settled", s.core.s.surplus, s.core.s.Unanswered())
	}
	s.wantNext("counted from the second", 3*base-40*ms)
}
