package client

import (
	"time"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/conformance/subject"
)

var canCancel = []spec.Feature{spec.FeatureCancel}

var cancel = []conformance.Scenario{
	{
		ID: "client/cancel/while-waiting", Role: spec.RoleClient, Needs: canCancel,
		Title:  "cancelled while waiting: closed promptly, and the work never starts",
		Judges: []spec.ID{spec.C_CAN_01}, Leases: 2,
		Method: "A waiter is cancelled, once before any answer and once after WAITING. The connection ends at once, the result is cancelled, and no work starts.",
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
