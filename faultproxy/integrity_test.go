package faultproxy

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"hash"
	"io"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"
	"testing/synctest"
)

// harmless are rules that may change when bytes come and in which pieces, and
// nothing else.
var harmless = []string{
	"partition", "partition dir=up", "partition dir=down", "delay 1ms", "delay 2ms jitter=2ms dir=up",
	"fragment 1000-60000", "fragment 7,40000 dir=down", "coalesce 300k wait=2ms", "bandwidth 50M",
	"stall 1000 dir=down", "partition on=ACQUIRED", "fragment 1 on=ERROR",
}

// A hundred million bytes through rules that come and go arrive as they were
// sent, in both directions.
func TestNothingIsLostUnderChangingRules(t *testing.T) {
	for name, cfg := range map[string]Config{"plain at first": unwatched(), "recorded": watched()} {
		t.Run(name, func(t *testing.T) {
			run(t, kernel(), cfg, func(r *rig) {
				const total = 50_000_000
				client, server := r.connect()
				up, down := newTransfer(r, client, server, 1, total), newTransfer(r, server, client, 2, total)
				stop := make(chan struct{})
				var changing sync.WaitGroup
				changing.Go(func() { r.changeRules(stop) })
				up.await()
				down.await()
				close(stop)
				changing.Wait()
				r.wantBites()
			})
		})
	}
}

// changeRules adds and removes rules until it is told to stop, and heals.
func (r *rig) changeRules(stop <-chan struct{}) {
	random := rand.New(rand.NewPCG(1, 1))
	var mine []ID
	for {
		select {
		case <-stop:
			if err := r.p.Heal(); err != nil {
				r.Error(err)
			}
			return
		case <-time.After(3 * time.Millisecond):
		}
		if len(mine) < 3 {
			mine = append(mine, r.add(harmless[random.IntN(len(harmless))]))
			continue
		}
		i := random.IntN(len(mine))
		r.remove(mine[i])
		mine = append(mine[:i], mine[i+1:]...)
		if random.IntN(4) == 0 {
			mine = nil
			if err := r.p.Heal(); err != nil {
				r.Error(err)
			}
		}
	}
}

// wantBites checks that the rules were not idle: most kinds of fault acted. Which
// ones is up to the machine's speed.
func (r *rig) wantBites() {
	r.Helper()
	bit := make(map[Fault]bool)
	r.p.mu.Lock()
	for _, rule := range r.p.past {
		if rule.hits.get() > 0 {
			bit[rule.Fault] = true
		}
	}
	r.p.mu.Unlock()
	if len(bit) < 3 {
		r.Errorf("only %v bit, want three kinds of fault at least", bit)
	}
}

// transfer is a stream of random bytes from one end to another.
type transfer struct {
	r        *rig
	sent     hash.Hash
	got      hash.Hash
	size     int64
	received int64
	both     sync.WaitGroup
}

func newTransfer(r *rig, from, to *end, seed uint64, size int64) *transfer {
	x := &transfer{r: r, sent: sha256.New(), got: sha256.New(), size: size}
	source := io.LimitReader(rand.NewChaCha8([32]byte{byte(seed)}), size)
	to.patience(time.Minute)
	x.both.Go(func() {
		if _, err := io.Copy(struct{ io.Writer }{from}, io.TeeReader(source, x.sent)); err != nil {
			r.Errorf("%s: %v", from.name, err)
		}
		from.finish()
	})
	x.both.Go(func() {
		n, err := io.Copy(x.got, to)
		if x.received = n; err != nil {
			r.Errorf("%s: %v", to.name, err)
		}
	})
	return x
}

func (x *transfer) await() {
	x.r.Helper()
	x.both.Wait()
	if x.received != x.size || !bytes.Equal(x.sent.Sum(nil), x.got.Sum(nil)) {
		x.r.Errorf("%d of %d bytes came, and not those that were sent", x.received, x.size)
	}
}

// In virtual time any sequence of sends and rules ends with every byte in its
// place, once the network is healed.
func TestAnySequenceOfRulesKeepsTheBytes(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		frames := []string{acquire, heartbeat, heartbeat[:0] + "\x01\x01\x00", waiting, acquired, refusal, refusal[:3], "foreign bytes"}
		steps := rapid.SliceOfN(rapid.IntRange(0, len(frames)+len(harmless)+3), 1, 40).Draw(rt, "steps")
		recorded := rapid.Bool().Draw(rt, "recorded")
		var failure string
		synctest.Test(t, func(t *testing.T) {
			cfg := unwatched()
			if recorded {
				cfg = watched()
			}
			run(t, memory(), cfg, func(r *rig) { failure = r.play(frames, steps) })
		})
		if failure != "" {
			rt.Fatal(failure)
		}
	})
}

// play carries out steps: sends from both ends, rules that come and go, pauses.
// It returns what is wrong with the bytes that arrived.
func (r *rig) play(frames []string, steps []int) string {
	client, server := r.connect()
	var up, down string
	for i, step := range steps {
		switch {
		case step < len(frames):
			if i%2 == 0 {
				up += frames[step]
				client.send(frames[step])
			} else {
				down += frames[step]
				server.send(frames[step])
			}
		case step < len(frames)+len(harmless):
			r.add(harmless[step-len(frames)])
		case len(r.p.Rules()) > 0 && step%2 == 0:
			r.remove(r.p.Rules()[0].ID)
		default:
			time.Sleep(time.Duration(step) * 100 * time.Microsecond)
		}
	}
	client.finish()
	server.finish()
	if err := r.p.Heal(); err != nil {
		return err.Error()
	}
	for _, way := range []struct {
		to   *end
		want string
	}{{server, up}, {client, down}} {
		if got, err := io.ReadAll(way.to); err != nil || string(got) != way.want {
			return fmt.Sprintf("%s read %q, %v, want %q", way.to.name, got, err, way.want)
		}
	}
	return ""
}
