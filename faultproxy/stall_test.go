package faultproxy

import (
	"testing"
	"time"
)

func TestStallHoldsAfterSoManyBytes(t *testing.T) {
	everywhere(t, watched(Rule{Fault: Stall, At: 5, Dir: Up}), func(r *rig) {
		client, server := r.connect()
		client.send("abc")
		client.send("defg")
		client.finish()
		server.want("abcde")
		server.wantSilence(50 * time.Millisecond)
		r.remove(1)
		server.want("fg")
		server.wantFIN()
	})
}

func TestStallOfAPlainConnectionKnowsItsOffset(t *testing.T) {
	everywhere(t, unwatched(), func(r *rig) {
		client, server := r.connect()
		client.send("abc")
		server.want("abc")
		r.add("stall 5 dir=up")
		client.send("defg")
		server.want("de")
		server.wantSilence(50 * time.Millisecond)
	})
}
