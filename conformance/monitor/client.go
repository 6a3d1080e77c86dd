package monitor

import (
	"fmt"

	"github.com/monolock-dev/monolock-conform/conformance/timeline"
	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

// oneAcquireAConnection: exactly one ACQUIRE on each connection (C-ACQ-02).
func oneAcquireAConnection(s *session, e *timeline.Event, f *Finding) {
	if !received(e, wire.TypeAcquire) {
		return
	}
	f.Examined++
	if s.asked {
		s.violated(f, e, "one ACQUIRE on a connection", s.who+" sent a second ACQUIRE")
	}
	s.asked = true
}

// onlyHeartbeatsAfterAcquire: after ACQUIRE nothing but HEARTBEAT bytes (C-ACQ-06).
// It stands behind [oneAcquireAConnection], which notes the ACQUIRE.
func onlyHeartbeatsAfterAcquire(s *session, e *timeline.Event, f *Finding) {
	if e.What != timeline.Recv {
		return
	}
	f.Examined++
	if s.asked && e.Frame == nil {
		s.violated(f, e, "only HEARTBEAT bytes after ACQUIRE", fmt.Sprintf("%s sent %s", s.who, timeline.Hex(e.Bytes, e.Size)))
	}
}

// oneHeartbeatInFlight: never a second heartbeat before the first is answered
// (C-HB-04). Any frame of the server counts as the answer, a push too, in the
// client's favour. It speaks once a session.
func oneHeartbeatInFlight(s *session, e *timeline.Event, f *Finding) {
	switch {
	case s.inFlight > 1:
	case sent(e, wire.TypeWaiting), sent(e, wire.TypeAcquired):
		s.inFlight = 0
	case received(e, wire.TypeHeartbeat) && e.Note == timeline.Late: // its answer may have been told before
	case received(e, wire.TypeHeartbeat):
		f.Examined++
		if s.inFlight++; s.inFlight > 1 {
			s.violated(f, e, "one heartbeat in flight", s.who+" sent a heartbeat while one was unanswered")
		}
	}
}
