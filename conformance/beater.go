package conformance

import (
	"fmt"
	"sync/atomic"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/spec"
)

// beater sends a session's heartbeats, at a steady interval from send to send.
type beater struct {
	sent, answered atomic.Int64
	stop           chan struct{}
	stopped        chan struct{}
}

// startBeating starts the heartbeats; interval -1 is a quarter of the lease.
func (s *Session) startBeating(interval time.Duration) {
	if interval < 0 {
		interval = s.lease / 4
	}
	b := &beater{stop: make(chan struct{}), stopped: make(chan struct{})}
	s.mu.Lock()
	s.beater = b
	s.mu.Unlock()
	s.t.background(func() {
		defer close(b.stopped)
		s.beat(b, interval)
	})
}

func (s *Session) beat(b *beater, interval time.Duration) {
	next := s.Last().Before.Add(interval)
	timer := time.NewTimer(time.Until(next))
	defer timer.Stop()
	for {
		select {
		case <-b.stop:
			return
		case <-s.t.ctx.Done():
			return
		case <-timer.C:
		}
		if s.over() {
			return
		}
		b.sent.Add(1)
		next = s.Heartbeat().Before.Add(interval)
		timer.Reset(time.Until(next))
	}
}

// WantBeatsAnswered ends the heartbeats and proves that each was answered.
func (s *Session) WantBeatsAnswered(id spec.ID, why string) bool {
	s.mu.Lock()
	b := s.beater
	s.mu.Unlock()
	close(b.stop)
	<-b.stopped
	s.awaitAnswers(b, s.t.InAnswerTime().By)
	s.mu.Lock()
	s.beater = nil
	s.mu.Unlock()
	if answered, sent := b.answered.Load(), b.sent.Load(); answered < sent {
		s.t.Late(id, why, fmt.Sprintf("%d heartbeats answered", sent), fmt.Sprintf("%s: %d were", s.who, answered))
		return false
	}
	s.t.Pass(id, why)
	return true
}

// awaitAnswers waits until every heartbeat is answered, or the session or the time
// is over.
func (s *Session) awaitAnswers(b *beater, until time.Time) {
	timer := time.NewTimer(time.Until(until))
	defer timer.Stop()
	for {
		s.mu.Lock()
		changed := s.changed
		s.mu.Unlock()
		if b.answered.Load() >= b.sent.Load() || s.over() {
			return
		}
		select {
		case <-changed:
		case <-timer.C:
			return
		case <-s.t.ctx.Done():
			s.t.quit()
		}
	}
}

// beats reports whether the session sends heartbeats by itself.
func (s *Session) beats() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.beater != nil
}

// over reports whether the session has ended on either side.
func (s *Session) over() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.closed || s.ended != nil
}

// StopHeartbeats makes the session silent and returns when it last spoke.
func (s *Session) StopHeartbeats() Stamp {
	s.stopBeating()
	return s.Last()
}

func (s *Session) stopBeating() {
	s.mu.Lock()
	b := s.beater
	s.beater = nil
	s.mu.Unlock()
	if b != nil {
		close(b.stop)
		<-b.stopped
	}
}
