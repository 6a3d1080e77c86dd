package monitor

import (
	"fmt"

	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/conformance/timeline"
	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

// clientChecks are the monitors of a client's side, seen from the server's end of
// its connections.
var clientChecks = []check{
	{spec.C_ACQ_02, oneAcquireAConnection},
	{spec.C_ACQ_06, onlyHeartbeatsAfterAcquire},
	{spec.C_HB_04, oneHeartbeatInFlight},
}

// Client runs every monitor of a client's side over events and returns one
// finding each, in the order of the catalogue.
func Client(events []timeline.Event) []Finding {
	sessions := split(events)
	findings := make([]Finding, len(clientChecks))
	for i, c := range clientChecks {
		findings[i].ID = c.id
		c.run(sessions, &findings[i])
	}
	return findings
}

// oneAcquireAConnection: exactly one ACQUIRE on each connection (C-ACQ-02).
func oneAcquireAConnection(sessions []session, f *Finding) {
	for _, s := range sessions {
		seen := false
		for _, e := range s.events {
			if !received(e, wire.TypeAcquire) {
				continue
			}
			f.Examined++
			if seen {
				f.violated(e, "one ACQUIRE on a connection", s.who+" sent a second ACQUIRE")
			}
			seen = true
		}
	}
}

// onlyHeartbeatsAfterAcquire: after ACQUIRE nothing but HEARTBEAT bytes (C-ACQ-06).
func onlyHeartbeatsAfterAcquire(sessions []session, f *Finding) {
	for _, s := range sessions {
		asked := false
		for _, e := range s.events {
			if e.What != timeline.Recv {
				continue
			}
			f.Examined++
			if asked && e.Frame == nil {
				f.violated(e, "only HEARTBEAT bytes after ACQUIRE", fmt.Sprintf("%s sent %s", s.who, timeline.Hex(e.Bytes, e.Size)))
			}
			asked = asked || received(e, wire.TypeAcquire)
		}
	}
}

// oneHeartbeatInFlight: never a second heartbeat before the first is answered
// (C-HB-04). Any frame of the server counts as the answer, a push too, in the
// client's favour.
func oneHeartbeatInFlight(sessions []session, f *Finding) {
	for _, s := range sessions {
		unanswered := 0
		for _, e := range s.events {
			switch {
			case sent(e, wire.TypeWaiting), sent(e, wire.TypeAcquired):
				unanswered = 0
			case received(e, wire.TypeHeartbeat):
				f.Examined++
				if unanswered++; unanswered > 1 {
					f.violated(e, "one heartbeat in flight", fmt.Sprintf("%s sent a heartbeat while %d was unanswered", s.who, unanswered-1))
					return
				}
			}
		}
	}
}
