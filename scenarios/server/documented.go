package server

import (
	"time"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

// documented are the scenarios of the writing-a-client page that concern a
// server. The third, a network that stops, is the client's alone.
var documented = []conformance.Scenario{
	{
		ID: "server/documented/two-clients-one-lock", Role: spec.RoleServer, Labels: []string{"documented-1"},
		Title:  "two clients, one lock: the second waits, and is promoted when the first disconnects",
		Judges: []spec.ID{spec.S_ACQ_01, spec.S_ACQ_02, spec.S_Q_02},
		Method: "One client holds, another queues and says no more. The first disconnects, and ACQUIRED must reach the second without a message from it.",
		Run: func(t *conformance.T) {
			lock := t.Lock("job")
			first := t.Acquire(lock)
			second := t.Queue(lock)
			second.WantGrant(spec.S_Q_02, "the first client disconnected", t.AtOnce(first.Close()))
		},
	},
	{
		ID: "server/documented/hold-for-several-intervals", Role: spec.RoleServer, Labels: []string{"documented-2"},
		Title:  "a lock is held for several heartbeat intervals",
		Judges: []spec.ID{spec.S_HB_01, spec.S_HB_04}, Leases: 2,
		Method: "One client holds and sends a heartbeat every quarter of its lease, for two leases. Each is answered ACQUIRED, and nobody else gets the lock.",
		Run: func(t *conformance.T) {
			lock := t.Lock("job")
			holder := t.Acquire(lock, conformance.WithLease(t.Lease))
			next := t.Queue(lock)
			for range 8 {
				t.PauseUntil(holder.Last().Before.Add(t.Lease / 4))
				holder.WantAlive(spec.S_HB_01, "a holder's heartbeat is answered ACQUIRED")
			}
			next.WantNothingNew(spec.S_HB_04, "the holder is kept, so the other still waits", time.Now())
		},
	},
	{
		ID: "server/documented/restart-while-queued", Role: spec.RoleServer, Labels: []string{"documented-4"},
		Title:  "the server restarts while a client is queued: ERROR 0x01, and it can connect again",
		Judges: []spec.ID{spec.S_SHUT_01}, Needs: control,
		Method: "A client waits behind another. The server gets SIGTERM: ERROR 0x01 must come. Once it runs again, the client acquires on a new connection.",
		Run: func(t *conformance.T) {
			lock := t.Lock("job")
			t.Acquire(lock)
			queued := t.Queue(lock)
			t.Terminate()
			wantShutdown(queued)
			t.AwaitExit()
			t.StartAgain(spec.S_SHUT_03, "the server starts again")
			t.Ask(lock).WantAcquired(spec.S_SHUT_03, "after the restart clients acquire again")
		},
	},
	{
		ID: "server/documented/name-of-300-bytes", Role: spec.RoleServer, Labels: []string{"documented-5"},
		Title:  "a name of 300 bytes is refused with ERROR 0x15",
		Judges: []spec.ID{spec.S_ACQ_11},
		Method: "An ACQUIRE with a name of 300 bytes must be answered ERROR 0x15.",
		Run: func(t *conformance.T) {
			refuse(t, spec.S_ACQ_11, "a name of 300 bytes", wire.AcquireFrame(t.LockOf(300, "x"), anyLeaseMS), wire.CodeNameTooLong)
		},
	},
}
