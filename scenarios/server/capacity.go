package server

import (
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/spec"
)

var capacity = []conformance.Scenario{
	{
		ID: "server/capacity/sessions-at-once", Role: spec.RoleServer, Class: conformance.Exclusive,
		Title:  "1,000 sessions at once are served",
		Judges: []spec.ID{spec.S_ROB_05},
		Method: "As many sessions as --sessions says stand at the same time, each with a lock of its own. Each is granted, and answers a heartbeat while all others stand.",
		Run:    sessionsAtOnce,
	},
	{
		ID: "server/capacity/waiters-on-one-lock", Role: spec.RoleServer, Class: conformance.Exclusive,
		Title:  "200 waiters on one lock are served, and promoted in order",
		Judges: []spec.ID{spec.S_ROB_06},
		Method: "Two hundred clients queue for one lock. The holders close one after the other, and every one of them is promoted, in order.",
		Run: func(t *conformance.T) {
			const waiters = 200
			lock := t.Lock("job")
			holder := t.Acquire(lock)
			queue := make([]*conformance.Session, waiters)
			for i := range queue {
				queue[i] = t.Ask(lock)
				if !queue[i].WantWaiting(spec.S_ROB_06, fmt.Sprintf("waiter %d of %d is served", i+1, waiters)) {
					return
				}
			}
			for i, next := range queue {
				closed := holder.Close()
				if !next.WantGrant(spec.S_ROB_06, fmt.Sprintf("waiter %d of %d is next", i+1, waiters), t.AtOnce(closed)) {
					return
				}
				holder = next
			}
		},
	},
}

// enoughFailures tell that a server does not serve so many; the rest need not be
// waited for.
const enoughFailures = 50

// spareFiles is how many descriptors the suite needs beside its sessions.
const spareFiles = 64

func sessionsAtOnce(t *conformance.T) {
	count := t.Sessions()
	need := count + spareFiles
	if t.ServerIsHere() {
		need += count // the other ends are of this process, too
	}
	if limit := conformance.OpenFileLimit(); limit < uint64(need) {
		t.Unsupported(spec.S_ROB_05, fmt.Sprintf("the suite itself may open %d files, %d sessions need %d: raise its limit (ulimit -n)", limit, count, need))
		return
	}
	const lanes = 25
	sessions := make([]*conformance.Session, count)
	errs := make([]error, count)
	var failures atomic.Int64
	t.ForEach(count, lanes, func(t *conformance.T, i int) {
		if failures.Load() > enoughFailures {
			return
		}
		if sessions[i], errs[i] = t.TryAcquire(t.Lock("s")); errs[i] != nil {
			failures.Add(1)
		}
	})
	if err := errors.Join(errs...); err != nil {
		t.Fail(spec.S_ROB_05, fmt.Sprintf("%d sessions at once are served", count), "each session granted its lock", firstOf(errs))
		return
	}
	t.ForEach(count, lanes, func(t *conformance.T, i int) {
		if failures.Load() > enoughFailures {
			return
		}
		sessions[i].Heartbeat()
		if _, ok := sessions[i].NextFrame(); !ok {
			failures.Add(1)
			errs[i] = fmt.Errorf("%s: no answer to a heartbeat", sessions[i].Who())
		}
	})
	if err := errors.Join(errs...); err != nil {
		t.Fail(spec.S_ROB_05, fmt.Sprintf("%d sessions at once are served", count), "each session's heartbeat answered", firstOf(errs))
		return
	}
	t.Pass(spec.S_ROB_05, fmt.Sprintf("%d sessions at once are served", count))
}

// firstOf sums up errors: how many, and the first.
func firstOf(errs []error) string {
	count, first := 0, error(nil)
	for _, err := range errs {
		if err == nil {
			continue
		}
		if count++; first == nil {
			first = err
		}
	}
	return fmt.Sprintf("%d of %d were not; the first: %v", count, len(errs), first)
}
