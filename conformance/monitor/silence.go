package monitor

import (
	"fmt"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/timeline"
	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

// holderIsDroppedInTime: a holder that is silent for its lease is dropped by lease +
// max(0.25 lease, 250 ms) (S-HB-07).
func holderIsDroppedInTime(s *session, e *timeline.Event, f *Finding) {
	if s.timing.holding && s.timing.begun {
		droppedInTime(s, e, f)
	}
}

// waiterIsDroppedInTime: so is a waiter (S-HB-08).
func waiterIsDroppedInTime(s *session, e *timeline.Event, f *Finding) {
	if !s.timing.holding && s.timing.begun {
		droppedInTime(s, e, f)
	}
}

// neverBeatingIsDroppedInTime: so is a session that never sent a heartbeat (S-HB-11).
func neverBeatingIsDroppedInTime(s *session, e *timeline.Event, f *Finding) {
	if !s.timing.begun {
		droppedInTime(s, e, f)
	}
}

// droppedInTime judges the end that a server gives to a silent session.
func droppedInTime(s *session, e *timeline.Event, f *Finding) {
	t := &s.timing
	fromServer := received(e, wire.TypeError) || ended(e) && !s.watch.fromClient(e)
	if !fromServer || t.over || t.stale || t.lease == 0 {
		return
	}
	since, sure := t.seenByServer()
	if !sure || e.At-since < t.lease*9/10 {
		return // it ended for another reason
	}
	f.Examined++
	late := e.At - since - t.lease
	if late <= expirySlack(t.lease)+t.path.Server {
		return
	}
	expected := fmt.Sprintf("a session silent for its lease (%v) ended within %v after it", t.lease, expirySlack(t.lease))
	actual := fmt.Sprintf("the server ended %s %v after that", s.who, round(late))
	if !t.near(t.path.Server) {
		s.doubted(f, e, expected, actual+", as seen from far: the network may have delayed it")
		return
	}
	s.violated(f, e, expected, actual)
}

// seenByServer returns by when the server surely had the client's last message:
// when it answered, or at once where the capture was taken near the server.
func (t *timing) seenByServer() (at time.Duration, sure bool) {
	switch {
	case !t.said.known:
		return 0, false
	case t.near(t.path.Server):
		return t.said.at + t.path.Server, true
	}
	return t.answered.at, t.answered.known
}

// noAnswerAfterTheLease: a HEARTBEAT after the lease is never answered ACQUIRED or
// WAITING (S-HB-14). The heartbeat reached the server later than it was seen here.
func noAnswerAfterTheLease(s *session, e *timeline.Event, f *Finding) {
	t := &s.timing
	switch {
	case t.over || t.lease == 0:
	case sent(e, wire.TypeHeartbeat):
		since, sure := t.seenByServer()
		if t.stale = t.stale || sure && e.Note != timeline.Late && e.At-since > t.lease+expirySlack(t.lease); t.stale {
			f.Examined++
		}
	case t.stale && (received(e, wire.TypeAcquired) || received(e, wire.TypeWaiting)):
		s.violated(f, e, fmt.Sprintf("no answer to a heartbeat after a silence longer than the lease (%v)", t.lease),
			fmt.Sprintf("%s received %v", s.who, *e.Frame))
		t.stale = false // said once for each silence
	}
}
