package faultproxy

import "testing"

func TestCorruptFlipsBitsOfOneFrame(t *testing.T) {
	everywhere(t, watched(), func(r *rig) {
		client, server := r.connect()
		id := r.add("corrupt on=ACQUIRED n=2 at=8 xor=0x01")
		server.send(acquired + acquired + acquired)
		client.want(acquired + acquired[:8] + "\x06" + acquired)
		r.wantHits(id, 1)
	})
}

func TestCorruptSetsAByteOfTheStream(t *testing.T) {
	everywhere(t, unwatched(), func(r *rig) {
		client, server := r.connect()
		client.send("ab")
		server.want("ab")
		id := r.add("corrupt at=3 byte=0x21 dir=up")
		client.send("c")
		client.send("de")
		server.want("c!e")
		r.wantHits(id, 1)
	})
}

// The rules go by what was received, not by what it became.
func TestCorruptDoesNotMisleadOtherRules(t *testing.T) {
	everywhere(t, watched(), func(r *rig) {
		client, server := r.connect()
		r.add("corrupt on=WAITING byte=0x7f")
		r.add("lose on=ACQUIRED n=2")
		server.send(waiting + acquired + acquired + refusal)
		client.want("\x7f" + acquired + refusal)
	})
}
