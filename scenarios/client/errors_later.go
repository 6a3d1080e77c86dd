package client

import (
	"fmt"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

// laterRefusal is a client error that comes elsewhere than at the first ACQUIRE.
type laterRefusal struct {
	code  wire.Code
	later bool   // on the second connection
	place string // one of the places below
}

const (
	refusedAtAcquire = "at ACQUIRE"
	refusedInQueue   = "in the queue"
	refusedHolding   = "while holding"
)

var laterRefusals = []laterRefusal{
	{0x18, true, refusedAtAcquire}, {0x80, true, refusedAtAcquire}, {0x18, true, refusedInQueue},
	{0x12, false, refusedHolding}, {0xff, false, refusedHolding}, {0x18, true, refusedHolding},
}

func (r laterRefusal) String() string {
	if r.later {
		return fmt.Sprintf("%v %s, on the second connection", r.code, r.place)
	}
	return fmt.Sprintf("%v %s", r.code, r.place)
}

func stopsThere(t *conformance.T, r laterRefusal) {
	claim, peer, server := asked(t, conformance.Retrying())
	if r.later {
		peer = turnedAway(t, peer, server)
	}
	if r.place == refusedHolding {
		grant(t, claim, peer)
		claim.WantEnd(spec.C_ERR_07, "an ERROR ends the claim at once", t.AtOnce(turnAway(peer, r.code, r.code.Text())))
		claim.Release() // the stopped work returns
		wantNoNewAttempt(t, claim, server, r.code, idOf(r.code))
		t.Pass(idOf(r.code), stopsWhy)
		return
	}
	if r.place == refusedInQueue {
		peer.Answer()
		peer.Wait()
	}
	turnAway(peer, r.code, r.code.Text())
	wantStop(t, claim, server, r.code, idOf(r.code))
}
