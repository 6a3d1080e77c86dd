package faultproxy

import (
	"testing"
	"time"
)

func TestDelayCountsFromReceipt(t *testing.T) {
	everywhere(t, unwatched(), func(r *rig) {
		client, server := r.connect()
		id := r.add("delay 200ms dir=up")
		start := time.Now()
		for range 5 {
			client.send(heartbeat)
			time.Sleep(20 * time.Millisecond)
		}
		for i := range time.Duration(5) {
			server.want(heartbeat)
			r.wantTook("a heartbeat", time.Since(start), 200*time.Millisecond+i*20*time.Millisecond)
		}
		r.wantHits(id, 5)
		server.send("at once")
		before := time.Now()
		client.want("at once")
		r.wantTook("the other direction", time.Since(before), 0)
	})
}

func TestDelayHoldsEndingsToo(t *testing.T) {
	everywhere(t, watched(), func(r *rig) {
		client, server := r.connect()
		r.add("delay 100ms")
		start := time.Now()
		client.send("x")
		client.finish()
		server.want("x")
		server.wantFIN()
		r.wantTook("the FIN", time.Since(start), 100*time.Millisecond)
	})
}

func TestDelayOfOneFrame(t *testing.T) {
	everywhere(t, watched(Rule{Fault: Delay, Delay: 100 * time.Millisecond, On: 0x02, N: Only(2)}), func(r *rig) {
		client, server := r.connect()
		start := time.Now()
		client.send(acquire + heartbeat + heartbeat + heartbeat)
		server.want(acquire + heartbeat)
		r.wantTook("the first heartbeat", time.Since(start), 0)
		server.want(heartbeat + heartbeat)
		r.wantTook("the second heartbeat", time.Since(start), 100*time.Millisecond)
		r.wantHits(1, 1)
	})
}

func TestRemovedDelayReleases(t *testing.T) {
	everywhere(t, watched(), func(r *rig) {
		client, server := r.connect()
		id := r.add("delay 1h")
		start := time.Now()
		client.send("x")
		r.wantHits(id, 1)
		r.remove(id)
		server.want("x")
		r.wantTook("the byte", time.Since(start), 0)
	})
}

// The seed decides, and nothing else.
func TestJitterIsDrawnFromTheSeed(t *testing.T) {
	draw := func(seed uint64) (took []time.Duration) {
		cfg := watched(Rule{Fault: Delay, Delay: 100 * time.Millisecond, Jitter: 50 * time.Millisecond, Dir: Up})
		cfg.Seed = seed
		inVirtualTime(t, cfg, func(r *rig) {
			client, server := r.connect()
			for range 20 {
				start := time.Now()
				client.send(heartbeat)
				server.want(heartbeat)
				took = append(took, time.Since(start))
			}
		})
		return took
	}
	a, again, b := draw(1), draw(1), draw(2)
	same := 0
	for i := range a {
		if a[i] != again[i] {
			t.Errorf("heartbeat %d took %v and then %v with the same seed", i, a[i], again[i])
		}
		if a[i] < 50*time.Millisecond || a[i] > 150*time.Millisecond {
			t.Errorf("heartbeat %d took %v, want 50ms to 150ms", i, a[i])
		}
		if a[i] == b[i] {
			same++
		}
	}
	if same > 2 {
		t.Errorf("%d of %d delays are the same with another seed", same, len(a))
	}
}
