package client

import (
	"fmt"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/conformance/subject"
	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

var loss = []conformance.Scenario{
	{
		ID: "client/loss/right-behind-the-grant", Role: spec.RoleClient,
		Title:  "a loss right behind ACQUIRED stops the work, or the work never starts",
		Judges: []spec.ID{spec.C_LOSS_01}, Leases: 2,
		Method: "ACQUIRED and an ERROR arrive in one segment; ACQUIRED and the FIN, and the RST, follow each other at once. The work gets its stop signal, or does not start at all.",
		Run: func(t *conformance.T) {
			ends := []string{"ERROR in the same segment", "FIN right behind", "RST right behind"}
			cases(t, ends, func(s string) string { return s }, func(t *conformance.T, how string) {
				claim, peer, _ := asked(t)
				var sent conformance.Stamp
				switch how {
				case ends[0]:
					sent = peer.Send(wire.AcquiredFrame(token), wire.ErrorFrame(wire.CodeClosedByAdmin, "closed by administrator"))
				case ends[1]:
					peer.Send(wire.AcquiredFrame(token))
					sent = peer.Close()
				default:
					peer.Send(wire.AcquiredFrame(token))
					sent = peer.Reset()
				}
				wantStopped(t, claim, sent)
			})
		},
	},
	{
		ID: "client/loss/new-acquire-new-connection", Role: spec.RoleClient, Needs: retry,
		Title:  "a new acquisition is a new ACQUIRE on a new connection",
		Judges: []spec.ID{spec.C_LOSS_02}, Leases: 6,
		Method: "A waiter's connection ends three times: by FIN, by RST, and by an ERROR behind which the server does not close. Each time a new connection brings a new ACQUIRE, and the last is granted.",
		Run: func(t *conformance.T) {
			claim, peer, server := waiting(t, conformance.Retrying())
			ends := []func(*conformance.Peer) conformance.Stamp{
				(*conformance.Peer).Close, (*conformance.Peer).Reset,
				func(p *conformance.Peer) conformance.Stamp {
					return p.Error(wire.CodeClosedByAdmin, "closed by administrator")
				},
			}
			for _, end := range ends {
				old := peer
				end(old)
				peer = server.AcceptWithin(spec.C_LOSS_02, "after a loss the client connects anew", t.Within(comeBack))
				peer.WantAcquire(spec.C_LOSS_02, "with a new ACQUIRE")
				peer.Answer()
				peer.Wait()
			}
			claim.WantGranted(spec.C_LOSS_02, "and the new claim can be granted", t.AtOnce(peer.Grant(token)))
			claim.Release()
			claim.WantResult(spec.C_REL_01, "work that returns ends well", subject.OutcomeOK)
		},
	},
	{
		ID: "client/loss/no-silent-re-acquisition", Role: spec.RoleClient, Needs: retry,
		Title:  "after a loss the same work never goes on as if it held",
		Judges: []spec.ID{spec.C_LOSS_03}, Leases: 8,
		Method: "A holder in the retrying call loses its lock, twice, with a heartbeat unanswered and by an ERROR. The stop signal comes each time; where the client asks again and is granted, the work starts anew with the new token.",
		Run:    noSilentReacquisition,
	},
}

// wantStopped judges a loss that follows the grant at once: the work is stopped, or
// never started.
func wantStopped(t *conformance.T, claim *conformance.Claim, sent conformance.Stamp) {
	const why = "a loss right behind the grant stops the work, or it never starts"
	w := t.AtOnce(sent)
	e, ok := claim.Next(w.By.Add(time.Second), subject.Granted, subject.Result)
	switch {
	case ok && e.Kind == subject.Result:
		t.Pass(spec.C_LOSS_01, why)
	case ok:
		claim.WantEnd(spec.C_LOSS_01, why, w)
	default:
		t.Fail(spec.C_LOSS_01, why, "a stop signal, or a result without work", "neither came")
	}
}

func noSilentReacquisition(t *conformance.T) {
	const why = "the stop signal comes, and the same work never goes on"
	claim, peer, server := holding(t, conformance.Retrying())
	lose := []func(*conformance.Peer) conformance.Stamp{
		func(p *conformance.Peer) conformance.Stamp {
			p.AnswerAs(nil)
			p.Drain()
			p.WantHeartbeat(spec.C_HB_01, "a holder heartbeats", interval(t, p, lease(t)))
			return p.Reset()
		},
		func(p *conformance.Peer) conformance.Stamp {
			return turnAway(p, wire.CodeClosedByAdmin, "closed by administrator")
		},
	}
	for i, end := range lose {
		claim.WantEnd(spec.C_LOSS_03, why, t.AtOnce(end(peer)))
		claim.Release() // the stopped work returns
		again, ok := server.Next(time.Now().Add(comeBack))
		if !ok {
			break // whether it asks again after a loss is the client's choice
		}
		again.WantAcquire(spec.C_LOSS_02, "a new acquisition is a new ACQUIRE")
		again.Answer()
		fresh := uint64(token + 1 + i)
		got := claim.WantGranted(spec.C_LOSS_03, "a new grant is a new run of the work", t.AtOnce(again.Grant(fresh)))
		if got != fresh {
			t.Fail(spec.C_LOSS_03, why, fmt.Sprintf("the new token %d", fresh), fmt.Sprintf("token %d", got))
		}
		peer = again
	}
	t.Pass(spec.C_LOSS_03, why)
}
