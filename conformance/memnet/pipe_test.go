package memnet

import (
	"bytes"
	"math/rand/v2"
	"sync"
	"testing"
)

func newPipe(limit int) *pipe {
	p := new(pipe)
	p.init(new(sync.Mutex), limit)
	return p
}

// Whatever the pieces, a pipe is a queue: bounded, in order, nothing lost.
func TestPipeIsABoundedQueue(t *testing.T) {
	const seed = 1
	random := rand.New(rand.NewPCG(seed, seed))
	for _, limit := range []int{1, 2, 127, 128, 129, 1000} {
		p := newPipe(limit)
		var held []byte
		var next byte
		for step := range 5000 {
			if random.IntN(2) == 0 {
				piece := make([]byte, random.IntN(limit+2))
				for i := range piece {
					piece[i] = next + byte(i)
				}
				n := p.put(piece)
				if want := min(len(piece), limit-len(held)); n != want {
					t.Fatalf("seed %d, limit %d, step %d: put took %d of %d bytes with %d held; want %d",
						seed, limit, step, n, len(piece), len(held), want)
				}
				held, next = append(held, piece[:n]...), next+byte(n)
			} else {
				got := make([]byte, random.IntN(limit+2))
				n := p.take(got)
				if want := min(len(got), len(held)); n != want || !bytes.Equal(got[:n], held[:n]) {
					t.Fatalf("seed %d, limit %d, step %d: take gave % x; want % x", seed, limit, step, got[:n], held[:want])
				}
				held = held[n:]
			}
			if p.size != len(held) || len(p.ring) > limit {
				t.Fatalf("seed %d, limit %d, step %d: holds %d in %d bytes; want %d in at most %d",
					seed, limit, step, p.size, len(p.ring), len(held), limit)
			}
		}
	}
}

func TestPipeTakesMemoryAsItFills(t *testing.T) {
	p := newPipe(DefaultBuffer)
	if p.ring != nil {
		t.Errorf("a new pipe has %d bytes of memory; want none", len(p.ring))
	}
	frame := make([]byte, 40)
	for range 1000 {
		p.put(frame)
		p.take(frame)
	}
	if len(p.ring) != minPipe {
		t.Errorf("after small frames, each read at once, it has %d bytes; want %d", len(p.ring), minPipe)
	}
	p.put(make([]byte, 2*DefaultBuffer))
	if len(p.ring) != DefaultBuffer {
		t.Errorf("a full pipe has %d bytes; want %d", len(p.ring), DefaultBuffer)
	}
	p.discard()
	if p.ring != nil || p.size != 0 {
		t.Errorf("after discard it holds %d in %d bytes; want nothing", p.size, len(p.ring))
	}
}
