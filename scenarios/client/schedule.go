package client

import (
	"fmt"
	"time"

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
	{
		ID: "client/heartbeats/one-late-answer", Role: spec.RoleClient,
		Title:  "the round trip is smoothed: one late answer shortens the interval by little",
		Judges: []spec.ID{spec.C_HB_03}, Leases: 8,
		Method: "One answer comes late by 0.4 of an interval, when seven others have come at once. Two smoothed round trips then shorten the interval by 0.16 of it; two round trips that are not smoothed, by 0.6.",
		Run: func(t *conformance.T) {
			l := longLease(t)
			_, peer, _ := holding(t, conformance.ForLease(l))
			peer.AnswerAs(func(n int) (time.Duration, bool) {
				if n == promptFirst {
					return lateAnswer(l), true
				}
				return 0, true
			})
			judgeSmoothing(t, collect(t, peer, promptFirst+2, l), l)
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

// promptFirst is how many answers come at once before the late one: enough that a slow
// first sample is nearly forgotten, and that averages that begin at 0 and at the first
// sample agree.
const promptFirst = 7

// lateAnswer is how late the one late answer comes: too little for C-HB-06 to apply.
func lateAnswer(lease time.Duration) time.Duration { return lease / 4 * 4 / 10 }

// judgeSmoothing compares the interval behind the late answer with the one before. Two
// round trips that are not smoothed leave no more of it than the wait for the answer.
// The limit lies half way between that and the smoothed interval.
func judgeSmoothing(t *conformance.T, beats []time.Time, lease time.Duration) {
	const why = "one late answer shortens the interval by two smoothed round trips"
	late := lateAnswer(lease)
	before, after := beats[promptFirst].Sub(beats[promptFirst-1]), beats[promptFirst+1].Sub(beats[promptFirst])
	smoothed, raw := before-2*late/5, late
	least := (smoothed + raw) / 2
	switch {
	case after >= least:
		t.PassAfter(spec.C_HB_03, why, after)
	case least-after <= t.Lateness(beats[promptFirst-1]):
		t.Doubt(spec.C_HB_03, why, "at least "+least.String(), after.String())
	default:
		t.Late(spec.C_HB_03, why, fmt.Sprintf("about %s after one answer late by %s, where the interval was %s before; at least %s", ms(smoothed), ms(late), ms(before), ms(least)), ms(after))
	}
}
