package client

import (
	"time"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/conformance/subject"
	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

var canCancel = []spec.Feature{spec.FeatureCancel}

var cancel = []conformance.Scenario{
	{
		ID: "client/cancel/while-waiting", Role: spec.RoleClient, Needs: canCancel,
		Title:  "cancelled while waiting: closed promptly, and the work never starts",
		Judges: []spec.ID{spec.C_CAN_01}, Leases: 2,
		Method: "A waiter is cancelled, once before any answer and once after WAITING. The connection ends at once, the result is cancelled, and no work starts. A retrying client is also cancelled in a pause between two attempts: where it comes back all the same and stays, it is granted, and its work must not start. What that call returns is recorded.",
		Run: func(t *conformance.T) {
			cases(t, []bool{false, true}, func(told bool) string {
				return map[bool]string{false: "before an answer", true: "after WAITING"}[told]
			}, func(t *conformance.T, told bool) {
				claim, peer, _ := asked(t)
				if told {
					peer.Answer()
					peer.Wait()
					t.Pause(lease(t) / 10)
				}
				cancelled := claim.Cancel()
				peer.WantClosed(spec.C_CAN_01, "a cancelled waiter closes", t.AtOnce(cancelled))
				claim.WantNoClaim(spec.C_CAN_01, "and its work never starts", time.Now())
				claim.WantResult(spec.C_CAN_01, "the caller learns so", subject.OutcomeCancelled)
			})
			if t.Offers(spec.FeatureRetry) {
				t.Case("between two attempts", cancelledBetweenAttempts)
			}
		},
	},
	{
		ID: "client/cancel/while-holding", Role: spec.RoleClient, Needs: canCancel,
		Title:  "cancelled while holding: the claim and its heartbeats go on until the work returns",
		Judges: []spec.ID{spec.C_CAN_02}, Leases: 4,
		Method: "A holder is cancelled. Heartbeats go on for a lease; then the work returns, and the connection ends at once. Work that returns by itself upon the cancellation is not judged.",
		Run: func(t *conformance.T) {
			claim, peer, _ := holding(t)
			claim.Cancel()
			const why = "the claim goes on until the work returns"
			if e, ended := claim.Next(time.Now().Add(conformance.AtOnceTime), subject.Finished, subject.Lost); ended {
				judgeEarlyReturn(t, e, why)
				return
			}
			beatAs(t, spec.C_CAN_02, peer, lease(t), 4)
			claim.WantStillClaims(spec.C_CAN_02, why, time.Now())
			peer.WantOpen(spec.C_CAN_02, why, time.Now())
			done := claim.Release()
			peer.WantClosed(spec.C_CAN_02, "then the connection is closed", t.AtOnce(done))
			claim.WantResult(spec.C_CAN_02, "and the call ends", subject.OutcomeOK, subject.OutcomeCancelled)
		},
	},
	{
		ID: "client/cancel/loss-after-cancel", Role: spec.RoleClient,
		Title:  "a lock that is lost is lost also after a cancellation: the work is stopped",
		Judges: []spec.ID{spec.C_LOSS_01, spec.C_TO_01}, Notices: []spec.ID{spec.C_TO_02}, Leases: 4,
		Method: "A holder is cancelled, where the client knows of that, and its work goes on. Then it loses the lock: by a FIN, by an ERROR, and by silence. The stop signal reaches the work. Work that returns by itself upon the cancellation is not judged.",
		Run: func(t *conformance.T) {
			ends := []string{"FIN", "ERROR", "silence"}
			cases(t, ends, func(s string) string { return s }, lossAfterCancel)
		},
	},
}

func lossAfterCancel(t *conformance.T, how string) {
	const why = "also work that was cancelled is told of a loss"
	claim, peer, _ := holding(t)
	if t.Offers(spec.FeatureCancel) && !goesOnWhenCancelled(claim, peer) {
		// A stop signal or a close without a loss is C-CAN-02's matter.
		for _, id := range []spec.ID{spec.C_LOSS_01, spec.C_TO_01} {
			t.Pass(id, "nothing was left to lose: the work or the connection ended upon the cancellation")
		}
		return
	}
	switch how {
	case "FIN":
		claim.WantEnd(spec.C_LOSS_01, why, t.AtOnce(peer.Close()))
	case "ERROR":
		claim.WantEnd(spec.C_LOSS_01, why, t.AtOnce(turnAway(peer, wire.CodeClosedByAdmin, wire.CodeClosedByAdmin.Text())))
	default:
		peer.Settle()
		judgeRevocation(t, claim, peer.FallSilent(), lease(t), spec.C_TO_01)
	}
}

// goesOnWhenCancelled cancels a holder, and reports whether its work and its
// connection go on.
func goesOnWhenCancelled(claim *conformance.Claim, peer *conformance.Peer) bool {
	claim.Cancel()
	_, over := claim.Next(time.Now().Add(conformance.AtOnceTime), subject.Finished, subject.Lost)
	return !over && !peer.Ended()
}

func cancelledBetweenAttempts(t *conformance.T) {
	const why = "a call that was cancelled before the grant never starts its work"
	claim, peer, server := asked(t, conformance.Retrying())
	turnAway(peer, wire.CodeClosedByAdmin, wire.CodeClosedByAdmin.Text())
	peer.AwaitEnd(time.Now().Add(conformance.AtOnceTime))
	claim.Cancel()
	again, asks := asksAgain(t, claim, server, spec.C_CAN_01, "result_of_a_call_cancelled_between_attempts")
	if !asks {
		t.Pass(spec.C_CAN_01, why)
		return
	}
	again.AwaitEnd(time.Now().Add(conformance.AtOnceTime)) // a connect that crossed the word
	if !again.Ended() {
		again.Answer()
		again.Grant(token)
	}
	claim.WantNoClaim(spec.C_CAN_01, why, time.Now().Add(conformance.AtOnceTime))
}

// judgeEarlyReturn: work that returns at once upon the cancellation is its own
// affair; a stop signal while it holds is a loss that was none.
func judgeEarlyReturn(t *conformance.T, e subject.ClientEvent, why string) {
	if e.Kind == subject.Lost {
		t.Fail(spec.C_CAN_02, why, "no stop signal for a lock that is held", "lost: "+e.Cause)
		return
	}
	t.Pass(spec.C_CAN_02, "the work returned by itself upon the cancellation")
}
