package conformance

import (
	"fmt"
	"slices"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

// These take what comes without a judgement, or with one that allows more than
// one outcome. They serve experiments whose requirement is told elsewhere.

// NextFrame takes the next frame within the time of an answer. It reports false
// when the connection ended or nothing came.
func (s *Session) NextFrame() (wire.Frame, bool) {
	a, ok := s.takeAny(s.t.InAnswerTime().By)
	return a.frame, ok && a.end == nil
}

// FrameBy takes the next frame that is news, and tells when it came. It reports
// false when the connection ended or nothing came by the instant.
func (s *Session) FrameBy(by time.Time) (wire.Frame, time.Time, bool) {
	a, ok := s.takeNews(by)
	return a.frame, a.at, ok && a.end == nil && !a.at.After(by)
}

// FirstAnswer describes what a first message was answered with, the end of the
// connection and silence included.
func (s *Session) FirstAnswer() string {
	a, ok := s.takeAny(s.t.InAnswerTime().By)
	switch {
	case !ok:
		return "no answer"
	case a.end != nil:
		return endText(a.end)
	}
	return a.frame.String()
}

// Granted takes the answer to ACQUIRE where an end is no fault, but an ERROR with the
// code fault is.
func (s *Session) Granted(id spec.ID, why string, fault wire.Code) bool {
	a, ok := s.takeNews(s.t.InAnswerTime().By)
	switch {
	case !ok || a.end != nil:
		return false
	case a.frame.Type == wire.TypeError && a.frame.Code == fault:
		s.judge(id, why, "no ERROR "+fault.String(), a.frame.String(), a.event)
	}
	return a.frame.Type == wire.TypeAcquired
}

// Settle takes the answer to an ACQUIRE for a lock that was just given back:
// ACQUIRED, or WAITING and then the promotion, for the server may read the new
// ACQUIRE before the old connection's end.
func (s *Session) Settle(id spec.ID, why string) {
	first, _ := s.wantAnswer(spec.S_ACQ_01, "a lock that was given back is granted", "ACQUIRED or WAITING",
		func(f wire.Frame) bool { return f.Type != wire.TypeError })
	if first.Type == wire.TypeWaiting {
		s.WantGrant(id, why, s.t.InAnswerTime())
	}
}

// SkipPromotion takes a promotion, if the next news is one.
func (s *Session) SkipPromotion() {
	a, ok := s.peekNews(s.t.InAnswerTime().By)
	if ok && a.end == nil && a.frame.Type == wire.TypeAcquired {
		s.takeNews(a.at)
	}
}

// Drain drops what came so far.
func (s *Session) Drain() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.inbox = slices.DeleteFunc(s.inbox, func(a arrival) bool { return a.end == nil })
}

// Reason returns the reason of the last ERROR, as it came.
func (s *Session) Reason() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.reason
}

// TryAcquire opens a session for a fresh lock and takes the grant. What goes
// wrong is an error and no judgement, so that one of many can be counted.
func (t *T) TryAcquire(lock string) (*Session, error) {
	s, err := t.TryConnect()
	if err != nil {
		return nil, err
	}
	s.Ask(lock, patientLease)
	a, ok := s.takeNews(t.InAnswerTime().By)
	switch {
	case !ok:
		return s, fmt.Errorf("%s: no answer to ACQUIRE within %v", s.who, AnswerTime)
	case a.end != nil:
		return s, fmt.Errorf("%s: %s", s.who, endText(a.end))
	case a.frame.Type != wire.TypeAcquired:
		return s, fmt.Errorf("%s: %v", s.who, a.frame)
	}
	return s, nil
}

// Expendable says that the server may end this session from now on.
func (s *Session) Expendable() { s.hostile = true }

// WantPlace takes the answer to ACQUIRE, and tells whether it was the grant and
// when it came.
func (s *Session) WantPlace(id spec.ID, why string) (granted bool, at time.Time) {
	a, ok := s.takeNews(s.t.InAnswerTime().By)
	const expected = "ACQUIRED or WAITING"
	switch {
	case !ok:
		s.nothing(id, why, expected)
	case a.end != nil:
		s.surprised(id, why, expected, a)
	case a.frame.Type == wire.TypeError:
		s.judge(id, why, expected, a.frame.String(), a.event)
	}
	return a.frame.Type == wire.TypeAcquired, a.at
}

// WantTurn waits for a promotion that may take its time, and tells when it came.
func (s *Session) WantTurn(id spec.ID, why string, patience time.Duration) time.Time {
	a, ok := s.takeNews(time.Now().Add(patience))
	const expected = "ACQUIRED, pushed"
	switch {
	case !ok && s.t.hasFailed():
		s.t.quit() // whatever failed before explains it
	case !ok:
		s.late(id, why, expected, "none within "+span(patience), patience)
	case a.end != nil:
		s.surprised(spec.S_HB_06, "a session that is not silent for its lease goes on", expected, a)
	case a.frame.Type != wire.TypeAcquired:
		s.judge(id, why, expected, a.frame.String(), a.event)
	}
	return a.at
}
