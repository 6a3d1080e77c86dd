// Package faultproxy is a TCP proxy that disturbs connections, on purpose and
// exactly as it is told. It knows the monolock protocol, so that a fault can
// name the frame at which it begins; other protocols pass untouched.
//
//	p := faultproxy.New(faultproxy.Config{Dial: faultproxy.DialTCP(upstream)})
//	go p.Serve(listener)
//	id, err := p.Add(faultproxy.Rule{Fault: faultproxy.Partition, Dir: faultproxy.Down})
//	...
//	err = p.Remove(id)       // what was held is released in order
//
// # What it promises
//
// Bytes are never lost, reordered or duplicated unless a rule says so: lose,
// corrupt, cut, reset and half-close do, the others never. A FIN becomes a FIN
// in that direction alone, behind the bytes that came before it, and a reset
// becomes a reset; both obey the rules as bytes do. Adding or removing a rule
// waits for nothing and changes no other rule. A rule counts its hits, so that
// a test can prove that its fault bit.
//
// # Where a rule acts
//
// A rule acts on what the proxy holds and on what it will receive, in the
// connections and the direction that it selects. Where several act on the same
// bytes, they are asked in this order: what holds (partition, stall), what
// delays, what ends the connection at this place, what loses, what gathers or
// paces (coalesce, fragment, bandwidth), what corrupts. Bytes go when all let
// them go. A delay counts from receipt, so pipelined frames do not add up.
// Frames and offsets are those that were received, whatever other rules made
// of them.
//
// A cut or a reset without a trigger acts in the moment in which it is added,
// also on a connection that is blocked, and on each new connection as soon as it
// stands. A partition whose trigger is a frame begins, in all its directions,
// when that frame is there.
//
// A partition of both directions holds back the connects too: the client's
// connection stands, but the upstream is dialled when the partition is over, and
// never for a client that has gone by then. A partition of one direction holds
// bytes and endings alone.
//
// # The plain path
//
// A connection that no rule concerns, of a proxy without Record and without
// Frames, is copied by two plain loops. The first rule that concerns it
// interrupts them: a waiting read is ended by a deadline, and whatever a read
// brings from then on goes by the rules; only a write that waits for its
// receiver is completed first. Such a connection was not followed frame by
// frame, so rules that name frames do not reach it, and it stays on the path of
// the rules when they are removed.
//
// # How it is built
//
// A link joins two connections and has two lanes, one a direction:
//
//	src ─▶ reader ─▶ queue ─▶ writer: core.step(head, now) ─▶ dst
//
// The core (core.go and its neighbours) is a pure step: given what stands first
// in the queue, the rules and the time, it says what to do. It does no I/O and
// reads no clock. The queue is bounded: when it is full the reader stops, and
// TCP makes the sender wait. Waiting is done in channels, timers and reads, and
// no mutex is held across it, so a proxy runs in the virtual time of
// [testing/synctest] over an in-memory network as it does over the kernel's TCP.
//
// Random decisions are drawn from the seed, the rule's ID, the connection's
// number, the direction and the number of the frame (of the receipt, where
// there are no frames), and from nothing else.
package faultproxy
