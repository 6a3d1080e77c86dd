package faultproxy

import (
	"testing"
	"time"
)

func TestLoseOneGrant(t *testing.T) {
	everywhere(t, watched(), func(r *rig) {
		client, server := r.connect()
		id := r.add("lose on=ACQUIRED n=1")
		server.send(waiting + acquired[:4])
		r.settle()
		server.send(acquired[4:] + acquired)
		client.want(waiting + acquired)
		r.wantHits(id, 1)
	})
}

func TestLoseAnswersOnly(t *testing.T) {
	everywhere(t, unwatched(), func(r *rig) {
		client, server := r.connect()
		id := r.add("lose dir=down")
		client.send(acquire)
		server.want(acquire)
		server.send(acquired)
		client.wantSilence(50 * time.Millisecond)
		r.wantHits(id, 1)
		server.finish()
		client.wantFIN()
	})
}

func TestLoseARange(t *testing.T) {
	everywhere(t, watched(Rule{Fault: Lose, At: 2, Len: 3, Dir: Up}), func(r *rig) {
		client, server := r.connect()
		client.send("abc")
		r.settle()
		client.send("defg")
		server.want("abfg")
	})
}

func TestLoseByChanceIsDrawnOnceAFrame(t *testing.T) {
	cfg := watched(Rule{Fault: Lose, On: 0x02, Chance: 0.5})
	inVirtualTime(t, cfg, func(r *rig) {
		client, server := r.connect()
		for range 200 {
			client.send(heartbeat)
		}
		client.finish()
		n := 0
		for buf := make([]byte, 300); ; {
			got, err := server.Read(buf)
			if n += got; err != nil {
				break
			}
		}
		lost := r.p.Hits(1)
		if int64(n)+lost != 200 || lost < 70 || lost > 130 {
			r.Errorf("of 200 heartbeats %d passed and %d were lost", n, lost)
		}
	})
}
