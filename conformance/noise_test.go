package conformance

import (
	"context"
	"testing"
	"time"
)

var noon = time.Date(2000, 1, 1, 12, 0, 0, 0, time.UTC)

func TestCanarySince(t *testing.T) {
	c := &canary{}
	c.note(noon, 5*time.Millisecond)
	c.note(noon.Add(time.Second), worthRemembering-tick) // too short to decide anything
	c.note(noon.Add(2*time.Second), 3*time.Millisecond)
	c.note(noon.Add(3*time.Second), 4*time.Millisecond)
	for _, test := range []struct {
		from time.Duration
		want time.Duration
	}{
		{-time.Second, 5 * time.Millisecond},
		{0, 4 * time.Millisecond}, // what was over by then does not reach into the time after
		{2500 * time.Millisecond, 4 * time.Millisecond},
		{3 * time.Second, 0},
		{time.Hour, 0},
	} {
		if got := c.since(noon.Add(test.from)); got != test.want {
			t.Errorf("since %v the longest delay is %v; want %v", test.from, got, test.want)
		}
	}
}

func TestCanarySummary(t *testing.T) {
	c := &canary{}
	if got := c.summary(); got != (Noise{}) {
		t.Errorf("nothing measured gives %v", got)
	}
	for i := range 101 {
		c.note(noon, time.Duration(100-i)*time.Millisecond)
	}
	want := Noise{P50: 50 * time.Millisecond, P99: 99 * time.Millisecond, Max: 100 * time.Millisecond}
	if got := c.summary(); got != want {
		t.Errorf("summary %v; want %v", got, want)
	}
}

// In virtual time there is no canary, and nothing is late.
func TestNoCanary(t *testing.T) {
	var c *canary
	c.wait()
	if c.since(noon) != 0 || c.summary() != (Noise{}) {
		t.Error("nobody measured, and yet there is noise")
	}
}

// A canary ends with its context; a bubble would tell of one that sings on.
// Where all goroutines are woken on time it measures nothing.
func TestCanaryEnds(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		c := startCanary(ctx)
		time.Sleep(time.Second + tick)
		cancel()
		c.wait()
		if got := c.summary(); got != (Noise{}) {
			t.Errorf("noise %v; want none", got)
		}
		if got, want := len(c.late), int(time.Second/canaryTick); got != want {
			t.Errorf("measured %d times in a second; want %d", got, want)
		}
	})
}

// Whoever judges may be awake before the canary: a delay that still lasts counts.
func TestADelayThatLastsCounts(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		c := &canary{}
		c.sleepsUntil(time.Now().Add(canaryTick))
		if got := c.since(time.Now()); got != 0 {
			t.Errorf("before it is due it is late by %v", got)
		}
		time.Sleep(canaryTick + 50*time.Millisecond)
		if got, want := c.since(time.Now()), 50*time.Millisecond; got != want {
			t.Errorf("overdue by %v; want %v", got, want)
		}
	})
}
