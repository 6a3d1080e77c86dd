package server

import (
	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

var shutdown = []conformance.Scenario{
	{
		ID: "server/shutdown/tells-everyone", Role: spec.RoleServer, Needs: control,
		Title:  "on a controlled stop every holder and waiter gets ERROR 0x01, then the close",
		Judges: []spec.ID{spec.S_SHUT_01},
		Method: "Holders of two locks and the waiters behind one of them are connected when SIGTERM comes. Each reads ERROR 0x01 and then the end of the connection.",
		Run: func(t *conformance.T) {
			lock := t.Lock("job")
			everyone := []*conformance.Session{t.Acquire(t.Lock("other")), t.Acquire(lock)}
			everyone = append(everyone, queueUp(t, lock, 3)...)
			t.Terminate()
			for _, s := range everyone {
				wantShutdown(s)
				s.WantEnd(spec.S_SHUT_01, "after ERROR 0x01 comes the close", t.InAnswerTime())
			}
		},
	},
	{
		ID: "server/shutdown/serves-after-restart", Role: spec.RoleServer, Needs: control, RestartSuffices: true,
		Title:  "after the restart clients acquire again",
		Judges: []spec.ID{spec.S_SHUT_03},
		Method: "A lock is held and waited for when the server restarts. Afterwards it is free: a new client holds it, a second waits, and is promoted.",
		Run: func(t *conformance.T) {
			lock := t.Lock("job")
			t.Acquire(lock)
			t.Queue(lock)
			t.Restart(spec.S_SHUT_03, "the server comes back")
			holder := t.Ask(lock)
			holder.WantAcquired(spec.S_SHUT_03, "after the restart the lock is free")
			next := t.Ask(lock)
			next.WantWaiting(spec.S_SHUT_03, "a second client waits again")
			next.WantGrant(spec.S_SHUT_03, "and is promoted again", t.AtOnce(holder.Close()))
		},
	},
}

// wantShutdown takes ERROR 0x01. A waiter may be promoted first, when the holder
// before it is told earlier: the documents do not forbid it.
func wantShutdown(s *conformance.Session) {
	s.SkipPromotion()
	s.WantError(spec.S_SHUT_01, "on a controlled stop everyone is told", wire.CodeShuttingDown)
}
