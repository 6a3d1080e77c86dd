package client

import (
	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/spec"
)

// schedule is what must not disturb the pace of heartbeats.
var schedule = []conformance.Scenario{
	{
		ID: "client/heartbeats/promotion-moves-nothing", Role: spec.RoleClient,
		Title:  "a promotion in mid-interval does not move the next heartbeat",
		Judges: []spec.ID{spec.C_HB_01}, Leases: 6,
		Method: "A waiter is promoted at 0.6 of an interval after its heartbeat. The next one comes within a quarter of the lease after that heartbeat, and not after the push.",
		Run: func(t *conformance.T) {
			l := longLease(t)
			claim, peer, _ := waiting(t, conformance.ForLease(l))
			last := peer.WantHeartbeat(spec.C_HB_02, "a waiter heartbeats", interval(t, peer, l))
			peer.Settle()
			t.PauseUntil(last.Add(l / 4 * 6 / 10))
			claim.WantGranted(spec.C_RD_01, "a push reaches the work", t.AtOnce(peer.Grant(token)))
			w := conformance.Window{From: last, By: last.Add(pace(t, l))}
			peer.WantHeartbeat(spec.C_HB_01, "the next heartbeat counts from the one before, and not from the push", w)
		},
	},
}
