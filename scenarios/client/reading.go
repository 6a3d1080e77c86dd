package client

import (
	"fmt"
	"time"

	"github.com/onsi/gomega"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/conformance/subject"
	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

var reading = []conformance.Scenario{
	{
		ID: "client/reading/promotion-is-seen", Role: spec.RoleClient,
		Title:  "a pushed ACQUIRED is claimed at once, with no heartbeat in between",
		Judges: []spec.ID{spec.C_RD_01}, Leases: 4,
		Method: "The client waits. Right behind the answer to a heartbeat, when the next is a quarter of a long lease away, ACQUIRED is pushed: the work must start at once.",
		Run: func(t *conformance.T) {
			claim, peer, _ := waiting(t, conformance.ForLease(longLease(t)))
			peer.WantHeartbeat(spec.C_HB_02, "a waiter heartbeats", interval(t, peer, longLease(t)))
			t.Pause(longLease(t) / 40)
			claim.WantGranted(spec.C_RD_01, "a pushed ACQUIRED is claimed at once", t.AtOnce(peer.Grant(token)))
		},
	},
	{
		ID: "client/reading/byte-by-byte", Role: spec.RoleClient,
		Title:  "frames that arrive byte by byte are read as the same frames",
		Judges: []spec.ID{spec.C_RD_02},
		Method: "WAITING, ACQUIRED and an ERROR with a long reason arrive in single bytes with pauses. The work starts with the right token, and the ERROR ends it.",
		Run: func(t *conformance.T) {
			claim, peer, _ := waiting(t, conformance.ForLease(20*t.Lease)) // no heartbeat gets between the bytes
			sent := peer.SendCut(wire.AcquiredFrame(0x0102030405060708))
			got := claim.WantGranted(spec.C_RD_02, "an ACQUIRED in single bytes is read whole, and not before", onlyAfter(t, sent))
			t.Expect(spec.C_RD_02, "and its token is right", got, gomega.Equal(uint64(0x0102030405060708)))
			ended := peer.SendCut(wire.ErrorFrame(wire.CodeClosedByAdmin, "closed by administrator"))
			claim.WantEnd(spec.C_RD_02, "an ERROR in single bytes is read whole, and not before", onlyAfter(t, ended))
		},
	},
	{
		ID: "client/reading/several-in-one-segment", Role: spec.RoleClient,
		Title:  "several frames in one segment are each read",
		Judges: []spec.ID{spec.C_RD_03},
		Method: "WAITING and ACQUIRED arrive in one segment, then, to another claim, ACQUIRED twice and an ERROR: the last frame of each segment must take effect.",
		Run: func(t *conformance.T) {
			claim, peer, _ := asked(t)
			claim.WantGranted(spec.C_RD_03, "the ACQUIRED behind a WAITING is read", t.AtOnce(peer.Send(wire.WaitingFrame, wire.AcquiredFrame(token))))
			sent := peer.Send(wire.AcquiredFrame(token), wire.AcquiredFrame(token), wire.ErrorFrame(wire.CodeClosedByAdmin, "closed by administrator"))
			claim.WantEnd(spec.C_RD_03, "the ERROR behind two ACQUIRED is read", t.AtOnce(sent))
		},
	},
	{
		ID: "client/reading/whole-token", Role: spec.RoleClient,
		Title:  "the whole unsigned 64-bit token reaches the work",
		Judges: []spec.ID{spec.C_RD_04, spec.C_TOK_01},
		Method: "Tokens that a float, a signed number or the wrong byte order would spoil are granted, pushed and acknowledged. The work gets the wire's.",
		Run: func(t *conformance.T) {
			tokens := []uint64{1, 1<<53 + 1, 1 << 63, 1<<64 - 1}
			cases(t, tokens, func(v uint64) string { return fmt.Sprint(v) }, func(t *conformance.T, v uint64) {
				granted, direct, _ := asked(t)
				direct.Answer()
				t.Expect(tokenID(v), "the granted token reaches the work", granted.WantGranted(tokenID(v), "the grant reaches the work", t.AtOnce(direct.Grant(v))), gomega.Equal(v))
				pushed, queued, _ := waiting(t)
				t.Expect(tokenID(v), "the pushed token reaches the work", pushed.WantGranted(tokenID(v), "the push reaches the work", t.AtOnce(queued.Grant(v))), gomega.Equal(v))
				direct.WantHeartbeat(spec.C_HB_01, "a holder heartbeats", interval(t, direct, lease(t)))
				granted.WantStillClaims(spec.C_RD_04, "an acknowledgement with the same token changes nothing", time.Now().Add(lease(t)/5))
			})
		},
	},
	{
		ID: "client/reading/part-of-a-frame", Role: spec.RoleClient,
		Title:  "a part of a frame is no confirmation",
		Judges: []spec.ID{spec.C_RD_05}, Leases: 3,
		Method: "While a heartbeat of the holder is unanswered, bytes of an ACQUIRED arrive one at a time, and no frame gets whole. The claim ends as if nothing had come.",
		Run: func(t *conformance.T) {
			claim, peer, _ := holding(t)
			last := peer.FallSilent()
			asked := peer.WantHeartbeat(spec.C_HB_01, "a holder heartbeats", interval(t, peer, lease(t)))
			for i, b := range wire.Bytes(wire.AcquiredFrame(token))[:5] {
				t.PauseUntil(asked.Add(time.Duration(i+1) * lease(t) / 12))
				peer.SendRaw([]byte{b}, "a part of an ACQUIRED")
			}
			claim.WantEnd(spec.C_RD_05, "a part of a frame confirms nothing", t.Revocation(last, lease(t)))
		},
	},
	{
		ID: "client/reading/promotion-crosses-heartbeat", Role: spec.RoleClient,
		Title:  "a promotion that crosses a heartbeat is read as it is",
		Judges: []spec.ID{spec.C_RD_06}, Leases: 4,
		Method: "A waiter's heartbeat is on its way when ACQUIRED is pushed; its own answer follows. The claim stands, and heartbeats go on at the right pace. The same with the two frames merged into one.",
		Run: func(t *conformance.T) {
			t.Together(
				func(t *conformance.T) { t.Case("push and answer", func(t *conformance.T) { crossing(t, true) }) },
				func(t *conformance.T) { t.Case("merged into one", func(t *conformance.T) { crossing(t, false) }) },
			)
		},
	},
}

// onlyAfter is the window of what follows at once from the last byte of a frame,
// and not from the bytes before it.
func onlyAfter(t *conformance.T, last conformance.Stamp) conformance.Window {
	w := t.AtOnce(last)
	w.NotBefore = last.Before
	return w
}

// tokenID is the requirement that a spoilt token breaks: any token must be the
// wire's, and large ones show the width.
func tokenID(v uint64) spec.ID {
	if v == 1 {
		return spec.C_TOK_01
	}
	return spec.C_RD_04
}

// crossing promotes a waiter while its heartbeat is unanswered. With both frames
// the answer follows the push; else the push is all that comes.
func crossing(t *conformance.T, both bool) {
	claim, peer, _ := waiting(t)
	peer.AnswerAs(nil)
	peer.WantHeartbeat(spec.C_HB_02, "a waiter heartbeats", interval(t, peer, lease(t)))
	claim.WantGranted(spec.C_RD_06, "the push is a grant, whatever is unanswered", t.AtOnce(peer.Grant(token)))
	if both {
		peer.Send(wire.AcquiredFrame(token))
	}
	peer.Answer()
	const why = "after the crossing heartbeats go on at the right pace"
	before := time.Now()
	for range 4 {
		w := conformance.Window{From: before, By: before.Add(pace(t, lease(t)) + lease(t)/4)}
		before = peer.WantHeartbeat(spec.C_RD_06, why, w)
	}
	claim.WantStillClaims(spec.C_RD_06, "and the claim stands", time.Now())
	claim.Release()
	claim.WantResult(spec.C_RD_06, "work that returns ends well", subject.OutcomeOK)
}
