package conformance

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

// inWindow judges when a came.
func (s *Session) inWindow(id spec.ID, why, expected string, a arrival, w Window) bool {
	return s.t.judgeInstant(s.who, id, why, expected, a.at, a.event, w)
}

// judge records that something else than expected came.
func (s *Session) judge(id spec.ID, why, expected, actual string, event int) {
	s.t.judge(Judgement{ID: id, Verdict: failed(id), Sentence: why, Expected: expected, Actual: s.who + ": " + actual, Event: event})
}

// nothing records that no answer came in time.
func (s *Session) nothing(id spec.ID, why, expected string) {
	s.late(id, why, expected, fmt.Sprintf("nothing within %s", span(AnswerTime)), AnswerTime)
}

// late records that something did not come in time; a suite that was itself as
// late as it had patience cannot tell.
func (s *Session) late(id spec.ID, why, expected, actual string, patience time.Duration) {
	s.lateAt(id, why, expected, actual, patience, s.t.lastEvent())
}

// lateAt is late where an event shows why.
func (s *Session) lateAt(id spec.ID, why, expected, actual string, patience time.Duration, event int) {
	j := Judgement{ID: id, Verdict: failed(id), Timing: true, Sentence: why, Expected: expected, Actual: s.who + ": " + actual, Event: event}
	if s.t.Noise() >= patience {
		j.Verdict, j.Timing, j.Doubt = Inconclusive, false, true
	}
	s.t.judge(j)
}

// notGranted is late for a grant: it says who was granted the lock instead, where
// somebody was.
func (s *Session) notGranted(id spec.ID, why, expected, actual string, patience time.Duration, due time.Time) {
	instead, event := s.promotedInstead(due)
	if event < 0 {
		event = s.t.lastEvent()
	}
	s.lateAt(id, why, expected, actual+instead, patience, event)
}

// early records that something came which must not have come yet. A lease that
// the suite itself let run out is its own fault.
func (s *Session) early(id spec.ID, why, expected string, a arrival) {
	if a.end != nil {
		s.surprised(id, why, expected, a)
		return
	}
	s.judge(id, why, expected, a.frame.String(), a.event)
}

// surprised records that the connection ended instead of what was expected.
func (s *Session) surprised(id spec.ID, why, expected string, a arrival) {
	switch {
	case isGarbage(a.end):
		s.judge(spec.S_FRM_04, "the server sends whole frames only", expected, a.end.Error(), a.event)
	case !s.holdsUntil(a.at):
		s.t.Doubt(id, why, expected, fmt.Sprintf("%s: %s; but the suite itself was late with its heartbeats", s.who, endText(a.end)))
	default:
		j := Judgement{ID: id, Verdict: failed(id), Sentence: why, Expected: expected, Actual: s.who + ": " + endText(a.end), Event: a.event}
		j.Timing = s.leaseMatters()
		s.t.judge(j)
	}
}

// mayBeFree reports whether another session of this scenario, which holds the lock
// that s asked for and was to keep it by its heartbeats, let its lease run out, or
// nearly so. One that is silent on purpose excuses nobody.
func (s *Session) mayBeFree() bool {
	s.t.mu.Lock()
	sessions := slices.Clone(s.t.sessions)
	s.t.mu.Unlock()
	now := time.Now()
	return slices.ContainsFunc(sessions, func(other *Session) bool {
		return other != s && other.holds(s.lock) && other.beats() && !other.holdsUntil(now)
	})
}

// isGarbage reports whether a connection ended, for the suite, because of bytes
// that are no frame.
func isGarbage(end error) bool {
	var cut *wire.TruncatedError
	var unknown *wire.UnknownTypeError
	return errors.As(end, &unknown) || errors.As(end, &cut) && !isReset(end)
}

func endText(end error) string {
	switch {
	case errors.Is(end, io.EOF) || errors.Is(end, io.ErrUnexpectedEOF):
		return "the server closed the connection (FIN)"
	case isReset(end):
		return "the server reset the connection (RST)"
	}
	return end.Error()
}

func codeList(codes []wire.Code) string {
	names := make([]string, len(codes))
	for i, c := range codes {
		names[i] = c.String()
	}
	return strings.Join(names, " or ")
}

// span shows a duration as people read it.
func span(d time.Duration) string { return d.Round(100 * time.Microsecond).String() }
