package server

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/spec"
)

var queue = []conformance.Scenario{
	{
		ID: "server/queue/first-in-first-out", Role: spec.RoleServer,
		Title:  "waiters are promoted in the order of their WAITING answers",
		Judges: []spec.ID{spec.S_Q_01},
		Method: "Six clients queue, each after the WAITING of the one before. The holders close one after the other, and the promotions come in that order.",
		Run: func(t *conformance.T) {
			lock := t.Lock("job")
			holder := t.Acquire(lock)
			waiters := queueUp(t, lock, 6)
			for i, next := range waiters {
				next.WantGrant(spec.S_Q_01, fmt.Sprintf("waiter %d of %d is next", i+1, len(waiters)), t.AtOnce(holder.Close()))
				holder = next
			}
		},
	},
	{
		ID: "server/queue/promotion-is-pushed", Role: spec.RoleServer,
		Title:  "a promotion is pushed, with no message from the waiter",
		Judges: []spec.ID{spec.S_Q_02},
		Method: "A waiter is silent for a moment, so that nothing of its own is on the way. The holder closes, and ACQUIRED must come all the same.",
		Run: func(t *conformance.T) {
			lock := t.Lock("job")
			holder := t.Acquire(lock)
			waiter := t.Queue(lock)
			t.Pause(t.Lease / 5)
			waiter.WantGrant(spec.S_Q_02, "the holder closed, and the waiter said nothing", t.AtOnce(holder.Close()))
		},
	},
	{
		ID: "server/queue/owner-closes", Role: spec.RoleServer,
		Title:  "the owner closes, and the next waiter is promoted at once",
		Judges: []spec.ID{spec.S_Q_03},
		Method: "The holder, whose lease would run for minutes, closes its connection. The waiter is promoted far sooner than any lease or heartbeat.",
		Run:    afterTheOwner(spec.S_Q_03, "the owner closed", (*conformance.Session).Close),
	},
	{
		ID: "server/queue/owner-is-reset", Role: spec.RoleServer,
		Title:  "the owner is reset, and the next waiter is promoted at once",
		Judges: []spec.ID{spec.S_Q_04},
		Method: "The holder's connection ends with a RST, as that of a killed process with unread data does. The waiter is promoted as fast as after a close.",
		Run:    afterTheOwner(spec.S_Q_04, "the owner was reset", (*conformance.Session).Reset),
	},
	{
		ID: "server/queue/leaves-mid-queue", Role: spec.RoleServer,
		Title:  "a waiter that leaves mid-queue does not disturb the others' order",
		Judges: []spec.ID{spec.S_Q_05},
		Method: "Of five waiters the second closes and the fourth is reset. The first, third and fifth are promoted, in that order.",
		Run: func(t *conformance.T) {
			lock := t.Lock("job")
			holder := t.Acquire(lock)
			w := queueUp(t, lock, 5)
			w[1].Close()
			w[3].Reset()
			t.Pause(t.Lease / 10)
			for _, next := range []*conformance.Session{w[0], w[2], w[4]} {
				next.WantGrant(spec.S_Q_05, "the others keep their order", t.AtOnce(holder.Close()))
				holder = next
			}
		},
	},
	{
		ID: "server/queue/departed-is-never-granted", Role: spec.RoleServer,
		Title:  "a waiter that left is never granted, so the lock does not stall",
		Judges: []spec.ID{spec.S_Q_06},
		Method: "The first waiter closes, is reset, or leaves in the very moment of its promotion, again and again. The second is promoted at once each time.",
		Run:    departed,
	},
	{
		ID: "server/queue/both-gone-at-once", Role: spec.RoleServer,
		Title:  "owner and first waiter are gone in one instant, and the second waiter is promoted at once",
		Judges: []spec.ID{spec.S_Q_14},
		Method: "Holder and first waiter end together, in either order, by close and by reset, again and again. The second waiter is promoted at once each time.",
		Run:    bothGone,
	},
	{
		ID: "server/queue/never-back-to-waiting", Role: spec.RoleServer,
		Title:  "ACQUIRED never goes back to WAITING",
		Judges: []spec.ID{spec.S_Q_07},
		Method: "A holder with waiters behind it sends many heartbeats, and so does one that was promoted. No answer is WAITING.",
		Run: func(t *conformance.T) {
			lock := t.Lock("job")
			holder := t.Acquire(lock)
			waiters := queueUp(t, lock, 2)
			for range 10 {
				holder.WantAlive(spec.S_HB_01, "a holder's heartbeat is answered ACQUIRED")
			}
			waiters[0].WantGrant(spec.S_Q_02, "the holder closed", t.AtOnce(holder.Close()))
			for range 10 {
				waiters[0].WantAlive(spec.S_HB_01, "a promoted one's heartbeat is answered ACQUIRED")
			}
		},
	},
	{
		ID: "server/queue/names-are-independent", Role: spec.RoleServer,
		Title:  "locks of different names are independent",
		Judges: []spec.ID{spec.S_Q_08},
		Method: "Two names are held, each with a waiter. The end of one hold promotes its own waiter and leaves the other's waiting.",
		Run: func(t *conformance.T) {
			one, other := t.Lock("one"), t.Lock("other")
			first := t.Ask(one)
			first.WantAcquired(spec.S_Q_08, "one name is free")
			t.Ask(other).WantAcquired(spec.S_Q_08, "the other name is free, too")
			ofOther := t.Queue(other)
			ofOne := t.Queue(one)
			ofOne.WantGrant(spec.S_Q_08, "the holder of this name closed", t.AtOnce(first.Close()))
			ofOther.WantAlive(spec.S_Q_08, "the other name's waiter still waits")
		},
	},
	{
		ID: "server/queue/no-re-entrancy", Role: spec.RoleServer,
		Title:  "a second connection for the same name waits, whoever it is",
		Judges: []spec.ID{spec.S_Q_09},
		Method: "The same client, from the same address, asks on further connections for a name that it holds. Each waits, and still does after a heartbeat.",
		Run: func(t *conformance.T) {
			lock := t.Lock("job")
			t.Acquire(lock)
			for range 3 {
				again := t.Ask(lock)
				again.WantWaiting(spec.S_Q_09, "a second connection for the same name waits")
				again.WantAlive(spec.S_Q_09, "and goes on waiting")
			}
		},
	},
	{
		ID: "server/queue/coming-back", Role: spec.RoleServer,
		Title:  "a client that comes back stands at the end of the queue",
		Judges: []spec.ID{spec.S_Q_11},
		Method: "The first of two waiters leaves and queues again; later the holder does. Each comes after those that waited meanwhile.",
		Run: func(t *conformance.T) {
			lock := t.Lock("job")
			holder := t.Acquire(lock)
			w := queueUp(t, lock, 2)
			w[0].Close()
			t.Pause(t.Lease / 10)
			back := t.Queue(lock)
			w[1].WantGrant(spec.S_Q_11, "the one that stayed is next", t.AtOnce(holder.Close()))
			holderAgain := t.Queue(lock)
			back.WantGrant(spec.S_Q_11, "then the one that came back", t.AtOnce(w[1].Close()))
			holderAgain.WantGrant(spec.S_Q_11, "and last the former holder", t.AtOnce(back.Close()))
		},
	},
	{
		ID: "server/queue/handover-latency", Role: spec.RoleServer, Class: conformance.Exclusive,
		Title:  "the latency of a handover is recorded",
		Judges: []spec.ID{spec.S_Q_12},
		Method: "A hundred handovers from a close to the ACQUIRED of the next: median, 99th percentile and maximum, the network's way there and back included.",
		Run:    handoverLatency,
	},
	{
		ID: "server/queue/half-close", Role: spec.RoleServer,
		Title:  "what a half-close by the owner does is recorded",
		Judges: []spec.ID{spec.S_Q_13}, Leases: 2,
		Method: "The holder sends a FIN and reads on. Whether the waiter is promoted within two leases is recorded.",
		Run: func(t *conformance.T) {
			lock := t.Lock("job")
			holder := t.Acquire(lock)
			waiter := t.Queue(lock)
			half := holder.HalfClose()
			if _, _, ok := waiter.FrameBy(half.After.Add(2 * t.Lease)); ok {
				t.Observe(spec.S_Q_13, "half_close", "released at once")
				return
			}
			t.Observe(spec.S_Q_13, "half_close", "not released by the FIN alone")
		},
	},
}

