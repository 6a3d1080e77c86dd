package server

import (
	"fmt"
	"time"

	"github.com/onsi/gomega"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/spec"
)

var tokens = []conformance.Scenario{
	{
		ID: "server/token/one-a-session", Role: spec.RoleServer,
		Title:  "every ACQUIRED of one session has one token",
		Judges: []spec.ID{spec.S_TOK_01},
		Method: "A holder by grant and a holder by promotion send heartbeats, while other locks are granted in between. Each keeps its token.",
		Run: func(t *conformance.T) {
			lock := t.Lock("job")
			granted := t.Acquire(lock)
			promoted := t.Queue(lock)
			sameToken(t, granted)
			promoted.WantGrant(spec.S_Q_02, "the holder closed", t.AtOnce(granted.Close()))
			sameToken(t, promoted)
		},
	},
	{
		ID: "server/token/grows-on-one-lock", Role: spec.RoleServer,
		Title:  "a later grant of the same lock has a larger token",
		Judges: []spec.ID{spec.S_TOK_02},
		Method: "One lock is handed from client to client, by promotion and by fresh grants. Each token is larger than the one before.",
		Run: func(t *conformance.T) {
			lock := t.Lock("job")
			holder := t.Acquire(lock)
			for range 5 {
				next := t.Queue(lock)
				next.WantGrant(spec.S_Q_03, "the holder closed", t.AtOnce(holder.Close()))
				wantLarger(t, spec.S_TOK_02, "a promotion has a larger token than the hold before", next, holder.Token())
				next.Close()
				holder = t.Ask(lock)
				holder.Settle(spec.S_Q_03, "the holder before has closed")
				wantLarger(t, spec.S_TOK_02, "a grant has a larger token than the hold before", holder, next.Token())
			}
		},
	},
	{
		ID: "server/token/grows-over-locks", Role: spec.RoleServer,
		Title:  "a later grant of any lock has a larger token",
		Judges: []spec.ID{spec.S_TOK_03},
		Method: "Twenty different locks are granted one after the other. Each token is larger than all before it.",
		Run: func(t *conformance.T) {
			before := t.Acquire(t.Lock("job"))
			for range 20 {
				after := t.Acquire(t.Lock("job"))
				wantLarger(t, spec.S_TOK_03, "a grant of another lock has a larger token", after, before.Token())
				before = after
			}
		},
	},
	{
		ID: "server/token/grows-over-a-restart", Role: spec.RoleServer, Needs: control, RestartSuffices: true,
		Title:  "grants after a restart, more than a second apart, have larger tokens",
		Judges: []spec.ID{spec.S_TOK_05},
		Method: "A lock is granted many times, the server restarted after more than a second, and granted again: the token is larger than all before.",
		Run: func(t *conformance.T) {
			largest := uint64(0)
			for range 50 {
				largest = max(largest, t.Acquire(t.Lock("job")).Token())
			}
			t.Pause(1100 * time.Millisecond)
			t.Restart(spec.S_SHUT_03, "the server comes back")
			after := t.Ask(t.Lock("job"))
			after.WantAcquired(spec.S_SHUT_03, "after the restart clients acquire again")
			wantLarger(t, spec.S_TOK_05, "a grant after the restart has a larger token than all before it", after, largest)
		},
	},
}

// sameToken judges a holder's acknowledgements while others are granted locks.
func sameToken(t *conformance.T, holder *conformance.Session) {
	want := holder.Token()
	for i := range 5 {
		t.Acquire(t.Lock(fmt.Sprintf("other-%d", i)))
		holder.Heartbeat()
		frame, ok := holder.NextFrame()
		if ok {
			t.Expect(spec.S_TOK_01, "an acknowledgement has the token of the grant", frame.Token, gomega.Equal(want))
		}
	}
}

// wantLarger judges the token of a grant against that of an earlier one.
func wantLarger(t *conformance.T, id spec.ID, why string, later *conformance.Session, earlier uint64) {
	if later.Token() <= earlier {
		t.Fail(id, why, fmt.Sprintf("a token larger than %d", earlier), fmt.Sprintf("%s was granted token %d", later.Who(), later.Token()))
	}
	t.Pass(id, why)
}
