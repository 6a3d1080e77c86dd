package monitor

import (
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/timeline"
	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

// timing is when the two sides of a session last spoke, as the place of a capture
// saw it. A known instant is of this session and not from before missing bytes.
type timing struct {
	path  Path
	lease time.Duration // 0: not known

	said      instant // the client's last whole message
	beat      instant // the client's last HEARTBEAT
	heard     instant // the server's last WAITING or ACQUIRED
	answered  instant // when said was answered
	holding   bool
	begun     bool    // a HEARTBEAT was seen
	open      int     // messages that are unanswered
	over      bool    // one side has ended the session
	late      int     // intervals that were too long
	overdue   instant // the first heartbeat after the time of a silent client was over
	overdueBy time.Duration
	stale     bool // said came after the lease was over
}

type instant struct {
	at    time.Duration
	seq   int
	known bool
}

func now(e *timeline.Event) instant { return instant{e.At, e.Seq, e.Note != timeline.Late} }

// missed forgets what the missing bytes may have changed.
func (t *timing) missed() {
	t.said, t.beat, t.heard, t.answered, t.overdue = instant{}, instant{}, instant{}, instant{}, instant{}
	t.open, t.stale = 0, false
}

// step notes an event after the monitors have seen it.
func (t *timing) step(e *timeline.Event, fromClient bool) {
	switch {
	case ended(e):
		t.over = true
	case e.Frame == nil:
	case fromClient:
		t.clientSaid(e)
	default:
		t.serverSaid(e)
	}
}

func (t *timing) clientSaid(e *timeline.Event) {
	if e.Frame.Type == wire.TypeAcquire && t.lease == 0 {
		t.lease = lease(e)
	}
	if e.Frame.Type == wire.TypeHeartbeat {
		t.beat, t.begun = now(e), true
	}
	t.said, t.answered = now(e), instant{}
	t.open++
}

func (t *timing) serverSaid(e *timeline.Event) {
	if e.Frame.Type == wire.TypeError {
		t.over = true
		return
	}
	t.heard = now(e)
	t.holding = t.holding || e.Frame.Type == wire.TypeAcquired
	if t.open > 0 {
		t.open--
	}
	if t.open == 0 && !t.answered.known {
		t.answered = t.heard
	}
}

// near reports whether a way there and back is so short that what was seen here
// happened there, within what the windows allow.
func (t *timing) near(way time.Duration) bool { return t.path.Known && way <= t.lease/50 }

// The windows of a capture are those of the suite's own experiments, and wider
// where the way of the packets has a say.

// beatSlack is what an interval may be longer: timers of a language's own event
// loop on a busy machine.
func beatSlack(lease time.Duration) time.Duration { return max(lease/20, 60*time.Millisecond) }

// expirySlack is how long after its lease a silent session may still stand (S-HB-07).
func expirySlack(lease time.Duration) time.Duration { return max(lease/4, 250*time.Millisecond) }

// wakeTime is how long after its waking a stopped client may go on (C-TO-10).
func wakeTime(lease time.Duration) time.Duration { return max(lease/10, 250*time.Millisecond) }

// revocationShare is when a client without a confirmation gives up.
func revocationShare(lease time.Duration) time.Duration { return lease * 8 / 10 }

// shortestLease is the lease below which a quarter of it is under the floor that a
// client may have (open point 2).
const shortestLease = 400 * time.Millisecond

// noteDrop counts a session that the server ended within its lease. Nothing in a
// capture says why: a killed server ends sessions so, too.
func (w *Watch) noteDrop(s *session, e *timeline.Event) {
	t := &s.timing
	if !ended(e) || w.fromClient(e) || t.over || !t.said.known || t.lease == 0 {
		return
	}
	if e.At-t.said.at < t.lease*9/10 {
		w.facts.Drops++
	}
}