// queueUp queues that many waiters, each after the WAITING of the one before.
func queueUp(t *conformance.T, lock string, count int) []*conformance.Session {
	waiters := make([]*conformance.Session, count)
	for i := range waiters {
		waiters[i] = t.Queue(lock)
	}
	return waiters
}

// afterTheOwner ends an owner again and again, and wants the waiter promoted.
func afterTheOwner(id spec.ID, why string, end func(*conformance.Session) conformance.Stamp) func(*conformance.T) {
	return func(t *conformance.T) {
		for range 5 {
			lock := t.Lock("job")
			holder := t.Acquire(lock)
			waiter := t.Queue(lock)
			waiter.WantGrant(id, why, t.AtOnce(end(holder)))
		}
	}
}

func departed(t *conformance.T) {
	const why = "the waiter before it has left"
	ends := []func(*conformance.Session) conformance.Stamp{(*conformance.Session).Close, (*conformance.Session).Reset}
	for _, end := range ends {
		t.Case("left before", func(t *conformance.T) {
			lock := t.Lock("job")
			holder := t.Acquire(lock)
			w := queueUp(t, lock, 2)
			end(w[0])
			t.Pause(t.Lease / 10)
			w[1].WantGrant(spec.S_Q_06, why, t.AtOnce(holder.Close()))
		})
		t.Case("leaves as it is promoted", func(t *conformance.T) {
			for range 10 {
				lock := t.Lock("job")
				holder := t.Acquire(lock)
				w := queueUp(t, lock, 2)
				holder.Close()
				w[1].WantGrant(spec.S_Q_06, why, t.AtOnce(end(w[0])))
			}
		})
	}
}

