package faultproxy

import (
	"testing"
	"time"
)

func TestCutEndsBothSidesWithAFIN(t *testing.T) {
	onBothPaths(t, func(r *rig) {
		client, server := r.connect()
		client.send("a")
		server.want("a")
		id := r.add("cut")
		server.wantFIN()
		client.wantFIN()
		r.wantHits(id, 1)
		client.send("into the void")
		r.eventually("the connection is forgotten", func() bool { return len(r.p.Connections()) == 0 })
	})
}

func TestCutBehindAFrame(t *testing.T) {
	everywhere(t, watched(Rule{Fault: Cut, On: 0x11, After: true}), func(r *rig) {
		client, server := r.connect()
		client.send(acquire)
		server.want(acquire)
		server.send(waiting + acquired)
		client.want(waiting)
		client.wantFIN()
		server.wantFIN()
	})
}

func TestCutOfOneSideLeavesTheOtherOpen(t *testing.T) {
	everywhere(t, watched(), func(r *rig) {
		client, server := r.connect()
		r.add("cut side=client")
		client.wantFIN()
		server.wantSilence(50 * time.Millisecond)
		client.Close()
		server.send("nobody hears this")
		server.wantSilence(50 * time.Millisecond)
		server.Close()
		r.eventually("the connection is forgotten", func() bool { return len(r.p.Connections()) == 0 })
	})
}

func TestCutMeetsNewConnectionsToo(t *testing.T) {
	everywhere(t, watched(Rule{Fault: Cut}), func(r *rig) {
		client, server := r.connect()
		client.wantFIN()
		server.wantFIN()
	})
}
