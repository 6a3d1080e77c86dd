package client

import (
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
		Judges: []spec.ID{spec.C_LOSS_02}, Notices: []spec.ID{spec.C_ACQ_01}, Leases: 6,
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
