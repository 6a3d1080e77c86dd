package conformance

import (
	"sync"
	"time"
)

// Lateness is by how much whatever came since an instant may have come too late
// for a reason that is not the subject's: what the suite itself was late, and how
// long a client's process waited for a processor meanwhile. A time missed by no
// more is a doubt.
func (t *T) Lateness(from time.Time) time.Duration { return t.LatenessUntil(from, time.Now()) }

// LatenessUntil is the lateness of what came between two instants.
func (t *T) LatenessUntil(from, to time.Time) time.Duration { return t.Noise() + t.waited(from, to) }

// waited is how long at most one of the part's client processes waited for a
// processor between two instants.
func (t *T) waited(from, to time.Time) time.Duration {
	t.mu.Lock()
	claims := append([]*Claim(nil), t.claims...)
	t.mu.Unlock()
	longest := time.Duration(0)
	for _, c := range claims {
		if c.t.part == t.part {
			c.waits.note(time.Now(), c.running.Waits())
			longest = max(longest, c.waits.between(from, to))
		}
	}
	return longest
}

// starved is how long at most one of the attempt's client processes waited for a
// processor, in all, since its hello.
func (a *attempt) starved() time.Duration {
	longest := time.Duration(0)
	for _, c := range a.claims {
		if !c.helloAt.IsZero() {
			longest = max(longest, c.waits.between(c.helloAt, time.Now()))
		}
	}
	return longest
}

// waitsTick is how often a process is asked. A wait that was over so long before
// counts as well, or that began so long after.
const waitsTick = 50 * time.Millisecond

// waitMeter keeps how long the threads of a process waited for a processor.
// The zero value is ready for use.
type waitMeter struct {
	mu      sync.Mutex
	threads map[int]time.Duration // what each had waited when it was last seen
	total   time.Duration
	samples []waitSample // in order of time
}

// waitSample is how long a process had waited by then, all threads together.
type waitSample struct {
	at    time.Time
	total time.Duration
}

// note takes what each thread has waited by now. Threads end and take their count
// with them, so only what grows is added.
func (m *waitMeter) note(at time.Time, threads map[int]time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.threads == nil {
		m.threads = map[int]time.Duration{}
	}
	for thread, waited := range threads {
		if grown := waited - m.threads[thread]; grown > 0 {
			m.total += grown
			m.threads[thread] = waited
		}
	}
	m.samples = append(m.samples, waitSample{at, m.total})
}

// between returns how long the process waited from the last sample before an
// instant to the first after another.
func (m *waitMeter) between(from, to time.Time) time.Duration {
	m.mu.Lock()
	defer m.mu.Unlock()
	before, after := time.Duration(0), m.total
	for _, s := range m.samples {
		if !s.at.After(from) {
			before = s.total
		}
		if !s.at.Before(to) {
			after = s.total
			break
		}
	}
	return after - before
}

// meter samples the claim's process until it ends or the attempt does.
func (c *Claim) meter() {
	tick := time.NewTicker(waitsTick)
	defer tick.Stop()
	for {
		c.waits.note(time.Now(), c.running.Waits())
		select {
		case <-c.t.ctx.Done():
			return
		case <-c.running.Exited():
			return
		case <-tick.C:
		}
	}
}
