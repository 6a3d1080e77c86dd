package client

import (
	"fmt"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

var doubt = []conformance.Scenario{
	{
		ID: "client/doubt/unknown-type", Role: spec.RoleClient,
		Title:  "an unknown message type: the connection is closed and the claim ends",
		Judges: []spec.ID{spec.C_DBT_01}, Leases: 2,
		Method: "A holder, and a waiter, reads a byte that no frame of a server begins with. It closes at once, and the holder's work is stopped.",
		Run: func(t *conformance.T) {
			types := []byte{0x00, 0x01, 0x02, 0x10, 0x14, 0x7f, 0xff}
			cases(t, types, func(b byte) string { return fmt.Sprintf("type 0x%02x", b) }, func(t *conformance.T, b byte) {
				claim, peer, _ := holding(t, conformance.ForLease(longLease(t)))
				sent := peer.SendRaw([]byte{b}, "a byte that is no type")
				claim.WantEnd(spec.C_DBT_01, "an unexpected byte ends the claim", t.AtOnce(sent))
				peer.WantClosed(spec.C_DBT_01, "and the connection is closed", t.AtOnce(sent))
			})
			t.Case("waiting", func(t *conformance.T) {
				_, peer, _ := waiting(t)
				sent := peer.SendRaw([]byte{0x7f}, "a byte that is no type")
				peer.WantClosed(spec.C_DBT_01, "a waiter in doubt closes", t.AtOnce(sent))
			})
		},
	},
	{
		ID: "client/doubt/end-of-connection", Role: spec.RoleClient,
		Title:  "EOF and reset: the claim ends at once and the work is stopped",
		Judges: []spec.ID{spec.C_DBT_02, spec.C_LOSS_01}, Leases: 2,
		Method: "A holder's connection ends with a FIN, with a RST, and with a FIN in the middle of a frame. The stop signal reaches the work at once.",
		Run: func(t *conformance.T) {
			ends := []struct {
				name string
				end  func(*conformance.Peer) conformance.Stamp
			}{
				{"FIN", (*conformance.Peer).Close},
				{"RST", (*conformance.Peer).Reset},
				{"FIN in a frame", func(p *conformance.Peer) conformance.Stamp {
					p.SendRaw(wire.Bytes(wire.AcquiredFrame(token))[:3], "a part of an ACQUIRED")
					return p.Close()
				}},
			}
			cases(t, ends, func(e struct {
				name string
				end  func(*conformance.Peer) conformance.Stamp
			}) string {
				return e.name
			}, func(t *conformance.T, e struct {
				name string
				end  func(*conformance.Peer) conformance.Stamp
			}) {
				claim, peer, _ := holding(t, conformance.ForLease(longLease(t))) // at once, and not with the next heartbeat
				claim.WantEnd(spec.C_DBT_02, "the end of the connection ends the claim at once", t.AtOnce(e.end(peer)))
				t.Pass(spec.C_LOSS_01, "the stop signal reaches the work")
			})
		},
	},
	{
		ID: "client/doubt/waiting-after-acquired", Role: spec.RoleClient,
		Title:  "WAITING after ACQUIRED is doubt",
		Judges: []spec.ID{spec.C_DBT_03, spec.C_DBT_06}, Leases: 2,
		Method: "A holder's heartbeat is answered WAITING. The claim ends at once, and the client closes.",
		Run: func(t *conformance.T) {
			claim, peer, _ := holding(t)
			peer.AnswerAs(nil)
			peer.WantHeartbeat(spec.C_HB_01, "a holder heartbeats", interval(t, peer, lease(t)))
			sent := peer.Send(wire.WaitingFrame)
			peer.WantClosed(spec.C_DBT_06, "after WAITING behind ACQUIRED the client closes", t.AtOnce(sent))
			claim.WantEnd(spec.C_DBT_03, "WAITING after ACQUIRED ends the claim", t.AtOnce(sent))
		},
	},
	{
		ID: "client/doubt/another-token", Role: spec.RoleClient,
		Title:  "ACQUIRED with another token in one session is doubt",
		Judges: []spec.ID{spec.C_DBT_04}, Leases: 2,
		Method: "A holder's heartbeat is answered with a larger token, another's with a smaller. The client closes.",
		Run: func(t *conformance.T) {
			cases(t, []uint64{token + 1, token - 1}, func(v uint64) string { return fmt.Sprint(v) }, func(t *conformance.T, v uint64) {
				_, peer, _ := holding(t)
				peer.AnswerAs(nil)
				peer.WantHeartbeat(spec.C_HB_01, "a holder heartbeats", interval(t, peer, lease(t)))
				peer.WantClosed(spec.C_DBT_04, "another token is doubt", t.AtOnce(peer.Send(wire.AcquiredFrame(v))))
			})
		},
	},
	{
		ID: "client/doubt/failed-write", Role: spec.RoleClient,
		Title:  "a write that fails ends the claim, and the connection is closed",
		Judges: []spec.ID{spec.C_DBT_05}, Leases: 3,
		Method: "The connection is reset while the client holds and has nothing to read, so that also its next heartbeat fails. The claim ends, and nothing more comes from it.",
		Run: func(t *conformance.T) {
			claim, peer, _ := holding(t)
			reset := peer.Reset()
			claim.WantEnd(spec.C_DBT_05, "a failed write ends the claim", conformance.Window{From: reset.Before, By: reset.After.Add(pace(t, lease(t)))})
			t.Pause(time.Millisecond)
		},
	},
}