func bothGone(t *conformance.T) {
	closes, resets := (*conformance.Session).Close, (*conformance.Session).Reset
	for i := range 16 {
		lock := t.Lock("job")
		gone := []*conformance.Session{t.Acquire(lock), t.Queue(lock)}
		second := t.Queue(lock)
		if i&1 != 0 {
			slices.Reverse(gone)
		}
		ends := []func(*conformance.Session) conformance.Stamp{closes, closes}
		if i&2 != 0 {
			ends[0] = resets
		}
		if i&4 != 0 {
			ends[1] = resets
		}
		ends[0](gone[0])
		second.WantGrant(spec.S_Q_14, "owner and first waiter are gone", t.AtOnce(ends[1](gone[1])))
	}
}

func handoverLatency(t *conformance.T) {
	const handovers = 100
	lock := t.Lock("job")
	holder := t.Acquire(lock)
	took := make([]time.Duration, 0, handovers)
	for range handovers {
		next := t.Queue(lock)
		closed := holder.Close()
		_, at, ok := next.FrameBy(t.AtOnce(closed).By)
		if !ok {
			t.Unclear(spec.S_Q_12, "handover latency", "a handover did not happen at once")
			return
		}
		took = append(took, at.Sub(closed.Before))
		holder = next
	}
	slices.Sort(took)
	for _, q := range []struct {
		key   string
		index int
	}{{"p50_us", handovers / 2}, {"p99_us", handovers * 99 / 100}, {"max_us", handovers - 1}} {
		t.Observe(spec.S_Q_12, q.key, strconv.FormatInt(took[min(q.index, handovers-1)].Microseconds(), 10))
	}
}
