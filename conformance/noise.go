package conformance

import (
	"context"
	"slices"
	"sync"
	"time"
)

// Noise is the suite's own delay: how late its goroutines were woken.
type Noise struct {
	P50, P99, Max time.Duration
}

// canary measures the suite's own scheduling delay while it runs: it sleeps
// for a short while, again and again, and notes by how much each sleep was too
// long. A nil canary measures nothing, as in virtual time, where nothing is late.
type canary struct {
	mu      sync.Mutex
	late    []time.Duration // one a tick
	worst   []delay         // those worth remembering, in order of time
	due     time.Time       // when the canary has to be awake again
	stopped chan struct{}
}

// delay is one late awakening.
type delay struct {
	at   time.Time
	late time.Duration
}

const (
	canaryTick = 2 * time.Millisecond
	// worthRemembering keeps the list short: less than this decides nothing.
	worthRemembering = 200 * time.Microsecond
)

// startCanary starts a canary that lives until ctx ends; see wait.
func startCanary(ctx context.Context) *canary {
	c := &canary{stopped: make(chan struct{})}
	go func() {
		defer close(c.stopped)
		c.sing(ctx)
	}()
	return c
}

func (c *canary) sing(ctx context.Context) {
	timer := time.NewTimer(canaryTick)
	defer timer.Stop()
	for {
		asleep := time.Now()
		c.sleepsUntil(asleep.Add(canaryTick))
		timer.Reset(canaryTick)
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
			now := time.Now()
			c.note(now, now.Sub(asleep)-canaryTick)
		}
	}
}

func (c *canary) sleepsUntil(due time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.due = due
}

func (c *canary) note(at time.Time, late time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.late = append(c.late, late)
	if late >= worthRemembering {
		c.worst = append(c.worst, delay{at, late})
	}
}

// wait blocks until the canary's goroutine has ended.
func (c *canary) wait() {
	if c != nil {
		<-c.stopped
	}
}

// since returns the longest delay that reached into the time after from. One that
// lasts counts: whoever asks may be awake before the canary.
func (c *canary) since(from time.Time) time.Duration {
	if c == nil {
		return 0
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	longest := time.Duration(0)
	if !c.due.IsZero() {
		longest = max(longest, time.Since(c.due))
	}
	for i := len(c.worst) - 1; i >= 0 && c.worst[i].at.After(from); i-- {
		longest = max(longest, c.worst[i].late)
	}
	return longest
}

// summary returns the quantiles of all delays so far.
func (c *canary) summary() Noise {
	if c == nil {
		return Noise{}
	}
	c.mu.Lock()
	sorted := slices.Sorted(slices.Values(c.late))
	c.mu.Unlock()
	if len(sorted) == 0 {
		return Noise{}
	}
	at := func(share float64) time.Duration { return sorted[int(share*float64(len(sorted)-1))] }
	return Noise{P50: at(0.5), P99: at(0.99), Max: sorted[len(sorted)-1]}
}
