package monitor

import (
	"fmt"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/timeline"
	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

// holderBeatsInTime: heartbeats of a holder are never further apart than a quarter
// of the lease, or right after an answer that came later than that (C-HB-01).
func holderBeatsInTime(s *session, e *timeline.Event, f *Finding) {
	if s.timing.holding {
		beatsInTime(s, e, f)
	}
}

// waiterBeatsInTime is the same for a waiter (C-HB-02).
func waiterBeatsInTime(s *session, e *timeline.Event, f *Finding) {
	if !s.timing.holding {
		beatsInTime(s, e, f)
	}
}

// enoughLate is how many intervals of one session must be too long until that is
// believed: fewer may be a machine that was busy or stopped.
const enoughLate = 3

// beatsInTime judges an interval where the capture was taken so near the client
// that it shows when the client sent.
func beatsInTime(s *session, e *timeline.Event, f *Finding) {
	t := &s.timing
	if !received(e, wire.TypeHeartbeat) || e.Note == timeline.Late || !t.beat.known || t.lease == 0 {
		return
	}
	s.watch.facts.Intervals.add(int64(e.At-t.beat.at) * 100 / int64(t.lease))
	if t.lease < shortestLease || !t.near(t.path.Client) || t.open > 0 {
		return // an answer that is missing is another matter
	}
	f.Examined++
	by := max(t.beat.at+t.lease/4, t.heard.at) + beatSlack(t.lease) + t.path.Client
	if e.At <= by {
		return
	}
	t.late++
	expected := fmt.Sprintf("heartbeats at most %v apart, a quarter of the lease", t.lease/4)
	actual := fmt.Sprintf("%s sent one %v after the one before", s.who, round(e.At-t.beat.at))
	if t.late < enoughLate {
		s.doubted(f, e, expected, actual+fmt.Sprintf("; fewer than %d in a session may be a machine that was busy", enoughLate))
		return
	}
	s.violated(f, e, expected, actual)
}

// silentHolderCloses: holding, and without a confirmation for 0.8 of the lease, the
// client closes (C-TO-04).
func silentHolderCloses(s *session, e *timeline.Event, f *Finding) {
	if s.timing.holding {
		silentCloses(s, e, f)
	}
}

// silentWaiterCloses: a waiter gives up likewise (C-TO-05).
func silentWaiterCloses(s *session, e *timeline.Event, f *Finding) {
	if !s.timing.holding {
		silentCloses(s, e, f)
	}
}

// silentCloses judges a client near the capture that goes on, or closes, after its
// time without a confirmation. A stopped process goes on once when it wakes, and
// must then close soon; so only the second heartbeat proves anything. A close that
// is late and alone may come from a process that was stopped.
func silentCloses(s *session, e *timeline.Event, f *Finding) {
	t := &s.timing
	fromClient := received(e, wire.TypeHeartbeat) || ended(e) && s.watch.fromClient(e)
	if !fromClient || t.over || !t.heard.known || t.lease == 0 || !t.near(t.path.Client) {
		return
	}
	slack := wakeTime(t.lease) + beatSlack(t.lease) + t.path.Client
	silent := e.At - t.heard.at
	switch {
	case ended(e):
		if t.open == 0 && !t.overdue.known || silent < t.lease/2 {
			return // it closed for another reason
		}
		f.Examined++
		if silent > revocationShare(t.lease)+slack && !t.overdue.known {
			s.doubted(f, e, t.closedByThen(), fmt.Sprintf("%s closed %v after the last confirmation; a process that was stopped looks alike", s.who, round(silent)))
		}
	case t.overdue.known && e.At > t.overdue.at+slack:
		f.Examined++
		s.violated(f, e, t.closedByThen(), fmt.Sprintf("%s sent a heartbeat %v after its time was over, and another %v later", s.who,
			round(t.overdueBy), round(e.At-t.overdue.at)))
		t.overdue = instant{} // said once for each silence
	case !t.overdue.known && silent > revocationShare(t.lease)+beatSlack(t.lease)+t.path.Client:
		t.overdue, t.overdueBy = now(e), silent-revocationShare(t.lease)
	}
}

func (t *timing) closedByThen() string {
	return fmt.Sprintf("the connection closed at 0.8 lease (%v) without a confirmation", revocationShare(t.lease))
}

// round makes a measured time readable.
func round(d time.Duration) time.Duration { return d.Round(100 * time.Microsecond) }
