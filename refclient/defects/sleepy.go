package defects

import (
	"sync"
	"time"

	"github.com/monolock-dev/monolock-conform/refclient"
)

// A sleepyClock looks at the time every step while a timer of it runs. A look that
// comes later than latest after it was due has slept through the rest.
const (
	step   = 20 * time.Millisecond
	latest = 100 * time.Millisecond
)

// sleepyClock is a clock that counts only the time for which the process ran.
type sleepyClock struct {
	mu    sync.Mutex // never held across I/O
	slept time.Duration
	due   time.Time // when the next look is due; zero while no timer runs
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

// expect notes when the next look is due.
func (c *sleepyClock) expect(at time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.due = at
}

// NewTimer returns a timer that counts by this clock.
func (c *sleepyClock) NewTimer(d time.Duration) refclient.Timer {
	s := &sleepyTimer{clock: c, c: make(chan time.Time, 1)}
	s.Reset(d)
	return s
}

// sleepyTimer waits in steps, so that a stop of the process shows at the next one.
type sleepyTimer struct {
	clock *sleepyClock
	c     chan time.Time

	mu     sync.Mutex
	target time.Time // by the clock
	look   *time.Timer
	set    int // counts Reset and Stop, so that a look of an earlier setting does nothing
}

// C returns the channel on which it rings.
func (s *sleepyTimer) C() <-chan time.Time { return s.c }

// Stop ends it.
func (s *sleepyTimer) Stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.set++
	if s.look != nil {
		s.look.Stop()
	}
	s.clock.expect(time.Time{})
}

// Reset sets it to ring after d; no value of an earlier setting arrives afterwards.
func (s *sleepyTimer) Reset(d time.Duration) {
	s.Stop()
	s.mu.Lock()
	defer s.mu.Unlock()
	select {
	case <-s.c:
	default:
	}
	s.target = s.clock.Now().Add(max(d, 0))
	s.wait(s.set)
}

// wait arms the next look. The caller holds mu.
func (s *sleepyTimer) wait(set int) {
	left := min(step, s.target.Sub(s.clock.Now()))
	s.clock.expect(time.Now().Add(left))
	s.look = time.AfterFunc(left, func() { s.tick(set) })
}

func (s *sleepyTimer) tick(set int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if set != s.set {
		return
	}
	if now := s.clock.Now(); now.Before(s.target) {
		s.wait(set)
		return
	}
	s.clock.expect(time.Time{})
	select {
	case s.c <- time.Now():
	default:
	}
}
