package server

import (
	"fmt"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

var leases = []conformance.Scenario{
	{
		ID: "server/lease/quiet-server", Role: spec.RoleServer, Class: conformance.Exclusive,
		Title:  "leases run out also where nobody else says anything",
		Judges: []spec.ID{spec.S_HB_07, spec.S_HB_08}, Leases: 2,
		Method: "One holder and two waiters are all that the server has, and all are silent. The holder and the first waiter, whose leases are short, are dropped in their windows, with no message of anybody to remind the server.",
		Run: func(t *conformance.T) {
			lock := t.Lock("job")
			holder := t.Acquire(lock, conformance.WithLease(t.Lease))
			waiter := t.Queue(lock, conformance.WithLease(t.Lease*7/10))
			last := t.Queue(lock)
			holderEnds := t.Expiry(holder.Last(), t.Lease)
			waiter.WantEndOrError(spec.S_HB_08, "the silent waiter's lease is over", t.Expiry(waiter.Last(), t.Lease*7/10))
			last.WantGrant(spec.S_HB_07, "the silent holder's lease is over", holderEnds)
		},
	},
	{
		ID: "server/lease/not-before", Role: spec.RoleServer,
		Title:  "a session silent for less than its lease is not dropped",
		Judges: []spec.ID{spec.S_HB_06}, Leases: 4,
		Method: "A holder and a waiter send a heartbeat after 0.9 of their lease, twice; each is answered. Three leases side by side.",
		Run:    forEachLease(notBeforeTheLease),
	},
	{
		ID: "server/lease/silent-holder", Role: spec.RoleServer,
		Title:  "a holder silent for its lease is dropped and the waiter promoted",
		Judges: []spec.ID{spec.S_HB_07}, Leases: 4,
		Method: "A holder heartbeats, then falls silent. The waiter behind it is promoted not before the lease, and within the tolerance after it. Three leases side by side.",
		Run: forEachLease(func(t *conformance.T, lease time.Duration) {
			lock := t.Lock("job")
			holder := t.Acquire(lock, conformance.WithLease(lease), conformance.Beating())
			next := t.Queue(lock)
			t.Pause(lease * 6 / 10)
			expiry := t.Expiry(holder.StopHeartbeats(), lease)
			next.WantNothingNew(spec.S_HB_07, "the silent holder's lease still runs", expiry.NotBefore)
			next.WantGrant(spec.S_HB_07, "the silent holder's lease is over", expiry)
		}),
	},
	{
		ID: "server/lease/silent-waiter", Role: spec.RoleServer,
		Title:  "a waiter silent for its lease is dropped, and the others keep their order",
		Judges: []spec.ID{spec.S_HB_08}, Leases: 5,
		Method: "The first of three waiters falls silent. It is dropped in the window of its lease; then the holder closes, and the second and the third are promoted in order. Three leases side by side.",
		Run: forEachLease(func(t *conformance.T, lease time.Duration) {
			lock := t.Lock("job")
			holder := t.Acquire(lock)
			silent := t.Queue(lock, conformance.WithLease(lease), conformance.Beating())
			second, third := t.Queue(lock), t.Queue(lock)
			t.Pause(lease * 6 / 10)
			expiry := t.Expiry(silent.StopHeartbeats(), lease)
			silent.WantNothingNew(spec.S_HB_08, "the silent waiter's lease still runs", expiry.NotBefore)
			silent.WantEndOrError(spec.S_HB_08, "the silent waiter's lease is over", expiry)
			second.WantGrant(spec.S_HB_08, "the one behind the dropped waiter is next", t.AtOnce(holder.Close()))
			third.WantGrant(spec.S_HB_08, "and then the one behind that", t.AtOnce(second.Close()))
		}),
	},
	{
		ID: "server/lease/sliding-window", Role: spec.RoleServer,
		Title:  "each heartbeat starts the full lease again",
		Judges: []spec.ID{spec.S_HB_09}, Leases: 6,
		Method: "A holder sends a heartbeat each 0.6 lease, five times, so that its first lease is long over; then it is silent. It is dropped a full lease after the last heartbeat.",
		Run: func(t *conformance.T) {
			lock := t.Lock("job")
			holder := t.Acquire(lock, conformance.WithLease(t.Lease))
			next := t.Queue(lock)
			for range 5 {
				t.PauseUntil(holder.Last().Before.Add(t.Lease * 6 / 10))
				holder.WantAlive(spec.S_HB_09, "each heartbeat starts the full lease again")
			}
			expiry := t.Expiry(holder.Last(), t.Lease)
			next.WantNothingNew(spec.S_HB_09, "the lease runs from the last heartbeat", expiry.NotBefore)
			next.WantGrant(spec.S_HB_09, "the lease since the last heartbeat is over", expiry)
		},
	},
	{
		ID: "server/lease/own-lease-each", Role: spec.RoleServer,
		Title:  "each connection has its own lease",
		Judges: []spec.ID{spec.S_HB_10}, Leases: 5,
		Method: "On one lock a holder asks for three leases and a waiter for one; on another the other way round. All fall silent, and each is dropped by its own lease.",
		Run: func(t *conformance.T) {
			t.Together(
				func(t *conformance.T) { ownLeases(t, 3*t.Lease, t.Lease) },
				func(t *conformance.T) { ownLeases(t, t.Lease, 3*t.Lease) },
			)
		},
	},
	{
		ID: "server/lease/acquire-starts-it", Role: spec.RoleServer,
		Title:  "ACQUIRE itself starts the lease",
		Judges: []spec.ID{spec.S_HB_11}, Leases: 4,
		Method: "A holder sends nothing after its ACQUIRE. The waiter is promoted in the window of the lease. Three leases side by side.",
		Run: forEachLease(func(t *conformance.T, lease time.Duration) {
			lock := t.Lock("job")
			holder := t.Acquire(lock, conformance.WithLease(lease))
			next := t.Queue(lock)
			expiry := t.Expiry(holder.Last(), lease)
			next.WantNothingNew(spec.S_HB_11, "the lease since ACQUIRE still runs", expiry.NotBefore)
			next.WantGrant(spec.S_HB_11, "the lease since ACQUIRE is over", expiry)
		}),
	},
	{
		ID: "server/lease/promotion-is-no-message", Role: spec.RoleServer,
		Title:  "a promotion does not refresh the silence clock",
		Judges: []spec.ID{spec.S_HB_12}, Leases: 5,
		Method: "A waiter that says nothing is promoted at 0.6 of its lease. It is dropped a lease after its ACQUIRE, and not a lease after the promotion.",
		Run: func(t *conformance.T) {
			lease, lock := 3*t.Lease, t.Lock("job")
			holder := t.Acquire(lock)
			waiter := t.Queue(lock, conformance.WithLease(lease))
			next := t.Queue(lock)
			expiry := t.Expiry(waiter.Last(), lease)
			t.PauseUntil(waiter.Last().Before.Add(lease * 6 / 10))
			expiry.Reveals = time.Now().Add(lease)
			waiter.WantGrant(spec.S_Q_02, "the holder closed", t.AtOnce(holder.Close()))
			next.WantGrant(spec.S_HB_12, "the lease since ACQUIRE is over", expiry)
		},
	},
	{
		ID: "server/lease/part-of-a-message", Role: spec.RoleServer,
		Title:  "a part of a message does not refresh the silence clock",
		Judges: []spec.ID{spec.S_HB_13}, Leases: 3, IOTimeouts: 1,
		Method: "At 0.6 of its lease a holder begins a second ACQUIRE and stops in it. It is gone by its lease; an ERROR 0x12 at once is as good.",
		Run:    partOfAMessage,
	},
	{
		ID: "server/lease/expired-is-closed", Role: spec.RoleServer,
		Title:  "an expired session's connection is closed, and a late heartbeat is not answered",
		Judges: []spec.ID{spec.S_HB_14, spec.S_HB_15}, Leases: 3,
		Method: "A holder and a waiter fall silent past their lease; a heartbeat sent then is answered neither ACQUIRED nor WAITING, and their connections end. A third says nothing at all, and its connection ends, too.",
		Run:    expiredIsClosed,
	},
	{
		ID: "server/lease/heartbeat-meets-expiry", Role: spec.RoleServer,
		Title:  "a heartbeat that meets the expiry saves the session or comes too late, never both",
		Judges: []spec.ID{spec.S_HB_14}, Leases: 3,
		Method: "Holders send their heartbeat around the very end of the lease. Once the waiter was promoted, no heartbeat of the holder is answered any more.",
		Run:    heartbeatMeetsExpiry,
	},
	{
		ID: "server/lease/next-hold-untouched", Role: spec.RoleServer,
		Title:  "the end of one session never ends the hold of the next",
		Judges: []spec.ID{spec.S_HB_17}, Leases: 8,
		Method: "One name is held again and again, with different leases, and given back by close, reset and expiry. The last holder is watched past the time when each earlier timer would have fired, and past the late close of an expired one.",
		Run:    nextHoldUntouched,
	},
	{
		ID: "server/lease/short-among-long", Role: spec.RoleServer,
		Title:  "a short lease taken while long ones run expires on its own time",
		Judges: []spec.ID{spec.S_HB_18}, Leases: 3, Class: conformance.Exclusive,
		Method: "Twenty sessions hold with long leases. Then one takes a short lease and is silent: it is dropped in its own window, and so is the next one, on the same name.",
		Run: func(t *conformance.T) {
			for range 20 {
				t.Acquire(t.Lock("long"))
			}
			lock := t.Lock("short")
			for _, lease := range []time.Duration{t.Lease, t.Lease * 7 / 10} {
				holder := t.Ask(lock, conformance.WithLease(lease))
				holder.Settle(spec.S_Q_03, "the holder before has closed")
				next := t.Queue(lock)
				expiry := t.Expiry(holder.Last(), lease)
				next.WantNothingNew(spec.S_HB_18, "the short lease still runs", expiry.NotBefore)
				next.WantGrant(spec.S_HB_18, "the short lease is over, whatever the long ones do", expiry)
				next.Close()
			}
		},
	},
}

// inCase is part as a case of its own.
func inCase(name string, part func(*conformance.T)) func(*conformance.T) {
	return func(t *conformance.T) { t.Case(name, part) }
}

// forEachLease runs an experiment for three leases side by side. A server that
// reads a lease in another unit or rounds it fails at least one.
func forEachLease(experiment func(*conformance.T, time.Duration)) func(*conformance.T) {
	return func(t *conformance.T) {
		var parts []func(*conformance.T)
		for _, lease := range []time.Duration{t.Lease * 7 / 10, t.Lease, t.Lease * 5 / 2} {
			parts = append(parts, func(t *conformance.T) {
				t.Case(fmt.Sprintf("lease %v", lease), func(t *conformance.T) { experiment(t, lease) })
			})
		}
		t.Together(parts...)
	}
}

func notBeforeTheLease(t *conformance.T, lease time.Duration) {
	lock := t.Lock("job")
	holder := t.Acquire(lock, conformance.WithLease(lease))
	waiter := t.Queue(lock, conformance.WithLease(lease))
	for range 2 {
		for _, s := range []*conformance.Session{holder, waiter} {
			t.PauseUntil(s.Last().Before.Add(lease * 9 / 10))
			s.Heartbeat()
		}
		holder.WantAnswer(spec.S_HB_06, "a holder silent for 0.9 lease is not dropped")
		waiter.WantAnswer(spec.S_HB_06, "a waiter silent for 0.9 lease is not dropped")
	}
}

// ownLeases lets a holder and a waiter of one lock fall silent with different
// leases. A promotion in between makes the waiter speak once more.
func ownLeases(t *conformance.T, ofHolder, ofWaiter time.Duration) {
	lock := t.Lock("job")
	holder := t.Acquire(lock, conformance.WithLease(ofHolder))
	waiter := t.Queue(lock, conformance.WithLease(ofWaiter))
	last := t.Queue(lock)
	holderEnds := t.Expiry(holder.Last(), ofHolder)
	if ofWaiter < ofHolder {
		waiter.WantEndOrError(spec.S_HB_10, "the waiter's own lease is over", t.Expiry(waiter.Last(), ofWaiter))
		last.WantGrant(spec.S_HB_10, "the holder's own lease is over", holderEnds)
		return
	}
	waiter.WantGrant(spec.S_HB_10, "the holder's own lease is over", holderEnds)
	waiter.WantAlive(spec.S_HB_01, "the promoted one's heartbeat is answered")
	last.WantGrant(spec.S_HB_10, "the promoted one's own lease is over", t.Expiry(waiter.Last(), ofWaiter))
}

func partOfAMessage(t *conformance.T) {
	const why = "a part of a message does not refresh the silence clock"
	lock := t.Lock("job")
	holder := t.Acquire(lock, conformance.WithLease(t.Lease))
	next := t.Queue(lock)
	asked := holder.Last()
	expiry := t.Expiry(asked, t.Lease)
	t.PauseUntil(asked.Before.Add(t.Lease * 6 / 10))
	part := wire.Bytes(wire.AcquireFrame(lock, anyLeaseMS))[:5]
	begun := holder.SendRaw(part, "the beginning of a second ACQUIRE")
	// The waiter shows the end of the hold, however the server tells the holder.
	end := t.AfterIOTimeout(begun)
	if end.By.Before(expiry.By) {
		end.By = expiry.By
	}
	if frame, at, ok := next.FrameBy(end.By); !ok {
		t.Late(spec.S_HB_13, why, "the session gone by its lease", fmt.Sprintf("%s: still no ACQUIRED %v after the part of a message, later than lease and io-timeout", next.Who(), rounded(end.By.Sub(end.From))))
	} else if frame.Type != wire.TypeAcquired {
		t.Fail(spec.S_HB_13, why, "the waiter promoted", frame.String())
	} else if at.After(expiry.By) {
		t.Late(spec.S_HB_13, why, fmt.Sprintf("the session gone by its lease, within %v", rounded(expiry.By.Sub(expiry.From))), fmt.Sprintf("gone only %v after the last whole message, by the larger of lease and io-timeout", rounded(at.Sub(expiry.From))))
	} else {
		t.PassAfter(spec.S_HB_13, why, at.Sub(expiry.From))
	}
}

// rounded shows a duration as people read it.
func rounded(d time.Duration) time.Duration { return d.Round(100 * time.Microsecond) }

func expiredIsClosed(t *conformance.T) {
	lock := t.Lock("job")
	holder := t.Acquire(lock, conformance.WithLease(t.Lease))
	other := t.Lock("other")
	t.Acquire(other)
	waiter := t.Queue(other, conformance.WithLease(t.Lease))
	next := t.Queue(lock)
	mute := t.Acquire(t.Lock("mute"), conformance.WithLease(t.Lease))
	mute.WantEndOrError(spec.S_HB_14, "an expired session is closed without being asked", t.Expiry(mute.Last(), t.Lease))
	for _, s := range []*conformance.Session{holder, waiter} {
		expiry := t.Expiry(s.Last(), t.Lease)
		t.PauseUntil(expiry.By)
		s.Heartbeat()
		frame, _ := s.NextFrame()
		if frame.Type == wire.TypeAcquired || frame.Type == wire.TypeWaiting {
			t.Fail(spec.S_HB_14, "a heartbeat after the expiry is not answered", "no ACQUIRED and no WAITING", s.Who()+": "+frame.String())
		}
		silently := "closed without an ERROR"
		if frame.Type == wire.TypeError {
			silently = frame.Code.String()
		}
		t.Observe(spec.S_HB_15, "expiry", silently)
		s.WantEnd(spec.S_HB_14, "an expired session's connection is closed", t.InAnswerTime())
	}
	next.WantGrant(spec.S_HB_07, "the holder's lease is over", t.InAnswerTime())
}

// heartbeatMeetsExpiry sends heartbeats some milliseconds to either side of the
// end of the lease. Either outcome is right; the two together are not.
func heartbeatMeetsExpiry(t *conformance.T) {
	var parts []func(*conformance.T)
	for _, offset := range []time.Duration{-6, -3, -1, 0, 1, 3, 6, 12} {
		parts = append(parts, inCase(fmt.Sprintf("heartbeat at the lease %+d ms", offset), func(t *conformance.T) {
			lock := t.Lock("job")
			holder := t.Acquire(lock, conformance.WithLease(t.Lease))
			next := t.Queue(lock)
			t.PauseUntil(holder.Last().After.Add(t.Lease + offset*time.Millisecond))
			expiry := t.Expiry(holder.Heartbeat(), t.Lease)
			if frame, _, ok := next.FrameBy(expiry.By); !ok || frame.Type != wire.TypeAcquired {
				t.Late(spec.S_HB_07, "the silent holder's lease is over", "the waiter promoted", fmt.Sprintf("%s: no ACQUIRED within %v", next.Who(), rounded(expiry.By.Sub(expiry.From))))
			}
			holder.Drain()
			holder.Heartbeat()
			if frame, ok := holder.NextFrame(); ok && frame.Type != wire.TypeError {
				t.Fail(spec.S_HB_14, "once the waiter is promoted, the old holder is answered no more", "no answer", holder.Who()+": "+frame.String())
			}
			t.Pass(spec.S_HB_14, "once the waiter is promoted, the old holder is answered no more")
		}))
	}
	t.Together(parts...)
}

func nextHoldUntouched(t *conformance.T) {
	const why = "the end of one session never ends the hold of the next"
	lock := t.Lock("job")
	expired := t.Acquire(lock, conformance.WithLease(t.Lease))
	closed := t.Queue(lock, conformance.WithLease(2*t.Lease), conformance.Beating())
	closed.WantGrant(spec.S_HB_07, "the first holder's lease is over", t.Expiry(expired.Last(), t.Lease))
	reset := t.Queue(lock, conformance.WithLease(3*t.Lease), conformance.Beating())
	reset.WantGrant(spec.S_Q_03, "the second holder closed", t.AtOnce(closed.Close()))
	last := t.Queue(lock)
	longest := reset.StopHeartbeats()
	last.WantGrant(spec.S_Q_04, "the third holder was reset", t.AtOnce(reset.Reset()))
	next := t.Queue(lock)
	expired.Close()
	next.WantNothingNew(spec.S_HB_17, why, t.Expiry(longest, 3*t.Lease).By)
	last.WantAlive(spec.S_HB_17, why)
	next.WantAlive(spec.S_HB_17, "so the next one still waits")
	reuse(t, t.Lock("reused"))
}

// reuse takes one name many times with short and long leases, and looks whether an
// early timer reaches a later hold.
func reuse(t *conformance.T, lock string) {
	for i := range 12 {
		lease := t.Lease / 4 * time.Duration(1+i%4)
		holder := t.Ask(lock, conformance.WithLease(lease))
		holder.Settle(spec.S_Q_03, "the holder before has closed")
		holder.Close()
	}
	last := t.Ask(lock)
	last.Settle(spec.S_Q_03, "the holders before have closed")
	last.WantNothingNew(spec.S_HB_17, "timers of earlier holds do not end this one", last.Last().After.Add(t.Lease*3/2))
	last.WantAlive(spec.S_HB_17, "the last holder still holds")
}
