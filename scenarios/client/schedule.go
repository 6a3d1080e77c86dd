package client

import (
	"fmt"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/spec"
)

// schedule is what must not disturb the pace of heartbeats.
var schedule = []conformance.Scenario{
	{
		ID: "client/heartbeats/many", Role: spec.RoleClient,
		Title:  "heartbeats go on for as long as the session does",
		Judges: []spec.ID{spec.C_HB_01, spec.C_HB_02}, Leases: 12,
		Method: "One claim is held and another waits for 32 heartbeats, eight leases, each answered at once. None of them is missing.",
		Run: func(t *conformance.T) {
			t.Together(
				func(t *conformance.T) { _, peer, _ := holding(t); goesOn(t, peer, spec.C_HB_01) },
				func(t *conformance.T) { _, peer, _ := waiting(t); goesOn(t, peer, spec.C_HB_02) },
			)
		},
	},
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
	{
		ID: "client/heartbeats/after-a-promotion", Role: spec.RoleClient,
		Title:  "after a promotion heartbeats go on at the same pace",
		Judges: []spec.ID{spec.C_HB_01, spec.C_HB_07, spec.C_HB_08}, Leases: 6,
		Method: "A waiter is promoted right behind the answer to a heartbeat, and holds for ten more, each answered at once. No interval is longer than a quarter of the lease, and their mean is not far below it.",
		Run: func(t *conformance.T) {
			claim, peer, _ := waiting(t)
			peer.WantHeartbeat(spec.C_HB_02, "a waiter heartbeats", interval(t, peer, lease(t)))
			peer.Settle()
			claim.WantGranted(spec.C_RD_01, "a push reaches the work", t.AtOnce(peer.Grant(token)))
			judgePace(t, peer, spec.C_HB_01, "ACQUIRED")
		},
	},
}

// goesOn wants more heartbeats than the small counter or buffer of a wrong client has
// room for. How far apart they are is another scenario's matter: half a lease is far
// above any schedule.
func goesOn(t *conformance.T, peer *conformance.Peer, id spec.ID) {
	const beats = 32
	last := peer.Last().Sent.After
	for n := range beats {
		w := conformance.Window{From: last, By: last.Add(lease(t) / 2)}
		last = peer.WantHeartbeat(id, fmt.Sprintf("heartbeats go on, also after %d", n), w)
	}
}
