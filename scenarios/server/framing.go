package server

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"strconv"
	"strings"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

var framing = []conformance.Scenario{
	{
		ID: "server/framing/lease-is-big-endian", Role: spec.RoleServer,
		Title:  "lease_ms is read big endian",
		Judges: []spec.ID{spec.S_FRM_01}, Leases: 3,
		Method: "A lease whose bytes, read in the wrong order, are a base lease, and read right are weeks: the silent holder must still hold after two base leases.",
		Run: func(t *conformance.T) {
			swapped := bits.ReverseBytes32(uint32(t.Lease.Milliseconds()))
			lock := t.Lock("job")
			holder := t.Ask(lock, conformance.WithLease(time.Duration(swapped)*time.Millisecond))
			holder.WantAcquired(spec.S_ACQ_08, "a lease of weeks is accepted")
			holder.WantNothingNew(spec.S_FRM_01, "the lease is "+strconv.Itoa(int(swapped))+" ms, not its bytes backwards", holder.Last().After.Add(2*t.Lease+300*time.Millisecond))
			holder.WantAlive(spec.S_FRM_01, "the holder still holds")
		},
	},
	{
		ID: "server/framing/name-length-is-big-endian", Role: spec.RoleServer,
		Title:  "name_len is read big endian",
		Judges: []spec.ID{spec.S_FRM_01},
		Method: "Names of several lengths are each granted, and a second client of the same name waits.",
		Run: func(t *conformance.T) {
			for _, length := range []int{100, 128, 255} {
				lock := t.LockOf(length, "n")
				first := t.Ask(lock)
				first.WantAcquired(spec.S_FRM_01, fmt.Sprintf("a name of %d bytes is read as long as it is", length))
				t.Ask(lock).WantWaiting(spec.S_FRM_01, "the same name is the same lock")
			}
		},
	},
	{
		ID: "server/framing/token-is-big-endian", Role: spec.RoleServer,
		Title:  "tokens are sent big endian",
		Judges: []spec.ID{spec.S_FRM_01},
		Method: "More grants in a row than a byte can count: read big endian, the tokens grow; if they grow only when read backwards, they are sent backwards.",
		Run: func(t *conformance.T) {
			judgeTokenOrder(t, collectTokens(t, 300))
		},
	},
	{
		ID: "server/framing/cut-at-every-byte", Role: spec.RoleServer,
		Title:  "an ACQUIRE cut at any byte means what it means whole",
		Judges: []spec.ID{spec.S_FRM_02},
		Method: "An ACQUIRE with a name of 255 bytes is sent in two pieces with a pause between them, once for every place to cut. Each is granted, and a second client of that name waits.",
		Run: func(t *conformance.T) {
			const places = wire.AcquireHeaderSize + wire.MaxNameLen - 1
			const lanes = 16 // few enough for a short listen backlog
			t.ForEach(places, lanes, func(t *conformance.T, i int) {
				cut, lock := i+1, t.LockOf(wire.MaxNameLen, "c")
				s := t.Connect()
				s.SendCut(wire.AcquireFrame(lock, anyLeaseMS), cut)
				s.WantAcquired(spec.S_FRM_02, fmt.Sprintf("an ACQUIRE cut after byte %d is read as a whole one", cut))
				second := t.Ask(lock)
				second.WantWaiting(spec.S_FRM_02, fmt.Sprintf("cut after byte %d, the name is still the same", cut))
				s.Close()
				second.Close()
			})
		},
	},
	{
		ID: "server/framing/byte-by-byte", Role: spec.RoleServer,
		Title:  "an ACQUIRE that comes byte by byte means what it means whole",
		Judges: []spec.ID{spec.S_FRM_02},
		Method: "Every byte of an ACQUIRE travels alone, with a pause behind each. It is granted, and its heartbeat is answered.",
		Run: func(t *conformance.T) {
			lock := t.Lock("b")
			frame := wire.AcquireFrame(lock, anyLeaseMS)
			s := t.Connect()
			s.SendCut(frame, everyByte(len(wire.Bytes(frame)))...)
			s.WantAcquired(spec.S_FRM_02, "an ACQUIRE in single bytes is read as a whole one")
			s.WantAlive(spec.S_FRM_02, "and the session goes on")
		},
	},
	{
		ID: "server/framing/several-in-one-segment", Role: spec.RoleServer,
		Title:  "several messages in one segment are each handled, in order",
		Judges: []spec.ID{spec.S_FRM_03},
		Method: "An ACQUIRE and a heartbeat leave in one write, by a holder and by a waiter; then an ACQUIRE, a heartbeat and a second ACQUIRE. Each message has its answer, in order.",
		Run:    severalInOneSegment,
	},
	{
		ID: "server/framing/only-whole-frames", Role: spec.RoleServer,
		Title:  "the server sends WAITING, ACQUIRED and ERROR in their documented lengths, and no other byte",
		Judges: []spec.ID{spec.S_FRM_04, spec.S_FRM_05, spec.S_FRM_06},
		Method: "A session is led through every frame that a server sends. The frames are read one behind the other, up to the end of the connection.",
		Run:    onlyWholeFrames,
	},
}

