package client

import (
	"time"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/conformance/subject"
	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

// documented are the five scenarios of the writing-a-client page, by how often
// they find bugs.
var documented = []conformance.Scenario{
	{
		ID: "client/documented/two-clients-one-lock", Role: spec.RoleClient, Labels: []string{"documented-1"},
		Title:  "two clients, one lock: the second waits, and is granted when the first disconnects",
		Judges: []spec.ID{spec.C_RD_01, spec.C_ACQ_05, spec.C_REL_01}, Leases: 4,
		Method: "Two claims of the client under test on one lock of the reference server. The second does not start its work before the first is released, and does at once then.",
		Run: func(t *conformance.T) {
			server, lock := t.Reference(), t.Lock("job")
			first := t.Claim(server.Addr(), conformance.Named(lock), conformance.ForLease(lease(t)))
			first.WantGranted(spec.C_RD_01, "the first is granted", t.Within(conformance.AnswerTime))
			second := t.Claim(server.Addr(), conformance.Named(lock), conformance.ForLease(lease(t)))
			second.WantNoClaim(spec.C_ACQ_05, "the second waits while the first holds", time.Now().Add(lease(t)))
			released := first.Release()
			first.WantFinished(spec.C_REL_01, "the first is done", t.AtOnce(released))
			second.WantGranted(spec.C_RD_01, "the second is granted when the first disconnects", t.AtOnce(released))
			first.WantResult(spec.C_REL_01, "work that returns ends well", subject.OutcomeOK)
		},
	},
	{
		ID: "client/documented/hold-for-several-intervals", Role: spec.RoleClient, Labels: []string{"documented-2"},
		Title:  "a lock is held for several heartbeat intervals",
		Judges: []spec.ID{spec.C_HB_01}, Leases: 6,
		Method: "The client holds a lock of the reference server for two and a half leases; nobody else gets it, and its claim never ends meanwhile.",
		Run: func(t *conformance.T) {
			server, lock := t.Reference(), t.Lock("job")
			claim := t.Claim(server.Addr(), conformance.Named(lock), conformance.ForLease(lease(t)))
			claim.WantGranted(spec.C_RD_01, "the client is granted", t.Within(conformance.AnswerTime))
			claim.WantStillClaims(spec.C_HB_01, "its heartbeats keep the lock", time.Now().Add(lease(t)*5/2))
		},
	},
	{
		ID: "client/documented/network-stops", Role: spec.RoleClient, Labels: []string{"documented-3"},
		Title:  "the network stops while the client holds: the claim ends before the lease, and the work is stopped",
		Judges: []spec.ID{spec.C_TO_01, spec.C_TO_02}, Leases: 4,
		Method: "While the client holds, nothing passes any more in either direction, and both ends stay open. The stop signal comes by 0.8 of the lease.",
		Run: func(t *conformance.T) {
			claim, peer, _ := holding(t)
			beat(t, peer, lease(t), 3)
			last := peer.FallSilent()
			peer.StopReading()
			judgeRevocation(t, claim, last, lease(t), spec.C_TO_01)
		},
	},
	{
		ID: "client/documented/restart-while-queued", Role: spec.RoleClient, Labels: []string{"documented-4"}, Needs: retry,
		Title:  "the server restarts while the client is queued: it connects again at once",
		Judges: []spec.ID{spec.C_ERR_01, spec.C_LOSS_02}, Notices: []spec.ID{spec.C_ACQ_01}, Leases: 4,
		Method: "The client waits, in its retrying call, for a lock that somebody holds. The server says ERROR 0x01 and closes; a new connection with a new ACQUIRE comes at once, is queued, and is granted later.",
		Run: func(t *conformance.T) {
			claim, peer, server := waiting(t, conformance.Retrying())
			told := turnAway(peer, wire.CodeShuttingDown, wire.CodeShuttingDown.Text())
			again := server.AcceptWithin(spec.C_ERR_01, "after ERROR 0x01 the client connects again at once", t.AtOnce(told))
			again.WantAcquire(spec.C_LOSS_02, "with a new ACQUIRE")
			again.Answer()
			again.Wait()
			claim.WantGranted(spec.C_LOSS_02, "and the new claim is granted", t.AtOnce(again.Grant(token)))
			claim.Release()
			claim.WantResult(spec.C_REL_01, "work that returns ends well", subject.OutcomeOK)
		},
	},
	{
		ID: "client/documented/name-of-300-bytes", Role: spec.RoleClient, Labels: []string{"documented-5"},
		Title:  "a name of 300 bytes: an error, and no retry",
		Judges: []spec.ID{spec.C_ACQ_04},
		Method: "The client is asked for a name of 300 bytes. It refuses it, or sends it and takes ERROR 0x15; nothing is tried again.",
		Run: func(t *conformance.T) {
			refusedLocallyOrNot(t, spec.C_ACQ_04, wire.CodeNameTooLong, conformance.Named(t.LockOf(300, "x")), longName)
		},
	},
}
