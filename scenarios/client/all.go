// Package client holds the scenarios that judge a client, a file for each topic
// of the catalogue. The suite plays the server; what the wire cannot show, the
// client's adapter says.
package client

import (
	"slices"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

// All returns every scenario for clients, in the order of the catalogue.
func All() []conformance.Scenario {
	return slices.Concat(documented, connect, reading, heartbeats, schedule, revocation, revocationLater, errorCodes, doubt, release, loss, lossRetrying, cancel, exclusion)
}

// token is the token of a grant whose token is not the matter.
const token = 4711

// lease is the usual lease: long enough that a quarter of it stands clear of any
// floor, and that a fifth of it stands clear of a busy machine.
func lease(t *conformance.T) time.Duration { return 2 * t.Lease }

// longLease is for experiments with round trips: SPEC asks for 2.4 s and more.
func longLease(t *conformance.T) time.Duration { return max(5*t.Lease, 2400*time.Millisecond) }

// asked starts a claim and takes its connection and its ACQUIRE.
func asked(t *conformance.T, options ...conformance.ClaimOption) (*conformance.Claim, *conformance.Peer, *conformance.Script) {
	server := t.Script()
	options = append([]conformance.ClaimOption{conformance.ForLease(lease(t))}, options...)
	claim := t.Claim(server.Addr(), options...)
	return claim, meet(server), server
}

// meet takes the client's next connection and its ACQUIRE.
func meet(server *conformance.Script) *conformance.Peer {
	peer := server.Accept(spec.C_ACQ_01, "the client connects")
	peer.WantAcquire(spec.C_ACQ_01, "the client asks for the lock")
	return peer
}

// holding starts a claim that is granted at once and whose heartbeats are answered.
func holding(t *conformance.T, options ...conformance.ClaimOption) (*conformance.Claim, *conformance.Peer, *conformance.Script) {
	claim, peer, server := asked(t, options...)
	grant(t, claim, peer)
	return claim, peer, server
}

// grant grants the lock to a client that asked or waits, and answers its
// heartbeats from now on.
func grant(t *conformance.T, claim *conformance.Claim, peer *conformance.Peer) {
	peer.Answer()
	claim.WantGranted(spec.C_RD_01, "a grant reaches the work", t.AtOnce(peer.Grant(token)))
}

// waiting starts a claim that is told to wait and whose heartbeats are answered.
func waiting(t *conformance.T, options ...conformance.ClaimOption) (*conformance.Claim, *conformance.Peer, *conformance.Script) {
	claim, peer, server := asked(t, options...)
	peer.Answer()
	peer.Wait()
	return claim, peer, server
}

// retry is the feature that the client has a retrying call.
var retry = []spec.Feature{spec.FeatureRetry}

// retryingIfOffered asks for the client's retrying call, where it has one.
func retryingIfOffered(t *conformance.T) []conformance.ClaimOption {
	if t.Offers(spec.FeatureRetry) {
		return []conformance.ClaimOption{conformance.Retrying()}
	}
	return nil
}

// cases runs each as a case of its own, some at a time: every one is a process of
// its own, and many at once would make each other late.
func cases[C any](t *conformance.T, all []C, name func(C) string, run func(*conformance.T, C)) {
	const lanes = 4
	t.ForEach(len(all), lanes, func(t *conformance.T, i int) {
		t.Case(name(all[i]), func(t *conformance.T) { run(t, all[i]) })
	})
}

// codeName names a code for a case.
func codeName(c wire.Code) string { return c.String() }