// everyByte lists each place to cut a frame of that many bytes.
func everyByte(size int) []int {
	cuts := make([]int, size-1)
	for i := range cuts {
		cuts[i] = i + 1
	}
	return cuts
}

// collectTokens takes that many grants of one lock, each after the end of the one before.
func collectTokens(t *conformance.T, count int) []uint64 {
	lock, tokens := t.Lock("job"), make([]uint64, 0, count)
	for range count {
		s := t.Ask(lock)
		s.Settle(spec.S_Q_03, "the holder before has closed")
		tokens = append(tokens, s.Token())
		s.Close()
	}
	return tokens
}

// judgeTokenOrder fails S-FRM-01 for tokens that grow backwards only. Tokens that
// do not grow either way are S-TOK-02's matter.
func judgeTokenOrder(t *conformance.T, tokens []uint64) {
	const why = "tokens grow when read big endian"
	asSent, backwards := growth(tokens, func(v uint64) uint64 { return v }), growth(tokens, bits.ReverseBytes64)
	if asSent < len(tokens) && backwards == len(tokens) {
		before, after := tokens[asSent-1], tokens[asSent]
		t.Fail(spec.S_FRM_01, why, "each token larger than the one before",
			fmt.Sprintf("% x came before % x: they grow only when read little endian", be(before), be(after)))
		return
	}
	t.Pass(spec.S_FRM_01, why)
}

// growth returns how many tokens from the first on grow strictly.
func growth(tokens []uint64, read func(uint64) uint64) int {
	for i := 1; i < len(tokens); i++ {
		if read(tokens[i]) <= read(tokens[i-1]) {
			return i
		}
	}
	return len(tokens)
}

func be(v uint64) []byte { return binary.BigEndian.AppendUint64(nil, v) }

func severalInOneSegment(t *conformance.T) {
	lock := t.Lock("job")
	holder := t.Connect()
	holder.Send(wire.AcquireFrame(lock, anyLeaseMS), wire.HeartbeatFrame)
	holder.WantAcquired(spec.S_FRM_03, "the ACQUIRE of the segment is answered")
	holder.WantAnswer(spec.S_FRM_03, "the heartbeat of the segment is answered")
	waiter := t.Connect()
	waiter.Send(wire.AcquireFrame(lock, anyLeaseMS), wire.HeartbeatFrame)
	waiter.WantWaiting(spec.S_FRM_03, "the waiter's ACQUIRE is answered")
	waiter.WantAnswer(spec.S_FRM_03, "the heartbeat of the waiter is answered")
	defer t.Negative("a second ACQUIRE in one segment with the first")()
	twice := t.ConnectHostile()
	other := wire.AcquireFrame(t.Lock("other"), anyLeaseMS)
	twice.Send(other, wire.HeartbeatFrame, other)
	twice.WantAcquired(spec.S_FRM_03, "the first message is answered first")
	twice.WantAnswer(spec.S_FRM_03, "the heartbeat before the fault is answered")
	twice.WantError(spec.S_FRM_03, "the fault at the segment's end is answered last", wire.CodeDuplicateAcquire)
	t.StillServes()
}

func onlyWholeFrames(t *conformance.T) {
	lock := t.Lock("job")
	holder := t.Acquire(lock)
	waiter := t.Queue(lock)
	waiter.WantAlive(spec.S_HB_02, "a waiter's heartbeat is answered WAITING")
	holder.WantAlive(spec.S_HB_01, "a holder's heartbeat is answered ACQUIRED")
	waiter.WantGrant(spec.S_Q_02, "the holder closed", t.AtOnce(holder.Close()))
	waiter.WantAlive(spec.S_HB_01, "the promoted one's heartbeat is answered ACQUIRED")
	canonical := true
	for _, bad := range []wire.Frame{
		acquireOf(0, anyLeaseMS, lock), acquireOf(1, 0, lock), acquireOf(1, anyLeaseMS, ""), wire.HeartbeatFrame,
	} {
		closed := t.Negative("a faulty first message")
		s := t.ConnectHostile()
		s.Send(bad)
		// Whether it is refused, and with which code, is for S-ACQ-03, -06, -07, -13.
		if frame, ok := s.NextFrame(); ok && frame.Type == wire.TypeError {
			canonical = canonical && strings.Contains(frame.Reason, frame.Code.Text())
			s.WantEndOrError(spec.S_ACQ_21, "after an ERROR the server closes the connection", t.InAnswerTime())
		}
		t.StillServes()
		closed()
	}
	t.Observe(spec.S_FRM_06, "reason_contains_canonical_text", strconv.FormatBool(canonical))
}
