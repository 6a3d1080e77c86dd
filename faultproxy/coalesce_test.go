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
		client.send("xyz")
		buf := make([]byte, 100)
		server.patience(5 * time.Second)
		if n, err := server.Read(buf); string(buf[:n]) != "xxxxx" || err != nil {
			r.Errorf("read %q, %v, want the first five bytes as one", buf[:n], err)
		}
		client.finish()
		server.want("yz")
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
