package server

import (
	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

// anyLeaseMS is the lease, in milliseconds, of an ACQUIRE whose lease does not matter.
const anyLeaseMS = 600_000

// refusalLanes is how many negative cases of one scenario run side by side.
const refusalLanes = 4

// refuse is one negative case: the first frame of a connection must be answered
// with an ERROR of one of the codes, and then the server serves on.
func refuse(t *conformance.T, id spec.ID, what string, first wire.Frame, codes ...wire.Code) {
	inOneCase(t, what, func(t *conformance.T) {
		s := t.ConnectHostile()
		s.Send(first)
		s.WantRefused(id, what+" is refused", codes...)
	})
}

// refuseRaw is refuse for bytes that are no frame of a client.
func refuseRaw(t *conformance.T, id spec.ID, what string, bytes []byte, codes ...wire.Code) {
	inOneCase(t, what, func(t *conformance.T) {
		s := t.ConnectHostile()
		s.SendRaw(bytes, what)
		s.WantRefused(id, what+" is refused", codes...)
	})
}

// inOneCase runs a negative case, and sees that the server still serves. Whoever
// hands out such cases by ForEach learns when one failed.
func inOneCase(t *conformance.T, what string, part func(*conformance.T)) {
	ended := t.Case(what, func(t *conformance.T) {
		defer t.Negative(what)()
		part(t)
		t.StillServes()
	})
	t.EndUnless(ended)
}

// observe records what a first message is answered with, whatever it is.
func observe(t *conformance.T, id spec.ID, key string, first []byte) {
	defer t.Negative(key)()
	s := t.ConnectHostile()
	s.SendRaw(first, key)
	t.Observe(id, key, s.FirstAnswer())
	t.StillServes()
}

// acquireOf is an ACQUIRE with every field given.
func acquireOf(version uint8, leaseMS uint32, name string) wire.Frame {
	return wire.Frame{Type: wire.TypeAcquire, Acquire: wire.Acquire{Version: version, LeaseMS: leaseMS, Name: name}}
}
