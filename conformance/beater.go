package conformance

import "time"

// beater sends a session's heartbeats, at a steady interval from send to send.
type beater struct {
	stop    chan struct{}
	stopped chan struct{}
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
	s.t.workers.Add(1)
	go func() {
		defer s.t.workers.Done()
		defer close(b.stopped)
		s.beat(b, interval)
	}()
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
		next = s.Heartbeat().Before.Add(interval)
		timer.Reset(time.Until(next))
	}
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
