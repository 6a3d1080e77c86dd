package server

import (
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

var robustness = []conformance.Scenario{
	{
		ID: "server/robustness/hostile-connections", Role: spec.RoleServer, Class: conformance.Exclusive,
		Title:  "random bytes and random messages neither stop the server nor disturb others",
		Judges: []spec.ID{spec.S_ROB_01}, Leases: 4,
		Method: "Two hundred and forty connections, from the seed: random bytes, valid frames in random order, truncated frames, floods, and connections that go away before the answer. Meanwhile one client holds and another waits, with heartbeats; neither is disturbed, and the server serves on.",
		Run:    hostileConnections,
	},
	{
		ID: "server/robustness/unfinished-acquire", Role: spec.RoleServer,
		Title:  "an ACQUIRE that never completes is dropped after io-timeout",
		Judges: []spec.ID{spec.S_ROB_02}, IOTimeouts: 1,
		Method: "Connections stop in an ACQUIRE: behind its first byte, in its header, and in its name. Each is closed by io-timeout.",
		Run: func(t *conformance.T) {
			frame := wire.Bytes(wire.AcquireFrame(t.Lock("job"), anyLeaseMS))
			var parts []func(*conformance.T)
			for _, size := range []int{1, 5, len(frame) - 1} {
				parts = append(parts, inCase(fmt.Sprintf("the first %d bytes of an ACQUIRE", size), func(t *conformance.T) {
					s := t.ConnectHostile()
					begun := s.SendRaw(frame[:size], "a part of an ACQUIRE")
					s.WantEndOrError(spec.S_ROB_02, "an ACQUIRE that never completes is dropped", t.AfterIOTimeout(begun))
				}))
			}
			t.Together(parts...)
		},
	},
	{
		ID: "server/robustness/silent-connection", Role: spec.RoleServer,
		Title:  "a connection that never sends is dropped after io-timeout",
		Judges: []spec.ID{spec.S_ROB_03}, IOTimeouts: 1,
		Method: "A connection stands and sends nothing. It is closed by io-timeout.",
		Run: func(t *conformance.T) {
			now := time.Now()
			s := t.ConnectHostile()
			s.WantEndOrError(spec.S_ROB_03, "a connection that never sends is dropped", t.AfterIOTimeout(conformance.Stamp{Before: now, After: time.Now()}))
		},
	},
	{
		ID: "server/robustness/client-that-never-reads", Role: spec.RoleServer, Class: conformance.Exclusive,
		Title:  "clients that never read do not slow the others",
		Judges: []spec.ID{spec.S_ROB_04},
		Method: "Three clients send heartbeats by the hundred thousand and never read an answer, until the server's own writes to them block. Meanwhile, and for a second longer, others are answered at once.",
		Run:    neverReads,
	},
}

func hostileConnections(t *conformance.T) {
	const connections, lanes = 240, 12
	lock := t.Lock("bystander")
	beating := []conformance.Option{conformance.WithLease(20 * t.Lease), conformance.BeatingEvery(t.Lease / 4)}
	holder := t.Acquire(lock, beating...)
	waiter := t.Queue(lock, beating...)
	closed := t.Negative("hostile connections")
	t.ForEach(connections, lanes, func(t *conformance.T, i int) {
		hostile := hostileKinds[i%len(hostileKinds)]
		hostile(t, t.ConnectHostile())
	})
	t.StillServes()
	closed()
	const undisturbed = "hostile connections disturb nobody else"
	until := time.Now().Add(t.Lease)
	holder.WantNothingNew(spec.S_ROB_01, undisturbed, until)
	waiter.WantNothingNew(spec.S_ROB_01, undisturbed, until)
	holder.WantBeatsAnswered(spec.S_ROB_01, "every heartbeat of a bystander is answered")
	waiter.StopHeartbeats()
	waiter.WantGrant(spec.S_ROB_01, "the holder closed", t.AtOnce(holder.Close()))
}

// hostileKinds are the ways in which a hostile connection behaves.
var hostileKinds = []func(*conformance.T, *conformance.Session){
	randomBytes, randomFrames, truncatedFrame, flood, goneBeforeTheAnswer, goneAtOnce,
}

func randomBytes(t *conformance.T, s *conformance.Session) {
	s.SendRaw(noise(t.Rand, 1+t.Rand.IntN(400)), "random bytes")
	t.Pause(time.Duration(t.Rand.IntN(10)) * time.Millisecond)
	leave(t, s)
}

func randomFrames(t *conformance.T, s *conformance.Session) {
	var bytes []byte
	for range 1 + t.Rand.IntN(12) {
		bytes = wire.Append(bytes, randomFrame(t))
	}
	s.SendRaw(bytes, "valid frames in random order")
	t.Pause(time.Duration(t.Rand.IntN(10)) * time.Millisecond)
	leave(t, s)
}

func truncatedFrame(t *conformance.T, s *conformance.Session) {
	frame := wire.Bytes(wire.AcquireFrame(t.LockOf(100+t.Rand.IntN(100), "t"), t.Rand.Uint32()))
	s.SendRaw(frame[:1+t.Rand.IntN(len(frame)-1)], "a truncated ACQUIRE")
	leave(t, s)
}

func flood(t *conformance.T, s *conformance.Session) {
	bytes := wire.Bytes(wire.AcquireFrame(t.Lock("flood"), anyLeaseMS))
	for range 2000 {
		bytes = append(bytes, byte(wire.TypeHeartbeat))
	}
	s.SendRaw(bytes, "an ACQUIRE and a flood of heartbeats")
	leave(t, s)
}

func goneBeforeTheAnswer(t *conformance.T, s *conformance.Session) {
	s.Send(wire.AcquireFrame(t.Lock("gone"), anyLeaseMS))
	leave(t, s)
}

func goneAtOnce(t *conformance.T, s *conformance.Session) { leave(t, s) }

// leave ends a hostile connection by a FIN or a RST.
func leave(t *conformance.T, s *conformance.Session) {
	if t.Rand.IntN(2) == 0 {
		s.Reset()
		return
	}
	s.Close()
}

func noise(r *rand.Rand, size int) []byte {
	bytes := make([]byte, size)
	for i := range bytes {
		bytes[i] = byte(r.Uint32())
	}
	return bytes
}

// randomFrame is any of the five frames, those of a server included. Names lie
// under the run's own prefix, so that no other user's lock is touched.
func randomFrame(t *conformance.T) wire.Frame {
	switch t.Rand.IntN(5) {
	case 0:
		return wire.Frame{Type: wire.TypeAcquire, Acquire: wire.Acquire{
			Version: uint8(t.Rand.IntN(3)), LeaseMS: t.Rand.Uint32N(3) * 1000, Name: t.Lock("random"),
		}}
	case 1:
		return wire.WaitingFrame
	case 2:
		return wire.AcquiredFrame(t.Rand.Uint64())
	case 3:
		return wire.ErrorFrame(wire.Code(t.Rand.Uint32()), "random")
	}
	return wire.HeartbeatFrame
}

func neverReads(t *conformance.T) {
	// The answers to half a million fill a kernel's largest send buffer (4 MiB). Several
	// clients, for one's window may open slowly.
	const clients, heartbeats = 3, 600_000
	steady := t.Acquire(t.Lock("steady"))
	defer t.Negative("a client that never reads")()
	flooded := make(chan struct{})
	t.Together(
		func(t *conformance.T) {
			defer close(flooded)
			t.ForEach(clients, clients, func(t *conformance.T, _ int) {
				deaf := t.ConnectDeaf()
				deaf.Ask(t.Lock("deaf"), time.Hour)
				sent := deaf.Flood(byte(wire.TypeHeartbeat), heartbeats)
				t.Remark("suite", "a client that never reads sent %d heartbeats", sent)
			})
		},
		func(t *conformance.T) { othersAreServed(t, steady, flooded) },
	)
}

// othersAreServed goes on for some time after the flood: a fast sender is ahead of its
// server, which has yet to choke on the rest.
func othersAreServed(t *conformance.T, steady *conformance.Session, flooded <-chan struct{}) {
	const after, between = 10, 100 * time.Millisecond
	for left := after; left > 0; {
		t.Pause(between)
		before := time.Now()
		lock := t.Lock("job")
		holder := t.Ask(lock)
		holder.WantAccepted(spec.S_ROB_04, "others are answered while one never reads")
		steady.WantAnswered(spec.S_ROB_04, "a heartbeat is answered while one never reads")
		if took := time.Since(before); took > conformance.AtOnceTime+t.Noise()+4*t.RTT() {
			t.Late(spec.S_ROB_04, "others are not slowed", fmt.Sprintf("a grant and the answer to a heartbeat within %v", conformance.AtOnceTime), "after "+rounded(took).String())
		}
		next := t.Queue(lock)
		next.WantGrant(spec.S_ROB_04, "the holder closed", t.AtOnce(holder.Close()))
		select {
		case <-flooded:
			left--
		default:
		}
	}
	t.Pass(spec.S_ROB_04, "others are not slowed")
}
