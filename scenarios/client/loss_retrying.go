package client

import (
	"fmt"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/conformance/subject"
	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

// lossRetrying is what the retrying call does about a lock that it has lost.
var lossRetrying = []conformance.Scenario{
	{
		ID: "client/loss/no-silent-re-acquisition", Role: spec.RoleClient, Needs: retry,
		Title:  "after a loss the same work never goes on as if it held",
		Judges: []spec.ID{spec.C_LOSS_03}, Notices: []spec.ID{spec.C_DBT_02, spec.C_ERR_07}, Leases: 16,
		Method: "A holder in the retrying call loses its lock: by a FIN, by a RST with a heartbeat unanswered, by silence, and by ERRORs 0x01 and 0x02. The stop signal comes each time; where the client asks again and is granted, the work starts anew with the new token, and the lock is lost once more. What the call returns is recorded.",
		Run: func(t *conformance.T) {
			cases(t, waysToLose, func(l wayToLose) string { return l.name }, noSilentReacquisition)
		},
	},
}

// wayToLose is what takes a lock away from its holder.
type wayToLose struct {
	name string
	id   spec.ID // whose matter the stop signal is
	lose func(*conformance.T, *conformance.Peer) conformance.Window
}

var waysToLose = []wayToLose{
	{"FIN", spec.C_DBT_02, func(t *conformance.T, p *conformance.Peer) conformance.Window { return t.AtOnce(p.Close()) }},
	{"RST with a heartbeat unanswered", spec.C_DBT_02, func(t *conformance.T, p *conformance.Peer) conformance.Window {
		p.AnswerAs(nil)
		p.Drain()
		p.WantHeartbeat(spec.C_HB_01, "a holder heartbeats", interval(t, p, lease(t)))
		return t.AtOnce(p.Reset())
	}},
	{"silence", spec.C_TO_01, func(t *conformance.T, p *conformance.Peer) conformance.Window {
		w := t.Revocation(p.FallSilent(), lease(t))
		w.NotBefore = time.Time{}
		return w
	}},
	{"ERROR 0x01", spec.C_ERR_07, loseByError(wire.CodeShuttingDown)},
	{"ERROR 0x02", spec.C_ERR_07, loseByError(wire.CodeClosedByAdmin)},
}

func loseByError(code wire.Code) func(*conformance.T, *conformance.Peer) conformance.Window {
	return func(t *conformance.T, p *conformance.Peer) conformance.Window {
		return t.AtOnce(turnAway(p, code, code.Text()))
	}
}

func noSilentReacquisition(t *conformance.T, l wayToLose) {
	const losses = 2
	claim, peer, server := holding(t, conformance.Retrying())
	for i := range uint64(losses) {
		wantTold(t, claim, server, l, l.lose(t, peer))
		claim.Release() // the stopped work returns
		again, asks := asksAgain(t, claim, server, spec.C_LOSS_01, "result_after_a_loss")
		if !asks {
			break // whether it asks again after a loss is the client's choice
		}
		again.WantAcquire(spec.C_LOSS_02, "a new acquisition is a new ACQUIRE")
		again.Answer()
		wantNewRun(t, claim, again, token+1+i)
		peer = again
	}
	t.Pass(spec.C_LOSS_03, "the stop signal comes, and the same work never goes on")
}

// wantTold wants the stop signal. Where the client asks for the lock anew instead,
// that is a silent re-acquisition.
func wantTold(t *conformance.T, claim *conformance.Claim, server *conformance.Script, l wayToLose, w conformance.Window) {
	if !claim.Ends(w) {
		if again, asks := server.Next(time.Now().Add(comeBack)); asks {
			t.Late(spec.C_LOSS_03, "after a loss the same work never goes on as if it held", "the stop signal reaches the work",
				again.Who()+" is there to ask again, and the work was told nothing")
		}
	}
	claim.WantEnd(l.id, "a loss stops the work", w)
}

// wantNewRun grants the lock anew, and wants the work to start anew.
func wantNewRun(t *conformance.T, claim *conformance.Claim, peer *conformance.Peer, fresh uint64) {
	got := claim.WantGranted(spec.C_LOSS_03, "a new grant is a new run of the work", t.AtOnce(peer.Grant(fresh)))
	if got != fresh {
		t.Fail(spec.C_LOSS_03, "a new run of the work has the new token", fmt.Sprintf("the new token %d", fresh), fmt.Sprintf("token %d", got))
	}
}

// asksAgain takes the connection with which a client asks again. It reports false
// where the client ends the call instead, whose result is put down under id.
func asksAgain(t *conformance.T, claim *conformance.Claim, server *conformance.Script, id spec.ID, key string) (*conformance.Peer, bool) {
	for end := time.Now().Add(t.Patient(comeBack)); time.Now().Before(end); {
		if again, came := server.Glance(0); came {
			return again, true
		}
		if e, over := claim.Glance(20*time.Millisecond, subject.Result); over {
			t.Observe(id, key, string(e.Outcome))
			return nil, false
		}
	}
	return nil, false
}
