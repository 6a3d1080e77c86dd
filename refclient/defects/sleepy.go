package defects

import (
	"sync"
	"time"

	"github.com/monolock-dev/monolock-conform/refclient"
)

// latest is how late a timer may ring before a sleepyClock takes the rest for a
// jump of the clock.
const latest = 100 * time.Millisecond

// sleepyClock is a clock that counts only the time for which the process ran. It
// sees a stop by its own timers: one that rings far too late has slept.
type sleepyClock struct {
	mu    sync.Mutex // never held across I/O
	slept time.Duration
	due   time.Time // when the timer that was set last should ring
}

// Now returns the time, less what was slept through.
func (c *sleepyClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Now()
	if late := now.Sub(c.due); !c.due.IsZero() && late > latest {
		c.slept += late
		c.due = now
	}
	return now.Add(-c.slept)
}

// NewTimer returns a timer whose lateness counts as sleep.
func (c *sleepyClock) NewTimer(d time.Duration) refclient.Timer {
	c.expect(d)
	return &sleepyTimer{c, time.NewTimer(d)}
}

func (c *sleepyClock) expect(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.due = time.Now().Add(max(d, 0))
}

type sleepyTimer struct {
	clock *sleepyClock
	t     *time.Timer
}

func (s *sleepyTimer) C() <-chan time.Time { return s.t.C }
func (s *sleepyTimer) Stop()               { s.t.Stop() }

func (s *sleepyTimer) Reset(d time.Duration) {
	s.clock.expect(d)
	s.t.Reset(d)
}
