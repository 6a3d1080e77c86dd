package conformance

import (
	"slices"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

// takeNews takes the next frame that is no restatement, or the end. It reports
// false when nothing came until the instant.
func (s *Session) takeNews(until time.Time) (arrival, bool) {
	return s.await(until, true, func(a arrival) bool { return !a.restates })
}

// takeAny takes the next frame or the end.
func (s *Session) takeAny(until time.Time) (arrival, bool) {
	return s.await(until, true, func(arrival) bool { return true })
}

// peekNews is takeNews that leaves what it finds.
func (s *Session) peekNews(until time.Time) (arrival, bool) {
	return s.await(until, false, func(a arrival) bool { return !a.restates })
}

// await waits for the first arrival that fits, and drops those before it.
func (s *Session) await(until time.Time, take bool, fits func(arrival) bool) (arrival, bool) {
	timer := time.NewTimer(time.Until(until))
	defer timer.Stop()
	for {
		s.mu.Lock()
		a, found := s.first(take, fits)
		changed := s.changed
		s.mu.Unlock()
		if found {
			return a, true
		}
		select {
		case <-changed:
		case <-timer.C:
			s.mu.Lock()
			defer s.mu.Unlock()
			return s.first(take, fits)
		case <-s.t.ctx.Done():
			s.t.quit()
		}
	}
}

// first looks for a fitting arrival in the inbox. The end of a connection stays
// there for ever. The caller holds mu.
func (s *Session) first(take bool, fits func(arrival) bool) (arrival, bool) {
	i := slices.IndexFunc(s.inbox, func(a arrival) bool { return a.end != nil || fits(a) })
	if i < 0 {
		s.inbox = s.inbox[:0]
		return arrival{}, false
	}
	a := s.inbox[i]
	s.inbox = s.inbox[i:]
	if take {
		s.take(a)
	}
	return a, true
}

// take takes a, the first of the inbox. The caller holds mu.
func (s *Session) take(a arrival) {
	if a.end != nil {
		s.taken = true
		return
	}
	s.inbox = s.inbox[1:]
	if a.frame.Type == wire.TypeAcquired && s.seen != holding {
		s.token = a.frame.Token
	}
	s.seen = s.seen.after(a.frame)
}
