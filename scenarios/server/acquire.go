package server

import (
	"fmt"
	"strings"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

var acquire = []conformance.Scenario{
	{
		ID: "server/acquire/free-and-busy", Role: spec.RoleServer,
		Title:  "a free lock is granted, a busy one makes its client wait",
		Judges: []spec.ID{spec.S_ACQ_01, spec.S_ACQ_02},
		Method: "The first client of a fresh name is answered ACQUIRED, the second and third WAITING.",
		Run: func(t *conformance.T) {
			lock := t.Lock("job")
			t.Ask(lock).WantAcquired(spec.S_ACQ_01, "a free lock is granted")
			t.Ask(lock).WantWaiting(spec.S_ACQ_02, "a busy lock makes its client wait")
			t.Ask(lock).WantWaiting(spec.S_ACQ_02, "and the next one too")
		},
	},
	{
		ID: "server/acquire/longest-lease", Role: spec.RoleServer,
		Title:  "the longest lease of the wire is accepted",
		Judges: []spec.ID{spec.S_ACQ_08}, Leases: 1,
		Method: "A holder and a waiter ask with lease_ms 2^32-1. Both are accepted, and still there after a base lease of silence.",
		Run: func(t *conformance.T) {
			const longest = (1<<32 - 1) * time.Millisecond
			lock := t.Lock("job")
			holder := t.Ask(lock, conformance.WithLease(longest))
			holder.WantAcquired(spec.S_ACQ_08, "lease_ms 4294967295 is accepted")
			waiter := t.Ask(lock, conformance.WithLease(longest))
			waiter.WantWaiting(spec.S_ACQ_08, "also of a waiter")
			waiter.WantNothingNew(spec.S_ACQ_08, "the lease does not overflow", waiter.Last().After.Add(t.Lease))
			holder.WantAlive(spec.S_ACQ_08, "the holder still holds")
			waiter.WantAlive(spec.S_ACQ_08, "the waiter still waits")
		},
	},
	{
		ID: "server/acquire/shortest-lease", Role: spec.RoleServer,
		Title:  "the shortest lease of the wire is accepted",
		Judges: []spec.ID{spec.S_ACQ_09},
		Method: "Several clients ask with lease_ms 1. None is answered ERROR; at least one sees its grant before the expiry.",
		Run:    shortestLease,
	},
}

// shortestLease: a lease of a millisecond may run out before the answer is
// written, so a close alone is no fault as long as one of several is granted.
func shortestLease(t *conformance.T) {
	const tries = 20
	granted := false
	for i := range tries {
		s := t.ConnectHostile()
		s.Ask(t.Lock("short"), time.Millisecond)
		granted = s.Granted(spec.S_ACQ_09, "lease_ms 1 is accepted", wire.CodeLeaseNotPositive) || granted
		switch {
		case granted && i >= 2:
			t.Pass(spec.S_ACQ_09, "lease_ms 1 is accepted")
			return
		case !granted && s.Ending() == "":
			t.Late(spec.S_ACQ_09, "lease_ms 1 is accepted", "ACQUIRED, or the end of the lease", s.Who()+": neither came")
		}
	}
	t.Fail(spec.S_ACQ_09, "lease_ms 1 is accepted", "ACQUIRED to at least one of several", fmt.Sprintf("%d connections were closed without an answer", tries))
}

// refusals are the ACQUIREs and other first messages that a server must not take.
var refusals = []conformance.Scenario{
	{
		ID: "server/acquire/heartbeat-first", Role: spec.RoleServer,
		Title:  "a HEARTBEAT as first message is refused with ERROR 0x11",
		Judges: []spec.ID{spec.S_ACQ_03},
		Method: "A fresh connection sends HEARTBEAT; ERROR 0x11 must come.",
		Run: func(t *conformance.T) {
			refuse(t, spec.S_ACQ_03, "a HEARTBEAT as first message", wire.HeartbeatFrame, wire.CodeNotAcquire)
		},
	},
	{
		ID: "server/acquire/second-acquire", Role: spec.RoleServer,
		Title:  "a second ACQUIRE is refused with ERROR 0x12, holding or waiting",
		Judges: []spec.ID{spec.S_ACQ_04, spec.S_ACQ_05},
		Method: "A holder and a waiter each send another ACQUIRE, once for the same name and once for another; ERROR 0x12 must come.",
		Run:    secondAcquire,
	},
	{
		ID: "server/acquire/version", Role: spec.RoleServer,
		Title:  "versions 0 and 255 are refused with ERROR 0x10",
		Judges: []spec.ID{spec.S_ACQ_06},
		Method: "An otherwise good ACQUIRE carries version 0, then 255. What versions 2 and 127 get is only recorded: a server may speak them one day.",
		Run: func(t *conformance.T) {
			for _, version := range []uint8{0, 255} {
				refuse(t, spec.S_ACQ_06, fmt.Sprintf("version %d", version), acquireOf(version, anyLeaseMS, t.Lock("job")), wire.CodeUnsupportedVersion)
			}
			for _, version := range []uint8{2, 127} {
				observe(t, spec.S_ACQ_06, fmt.Sprintf("version_%d", version), wire.Bytes(acquireOf(version, anyLeaseMS, t.Lock("job"))))
			}
		},
	},
	{
		ID: "server/acquire/lease-zero", Role: spec.RoleServer,
		Title:  "lease_ms 0 is refused with ERROR 0x17",
		Judges: []spec.ID{spec.S_ACQ_07},
		Method: "An otherwise good ACQUIRE carries lease_ms 0; ERROR 0x17 must come.",
		Run: func(t *conformance.T) {
			refuse(t, spec.S_ACQ_07, "lease_ms 0", wire.AcquireFrame(t.Lock("job"), 0), wire.CodeLeaseNotPositive)
		},
	},
	{
		ID: "server/acquire/unknown-type", Role: spec.RoleServer,
		Title:  "an unknown message type after ACQUIRE is refused with ERROR 0x13",
		Judges: []spec.ID{spec.S_ACQ_19},
		Method: "A holder, and then a waiter, sends one byte that is no type of a client, those of a server included; ERROR 0x13 must come.",
		Run:    unknownType,
	},
	{
		ID: "server/acquire/unknown-type-first", Role: spec.RoleServer,
		Title:  "an unknown message type as first message is refused with ERROR 0x11 or 0x13",
		Judges: []spec.ID{spec.S_ACQ_20, spec.S_ACQ_24},
		Method: "A fresh connection sends one byte that is no type of a client; ERROR 0x11 or 0x13 must come, and which is recorded.",
		Run: func(t *conformance.T) {
			t.ForEach(len(unknownTypes), refusalLanes, func(t *conformance.T, i int) {
				b := unknownTypes[i]
				what := fmt.Sprintf("type 0x%02x as first message", b)
				refuseRaw(t, spec.S_ACQ_20, what, []byte{b}, wire.CodeNotAcquire, wire.CodeUnknownType)
			})
			observe(t, spec.S_ACQ_24, "unknown_type_first", []byte{0x7f})
		},
	},
	{
		ID: "server/acquire/error-ends-the-session", Role: spec.RoleServer,
		Title:  "after an ERROR the server closes, and the next waiter is promoted at once",
		Judges: []spec.ID{spec.S_ACQ_21, spec.S_ACQ_24}, Class: conformance.Parallel,
		Method: "A holder with a waiter behind it sends a second ACQUIRE, then another an unknown type. The connection must end, and the waiter be promoted at once.",
		Run:    errorEndsTheSession,
	},
	{
		ID: "server/acquire/refused-holds-nothing", Role: spec.RoleServer,
		Title:  "a refused ACQUIRE neither holds nor queues",
		Judges: []spec.ID{spec.S_ACQ_22},
		Method: "An ACQUIRE is refused for its version, and for its lease. Another client then gets that very lock at once, and a refused one behind a holder is never promoted.",
		Run:    refusedHoldsNothing,
	},
	{
		ID: "server/acquire/several-faults", Role: spec.RoleServer,
		Title:  "an ACQUIRE with several faults is refused with the code of one of them",
		Judges: []spec.ID{spec.S_ACQ_23, spec.S_ACQ_24},
		Method: "ACQUIREs with two or three faults at once; the ERROR must name one of them, and which is recorded.",
		Run:    severalFaults,
	},
}

// unknownTypes are bytes that no client message begins with; some are a server's.
var unknownTypes = []byte{0x00, 0x03, 0x11, 0x12, 0x13, 0x7f, 0xff}

func secondAcquire(t *conformance.T) {
	for _, other := range []bool{false, true} {
		which := map[bool]string{false: "for the same name", true: "for another name"}[other]
		t.Case("holding, "+which, func(t *conformance.T) {
			defer t.Negative("a second ACQUIRE while holding")()
			lock := t.Lock("job")
			holder := t.Acquire(lock)
			holder.Send(wire.AcquireFrame(second(t, lock, other), anyLeaseMS))
			holder.WantRefused(spec.S_ACQ_04, "a second ACQUIRE while holding, "+which+", is refused", wire.CodeDuplicateAcquire)
			t.StillServes()
		})
		t.Case("waiting, "+which, func(t *conformance.T) {
			defer t.Negative("a second ACQUIRE while waiting")()
			lock := t.Lock("job")
			t.Acquire(lock)
			waiter := t.Queue(lock)
			waiter.Send(wire.AcquireFrame(second(t, lock, other), anyLeaseMS))
			waiter.WantRefused(spec.S_ACQ_05, "a second ACQUIRE while waiting, "+which+", is refused", wire.CodeDuplicateAcquire)
			t.StillServes()
		})
	}
}

func second(t *conformance.T, lock string, other bool) string {
	if other {
		return t.Lock("other")
	}
	return lock
}

func unknownType(t *conformance.T) {
	// Each byte is sent by a holder and by a waiter; the first failure tells enough.
	t.ForEach(2*len(unknownTypes), refusalLanes, func(t *conformance.T, i int) {
		b, waits := unknownTypes[i/2], i%2 == 1
		what := fmt.Sprintf("type 0x%02x while %s", b, map[bool]string{false: "holding", true: "waiting"}[waits])
		inOneCase(t, what, func(t *conformance.T) {
			lock := t.Lock("job")
			s := t.Acquire(lock)
			if waits {
				s = t.Queue(lock)
			}
			s.SendRaw([]byte{b}, what)
			s.WantRefused(spec.S_ACQ_19, what+" is refused", wire.CodeUnknownType)
		})
	})
}

func errorEndsTheSession(t *conformance.T) {
	faults := []struct {
		what  string
		bytes []byte
	}{
		{"a second ACQUIRE", wire.Bytes(wire.AcquireFrame(t.Lock("other"), anyLeaseMS))},
		{"an unknown type", []byte{0x7f}},
	}
	for _, f := range faults {
		what, bytes := f.what, f.bytes
		t.Case(what, func(t *conformance.T) {
			defer t.Negative(what)()
			lock := t.Lock("job")
			holder := t.Acquire(lock)
			next := t.Queue(lock)
			sent := holder.SendRaw(bytes, what)
			next.WantGrant(spec.S_ACQ_21, "the holder's session ended with an ERROR", t.AtOnce(sent))
			if frame, ok := holder.NextFrame(); !ok || frame.Type != wire.TypeError {
				return // S-ACQ-04 and S-ACQ-19 judge the ERROR itself
			}
			holder.WantEnd(spec.S_ACQ_21, "after an ERROR the server closes the connection", t.InAnswerTime())
			t.Observe(spec.S_ACQ_24, "close_after_error", holder.Ending())
		})
	}
}

func refusedHoldsNothing(t *conformance.T) {
	for _, bad := range []struct {
		what  string
		frame func(lock string) wire.Frame
		code  wire.Code
	}{
		{"version 0", func(lock string) wire.Frame { return acquireOf(0, anyLeaseMS, lock) }, wire.CodeUnsupportedVersion},
		{"lease_ms 0", func(lock string) wire.Frame { return acquireOf(wire.Version, 0, lock) }, wire.CodeLeaseNotPositive},
	} {
		t.Case(bad.what, func(t *conformance.T) {
			defer t.Negative(bad.what)()
			lock := t.Lock("job")
			refused := t.ConnectHostile()
			refused.Send(bad.frame(lock))
			refused.NextFrame() // S-ACQ-06 and S-ACQ-07 judge it
			holder := t.Ask(lock)
			holder.WantAcquired(spec.S_ACQ_22, "a refused ACQUIRE does not hold the lock")
			queued := t.ConnectHostile()
			queued.Send(bad.frame(lock))
			queued.NextFrame()
			next := t.Queue(lock)
			next.WantGrant(spec.S_ACQ_22, "a refused ACQUIRE does not stand in the queue", t.AtOnce(holder.Close()))
			t.StillServes()
		})
	}
}

func severalFaults(t *conformance.T) {
	long := t.LockOf(300, "x")
	for _, bad := range []struct {
		what  string
		frame wire.Frame
		codes []wire.Code
	}{
		{"version 0 and lease_ms 0", acquireOf(0, 0, t.Lock("job")), []wire.Code{wire.CodeUnsupportedVersion, wire.CodeLeaseNotPositive}},
		{"lease_ms 0 and no name", acquireOf(1, 0, ""), []wire.Code{wire.CodeLeaseNotPositive, wire.CodeEmptyName}},
		{"version 0, lease_ms 0 and no name", acquireOf(0, 0, ""), []wire.Code{wire.CodeUnsupportedVersion, wire.CodeLeaseNotPositive, wire.CodeEmptyName}},
		{"a name too long and not UTF-8", acquireOf(1, anyLeaseMS, long+"\xff"), []wire.Code{wire.CodeNameTooLong, wire.CodeNameNotUTF8}},
		{"lease_ms 0 and a name too long", acquireOf(1, 0, long), []wire.Code{wire.CodeLeaseNotPositive, wire.CodeNameTooLong}},
	} {
		t.Case(bad.what, func(t *conformance.T) {
			defer t.Negative(bad.what)()
			s := t.ConnectHostile()
			s.Send(bad.frame)
			code := s.WantRefused(spec.S_ACQ_23, bad.what+" are refused", bad.codes...)
			t.Observe(spec.S_ACQ_24, "code_for_"+strings.NewReplacer(" ", "_", ",", "").Replace(bad.what), code.String())
			t.StillServes()
		})
	}
}
