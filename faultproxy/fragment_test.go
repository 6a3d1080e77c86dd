package faultproxy

import (
	"testing"
	"time"
)

// The pauses show the pieces: TCP itself may join what is written apart.
func TestFragmentWritesPiecesWithPauses(t *testing.T) {
	everywhere(t, watched(), func(r *rig) {
		client, server := r.connect()
		id := r.add("fragment 1,2 pause=100ms dir=up")
		start := time.Now()
		client.send("abcdef")
		for i, piece := range []string{"a", "bc", "d", "ef"} {
			server.want(piece)
			r.wantTook("piece "+piece, time.Since(start), time.Duration(i)*100*time.Millisecond)
		}
		if r.p.Hits(id) == 0 {
			r.Error("the rule did not bite")
		}
	})
}

func TestFragmentOfOneFrameBeginsWithItsFirstByte(t *testing.T) {
	everywhere(t, watched(), func(r *rig) {
		client, server := r.connect()
		r.add("fragment 3 pause=50ms on=ACQUIRED n=2")
		start := time.Now()
		server.send(waiting + acquired + acquired + waiting)
		client.want(waiting + acquired)
		client.want(acquired[:3])
		r.wantTook("the first three bytes", time.Since(start), 0)
		client.want(acquired[3:6])
		r.wantTook("the next three", time.Since(start), 50*time.Millisecond)
		client.want(acquired[6:] + waiting)
		r.wantTook("the rest", time.Since(start), 100*time.Millisecond)
	})
}

func TestFragmentSizesAreDrawnFromTheSeed(t *testing.T) {
	sizes := func(seed uint64) (list []int) {
		cfg := watched(Rule{Fault: Fragment, Sizes: []Span{{1, 9}}, Pause: time.Millisecond, Dir: Up})
		cfg.Seed = seed
		inVirtualTime(t, cfg, func(r *rig) {
			client, server := r.connect()
			client.send(acquire + acquire + acquire + acquire)
			client.finish()
			for buf := make([]byte, 100); ; {
				n, err := server.Read(buf)
				if err != nil {
					return
				}
				list = append(list, n)
			}
		})
		return list
	}
	a, again, b := sizes(1), sizes(1), sizes(2)
	if !equal(a, again) || equal(a, b) {
		t.Errorf("seed 1: %v and %v, seed 2: %v", a, again, b)
	}
}

func equal(a, b []int) bool {
	for i := range a {
		if i >= len(b) || a[i] != b[i] {
			return false
		}
	}
	return len(a) == len(b)
}
