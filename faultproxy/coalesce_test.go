package faultproxy

import (
	"testing"
	"time"
)

func TestCoalesceGathersUntilTheSize(t *testing.T) {
	everywhere(t, watched(), func(r *rig) {
		client, server := r.connect()
		id := r.add("coalesce 5 wait=1h dir=up")
		for range 4 {
			client.send("x")
			r.settle()
		}
		server.wantSilence(20 * time.Millisecond)
		client.send("xyz") // more than was asked for is no reason to wait
		buf := make([]byte, 100)
		server.patience(5 * time.Second)
		if n, err := server.Read(buf); string(buf[:n]) != "xxxxxyz" || err != nil {
			r.Errorf("read %q, %v, want all as one", buf[:n], err)
		}
		client.send("rest")
		client.finish()
		server.want("rest")
		server.wantFIN()
		if r.p.Hits(id) == 0 {
			r.Error("the rule did not bite")
		}
	})
}

func TestCoalesceWaitsNoLongerThanItSays(t *testing.T) {
	everywhere(t, watched(), func(r *rig) {
		client, server := r.connect()
		r.add("coalesce 1000 wait=100ms")
		start := time.Now()
		client.send("a")
		time.Sleep(50 * time.Millisecond)
		client.send("b")
		server.want("ab")
		r.wantTook("the two", time.Since(start), 100*time.Millisecond)
	})
}
