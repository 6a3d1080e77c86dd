package client

import (
	"fmt"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

// revocationLater is what works once and may break the second time.
var revocationLater = []conformance.Scenario{
	{
		ID: "client/revocation/on-later-connections", Role: spec.RoleClient,
		Title:  "in the retrying call, too, nothing outlives 0.8 of the lease without a confirmation, on the first connection or a later one",
		Judges: []spec.ID{spec.C_TO_01, spec.C_TO_02, spec.C_TO_05}, Notices: []spec.ID{spec.C_ACQ_01}, Leases: 8,
		Method: "The server turns a waiter away with ERROR 0x01, never, once or twice, each time with a heartbeat unanswered. On the connection that follows it answers one heartbeat and then none. A holder's claim ends by 0.8 lease after that answer, and a waiter gives up. A client without a retrying call has one connection.",
		Run: func(t *conformance.T) {
			connections := 1
			if t.Offers(spec.FeatureRetry) {
				connections = 3
			}
			var all []laterConnection
			for n := range connections {
				all = append(all, laterConnection{n + 1, true}, laterConnection{n + 1, false})
			}
			cases(t, all, laterConnection.String, silenceOn)
		},
	},
}

// laterConnection is where a client meets silence.
type laterConnection struct {
	number  int
	holding bool
}

func (c laterConnection) String() string {
	state := map[bool]string{true: "holding", false: "waiting"}[c.holding]
	return fmt.Sprintf("%s, on connection %d", state, c.number)
}

func silenceOn(t *conformance.T, c laterConnection) {
	claim, peer, server := asked(t, retryingIfOffered(t)...)
	beats := spec.C_HB_02
	for range c.number - 1 {
		peer = turnedAwayWhileWaiting(t, beats, peer, server)
		beats = spec.C_HB_10 // the schedule starts afresh
	}
	if c.holding {
		grant(t, claim, peer)
		peer.NextHeartbeat(interval(t, peer, lease(t)).By) // whether it comes is C-HB-01's matter
		peer.Settle()
		judgeRevocation(t, claim, peer.FallSilent(), lease(t), spec.C_TO_01)
		return
	}
	peer.Answer()
	peer.Wait()
	beatAs(t, beats, peer, lease(t), 1)
	wantGivenUp(t, peer, lease(t))
}

// wantGivenUp falls silent, and wants the waiter gone by 0.8 lease.
func wantGivenUp(t *conformance.T, peer *conformance.Peer, l time.Duration) {
	w := t.Revocation(peer.FallSilent(), l)
	w.NotBefore = time.Time{}
	peer.WantClosed(spec.C_TO_05, "a waiter without a confirmation gives up", w)
}

// turnedAwayWhileWaiting lets a client that has asked wait, turns it away with a
// heartbeat unanswered, and takes the ACQUIRE of its next connection.
func turnedAwayWhileWaiting(t *conformance.T, beats spec.ID, peer *conformance.Peer, server *conformance.Script) *conformance.Peer {
	peer.Wait()
	peer.WantHeartbeat(beats, "a waiter heartbeats", interval(t, peer, lease(t)))
	return turnedAway(t, peer, server)
}

// turnedAway turns a client away with ERROR 0x01, and takes the ACQUIRE of its next
// connection.
func turnedAway(t *conformance.T, peer *conformance.Peer, server *conformance.Script) *conformance.Peer {
	told := turnAway(peer, wire.CodeShuttingDown, wire.CodeShuttingDown.Text())
	next := server.AcceptWithin(spec.C_ERR_01, "after 0x01 the client connects again at once", t.AtOnce(told))
	next.WantAcquire(spec.C_ERR_01, "with a new ACQUIRE")
	return next
}
