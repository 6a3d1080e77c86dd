package client

import (
	"time"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/conformance/subject"
)

var release = []conformance.Scenario{
	{
		ID: "client/release/by-closing", Role: spec.RoleClient,
		Title:  "work done: the connection is closed promptly, and nothing else is sent",
		Judges: []spec.ID{spec.C_REL_01, spec.C_REL_02}, Leases: 4,
		Method: "The work returns, right after a heartbeat and in mid-interval of a long lease. The connection ends at once, with no byte before the end, and the result is ok. Whether the client or the end of its process closed is recorded as far as it can be told.",
		Run: func(t *conformance.T) {
			var closed closings
			waits := []time.Duration{0, longLease(t) / 8}
			cases(t, waits, time.Duration.String, func(t *conformance.T, wait time.Duration) {
				claim, peer, _ := holding(t, conformance.ForLease(longLease(t)))
				peer.WantHeartbeat(spec.C_HB_01, "a holder heartbeats", interval(t, peer, longLease(t)))
				peer.Settle()
				t.Pause(wait + longLease(t)/40)
				peer.Drain()
				done := claim.Release()
				claim.WantFinished(spec.C_REL_01, "the work returns", t.AtOnce(done))
				peer.AwaitEnd(t.AtOnce(done).By)
				peer.WantNoMessage(spec.C_REL_02, "nothing else is sent for the release")
				at := peer.WantClosed(spec.C_REL_01, "the release is the close, and prompt", t.AtOnce(done))
				result := claim.WantResult(spec.C_REL_01, "work that returns ends well", subject.OutcomeOK)
				exit, _ := claim.Glance(time.Second, subject.Ended)
				closed.add(closing{closed: at, result: result.At, exit: exit.At})
			})
			closed.observe(t)
		},
	},
	{
		ID: "client/release/waits-for-no-answer", Role: spec.RoleClient,
		Title:  "the release waits for no answer",
		Judges: []spec.ID{spec.C_REL_01}, Leases: 4,
		Method: "The work returns while a heartbeat is unanswered, and its answer never comes. The connection ends at once all the same, and the result is ok.",
		Run: func(t *conformance.T) {
			claim, peer, _ := holding(t, conformance.ForLease(longLease(t))) // 0.8 of the lease is far away
			peer.AnswerAs(nil)
			peer.WantHeartbeat(spec.C_HB_01, "a holder heartbeats", interval(t, peer, longLease(t)))
			done := claim.Release()
			claim.WantFinished(spec.C_REL_01, "the work returns", t.AtOnce(done))
			peer.WantClosed(spec.C_REL_01, "the release is the close, whatever is unanswered", t.AtOnce(done))
			claim.WantResult(spec.C_REL_01, "work that returns ends well", subject.OutcomeOK)
		},
	},
	{
		ID: "client/release/killed", Role: spec.RoleClient, NeedsProcess: true,
		Title:  "the client's process is killed: the connection goes with it",
		Judges: []spec.ID{spec.C_REL_03},
		Method: "The adapter's process is killed while it holds. Its connection ends at once: nothing that it started keeps it open.",
		Run: func(t *conformance.T) {
			claim, peer, _ := holding(t)
			peer.WantClosed(spec.C_REL_03, "the connection goes with the process", t.AtOnce(claim.Kill()))
		},
	},
	{
		ID: "client/release/failed-work", Role: spec.RoleClient, Needs: []spec.Feature{spec.FeatureFail},
		Title:  "work that ends with an error releases all the same",
		Judges: []spec.ID{spec.C_REL_04},
		Method: "The work ends with an error of its own. The connection ends at once, and the result is failed.",
		Run: func(t *conformance.T) {
			claim, peer, _ := holding(t)
			done := claim.Fail()
			claim.WantFinished(spec.C_REL_04, "the work ends", t.AtOnce(done))
			peer.WantClosed(spec.C_REL_04, "failed work releases the lock", t.AtOnce(done))
			claim.WantResult(spec.C_REL_04, "the caller learns of the error", subject.OutcomeFailed)
		},
	},
	{
		ID: "client/release/nothing-afterwards", Role: spec.RoleClient,
		Title:  "after the work is done no heartbeat is sent, and a late answer changes nothing",
		Judges: []spec.ID{spec.C_REL_05}, Leases: 3,
		Method: "The work returns while a heartbeat is unanswered. The answer comes late; no heartbeat follows for more than an interval, and the result is ok.",
		Run: func(t *conformance.T) {
			claim, peer, _ := holding(t)
			peer.AnswerAs(nil)
			peer.WantHeartbeat(spec.C_HB_01, "a holder heartbeats", interval(t, peer, lease(t)))
			done := claim.Release()
			claim.WantFinished(spec.C_REL_05, "the work returns", t.AtOnce(done))
			t.Pause(slack(lease(t)))
			peer.Drain()
			peer.Again()
			t.PauseUntil(done.After.Add(pace(t, lease(t)) + lease(t)/10))
			peer.WantNoMessage(spec.C_REL_05, "no heartbeat follows the release")
			claim.WantResult(spec.C_REL_05, "a late answer changes nothing", subject.OutcomeOK)
		},
	},
}
