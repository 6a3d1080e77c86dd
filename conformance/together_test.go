package conformance

import (
	"sync/atomic"
	"testing"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/spec"
)

func TestTogetherRunsSideBySide(t *testing.T) {
	r := judged(t, of(spec.S_Q_01), func(t *T) {
		began := time.Now()
		t.Together(
			func(t *T) { t.Pause(2 * time.Second) },
			func(t *T) { t.Pause(3 * time.Second) },
			func(t *T) { t.Fail(spec.S_Q_01, "order", "this", "that") },
		)
		if took := time.Since(began); took != 3*time.Second {
			t.Remark("suite", "it took %v", took)
			return
		}
		t.Pass(spec.S_Q_01, "it waits for the longest part, whatever became of the others")
	})
	wantVerdicts(t, r, "S-Q-01 fail")
	if len(r.Events) != 0 {
		t.Error(r.Events[0].Note)
	}
}

// Each part has a random source of its own, and yet the same in each run.
func TestTogetherDrawsAlike(t *testing.T) {
	draw := func() (drawn [2]uint64) {
		judged(t, of(spec.S_Q_01), func(t *T) {
			t.Together(
				func(t *T) { drawn[0] = t.Rand.Uint64() },
				func(t *T) { t.Pause(time.Second); drawn[1] = t.Rand.Uint64() },
			)
			t.Pass(spec.S_Q_01, "drawn")
		})
		return drawn
	}
	one, two := draw(), draw()
	if one != two || one[0] == one[1] {
		t.Errorf("drew %v, then %v; want the same in each run, and different ones in each part", one, two)
	}
}

func TestForEach(t *testing.T) {
	var ran, lanes, most atomic.Int64
	r := judged(t, of(spec.S_Q_01), func(t *T) {
		t.ForEach(10, 4, func(t *T, i int) {
			ran.Add(1 << i)
			now := lanes.Add(1)
			most.Store(max(most.Load(), now))
			t.Pause(time.Second)
			lanes.Add(-1)
			t.Pass(spec.S_Q_01, "one of ten")
		})
	})
	wantVerdicts(t, r, "S-Q-01 pass")
	if ran.Load() != 1<<10-1 {
		t.Errorf("ran %b; want each of ten once", ran.Load())
	}
	if most.Load() != 4 || took(r) != 3*time.Second {
		t.Errorf("at most %d at a time, %v in all; want 4 and 3s", most.Load(), took(r))
	}
}

// Once one has failed no more begin: two hundred failures say no more than one.
func TestForEachStopsBehindAFail(t *testing.T) {
	var ran atomic.Int64
	r := judged(t, of(spec.S_Q_01), func(t *T) {
		t.ForEach(100, 2, func(t *T, i int) {
			ran.Add(1)
			t.Pause(time.Duration(i+1) * time.Second)
			if i == 2 {
				t.Fail(spec.S_Q_01, "one of many", "this", "that")
			}
		})
	})
	wantVerdicts(t, r, "S-Q-01 fail")
	if ran.Load() != 4 { // 0 and 1 first; then 2; then 3, which runs when 2 fails
		t.Errorf("%d ran; want no more to begin behind the fail", ran.Load())
	}
}
