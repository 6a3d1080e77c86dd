package server

import (
	"time"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

var heartbeats = []conformance.Scenario{
	{
		ID: "server/heartbeat/answered", Role: spec.RoleServer,
		Title:  "a heartbeat is answered with the session's state",
		Judges: []spec.ID{spec.S_HB_01, spec.S_HB_02},
		Method: "A holder and a waiter send heartbeats one by one. The answers are ACQUIRED with the grant's token, and WAITING; after the promotion ACQUIRED for both.",
		Run: func(t *conformance.T) {
			lock := t.Lock("job")
			holder := t.Acquire(lock)
			waiter := t.Queue(lock)
			for range 3 {
				holder.WantAlive(spec.S_HB_01, "a holder's heartbeat is answered ACQUIRED with its token")
				waiter.WantAlive(spec.S_HB_02, "a waiter's heartbeat is answered WAITING")
			}
			waiter.WantGrant(spec.S_Q_02, "the holder closed", t.AtOnce(holder.Close()))
			waiter.WantAlive(spec.S_HB_01, "a promoted one's heartbeat is answered ACQUIRED with its token")
		},
	},
	{
		ID: "server/heartbeat/one-answer-each", Role: spec.RoleServer,
		Title:  "each heartbeat has exactly one answer, and nothing else comes unasked",
		Judges: []spec.ID{spec.S_HB_03}, Leases: 2,
		Method: "A holder and a waiter each send twenty heartbeats, one behind the answer to the other, and then listen: no frame may be missing, and none too many. Then the holder closes: the waiter hears of its promotion once.",
		Run: func(t *conformance.T) {
			lock := t.Lock("job")
			holder := t.Acquire(lock)
			waiter := t.Queue(lock)
			for range 20 {
				holder.WantAlive(spec.S_HB_01, "a holder's heartbeat is answered")
				waiter.WantAlive(spec.S_HB_02, "a waiter's heartbeat is answered")
			}
			quiet := time.Now().Add(t.Lease)
			holder.WantSilence(spec.S_HB_03, "nothing comes to a holder unasked", quiet)
			waiter.WantSilence(spec.S_HB_03, "nothing comes to a waiter unasked", quiet)
			waiter.WantGrant(spec.S_Q_02, "the holder closed", t.AtOnce(holder.Close()))
			waiter.WantSilence(spec.S_HB_03, "a promotion is told once", time.Now().Add(t.Lease/2))
		},
	},
	{
		ID: "server/heartbeat/burst", Role: spec.RoleServer,
		Title:  "a burst of heartbeats is answered one by one",
		Judges: []spec.ID{spec.S_HB_16},
		Method: "A holder, and a waiter, send fifty heartbeats in one write; fifty answers must come.",
		Run: func(t *conformance.T) {
			lock := t.Lock("job")
			holder := t.Acquire(lock)
			waiter := t.Queue(lock)
			burst := make([]wire.Frame, 50)
			for i := range burst {
				burst[i] = wire.HeartbeatFrame
			}
			for _, s := range []*conformance.Session{holder, waiter} {
				s.Send(burst...)
				for range burst {
					if !s.WantAnswer(spec.S_HB_16, "every heartbeat of a burst is answered") {
						return
					}
				}
			}
		},
	},
	{
		ID: "server/heartbeat/holder-kept", Role: spec.RoleServer,
		Title:  "a holder that heartbeats is kept for many leases",
		Judges: []spec.ID{spec.S_HB_04}, Leases: 6,
		Method: "A holder sends a heartbeat every quarter of its lease for six leases. A waiter behind it must not be promoted, and the holder must still hold.",
		Run: func(t *conformance.T) {
			lock := t.Lock("job")
			holder := t.Acquire(lock, conformance.WithLease(t.Lease), conformance.Beating())
			next := t.Queue(lock)
			next.WantNothingNew(spec.S_HB_04, "the holder heartbeats, so nobody is promoted", holder.Last().Before.Add(6*t.Lease))
			holder.StopHeartbeats()
			holder.WantAlive(spec.S_HB_04, "the holder still holds after six leases")
		},
	},
	{
		ID: "server/heartbeat/waiter-kept", Role: spec.RoleServer,
		Title:  "a waiter that heartbeats is kept for many leases, then promoted",
		Judges: []spec.ID{spec.S_HB_05}, Leases: 6,
		Method: "A waiter sends a heartbeat every quarter of its lease for six leases. Then the holder closes, and the waiter must be promoted at once.",
		Run: func(t *conformance.T) {
			lock := t.Lock("job")
			holder := t.Acquire(lock)
			waiter := t.Queue(lock, conformance.WithLease(t.Lease), conformance.Beating())
			waiter.WantNothingNew(spec.S_HB_05, "a waiter that heartbeats goes on waiting", waiter.Last().Before.Add(6*t.Lease))
			waiter.WantGrant(spec.S_HB_05, "after six leases of waiting the holder closed", t.AtOnce(holder.Close()))
			waiter.StopHeartbeats()
			waiter.WantAlive(spec.S_HB_01, "the promoted one's heartbeat is answered")
		},
	},
}
