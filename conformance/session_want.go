package conformance

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

// WantWaiting takes the answer to ACQUIRE: WAITING.
func (s *Session) WantWaiting(id spec.ID, why string) bool {
	_, held := s.wantAnswer(id, why, "WAITING", func(f wire.Frame) bool { return f.Type == wire.TypeWaiting })
	return held
}

// WantAcquired takes the answer to ACQUIRE: ACQUIRED.
func (s *Session) WantAcquired(id spec.ID, why string) bool {
	_, held := s.wantAnswer(id, why, "ACQUIRED", func(f wire.Frame) bool { return f.Type == wire.TypeAcquired })
	return held
}

// WantAccepted takes the answer to ACQUIRE: ACQUIRED or WAITING.
func (s *Session) WantAccepted(id spec.ID, why string) bool {
	_, held := s.wantAnswer(id, why, "ACQUIRED or WAITING", func(f wire.Frame) bool { return f.Type != wire.TypeError })
	return held
}

// WantError takes an ERROR with one of the codes, and returns which. A close is
// no answer.
func (s *Session) WantError(id spec.ID, why string, codes ...wire.Code) (code wire.Code) {
	s.wantAnswer(id, why, "ERROR "+codeList(codes), func(f wire.Frame) bool {
		code = f.Code
		return f.Type == wire.TypeError && slices.Contains(codes, f.Code)
	})
	return code
}

// WantRefused takes an ERROR with one of the codes, and then the close that ends
// the session. It returns the code. A server that keeps connections is waited for
// once a scenario, and not for each of its cases.
func (s *Session) WantRefused(id spec.ID, why string, codes ...wire.Code) wire.Code {
	code := s.WantError(id, why, codes...)
	if !s.t.hasWarned(spec.S_ACQ_21) {
		s.WantEnd(spec.S_ACQ_21, "after an ERROR the server closes the connection", s.t.InAnswerTime())
	}
	return code
}

// WantEndOrError is WantEnd where an ERROR may come before the end.
func (s *Session) WantEndOrError(id spec.ID, why string, w Window) bool {
	if a, ok := s.peekNews(w.By.Add(latePatience)); ok && a.end == nil && a.frame.Type == wire.TypeError {
		s.takeNews(a.at)
	}
	return s.WantEnd(id, why, w)
}

// WantAnswered asks with a heartbeat and takes any frame for an answer: for
// experiments about whether the server answers, and not what.
func (s *Session) WantAnswered(id spec.ID, why string) bool {
	s.Heartbeat()
	a, ok := s.takeAny(s.t.InAnswerTime().By)
	switch {
	case !ok:
		s.nothing(id, why, "an answer")
	case a.end != nil:
		s.surprised(id, why, "an answer", a)
	default:
		s.t.Pass(id, why)
		return true
	}
	return false
}

// WantSilence proves that nothing at all comes before an instant.
func (s *Session) WantSilence(id spec.ID, why string, until time.Time) bool {
	a, ok := s.await(until, false, func(arrival) bool { return true })
	if ok && a.at.Before(until) {
		s.early(id, why, "no frame", a)
		return false
	}
	s.t.Pass(id, why)
	return true
}

// Ending says how the server ended the connection: FIN, RST, or "" when it did
// not yet.
func (s *Session) Ending() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.ended == nil:
		return ""
	case isReset(s.ended.end):
		return "RST"
	}
	return "FIN"
}

// WantAnswer takes the answer to a heartbeat: the session's state, and while it
// holds its token.
func (s *Session) WantAnswer(id spec.ID, why string) bool {
	s.mu.Lock()
	want := wire.WaitingFrame
	if s.seen == holding {
		want = wire.AcquiredFrame(s.token)
	}
	s.mu.Unlock()
	a, ok := s.takeAny(s.t.InAnswerTime().By)
	switch {
	case !ok:
		s.nothing(id, why, want.String())
	case a.end != nil:
		s.surprised(id, why, want.String(), a)
	case a.frame != want:
		s.judge(id, why, want.String(), a.frame.String(), a.event)
	default:
		s.t.Pass(id, why)
		return true
	}
	return false
}

// wantAnswer takes the next news, within the time of an answer, and returns it.
func (s *Session) wantAnswer(id spec.ID, why, expected string, fits func(wire.Frame) bool) (wire.Frame, bool) {
	a, ok := s.takeNews(s.t.InAnswerTime().By)
	switch {
	case !ok:
		s.nothing(id, why, expected)
	case a.end != nil:
		s.surprised(id, why, expected, a)
	case fits(a.frame):
		s.t.Pass(id, why)
		return a.frame, true
	case s.outside(a.frame):
		s.t.Unsupported(id, "the server's ACL refuses a name that does not begin with the lock prefix, as this case needs it")
		s.t.quit()
	case a.frame.Type == wire.TypeAcquired && s.mayBeFree():
		s.t.Doubt(id, why, expected, s.who+": "+a.frame.String()+"; but the lease of the suite's own holder may have run out")
	default:
		s.judge(id, why, expected, a.frame.String(), a.event)
	}
	return a.frame, false
}

// outside reports whether frame refuses a name because it cannot begin with the
// prefix that the user gave for an ACL.
func (s *Session) outside(frame wire.Frame) bool {
	return frame.Type == wire.TypeError && frame.Code == wire.CodeNotAuthorized && !strings.HasPrefix(s.lock, s.t.params.LockPrefix)
}

// WantGrant waits for the promotion, pushed within the window.
func (s *Session) WantGrant(id spec.ID, why string, w Window) bool {
	a, ok := s.takeNews(w.By.Add(latePatience))
	const expected = "ACQUIRED, pushed"
	switch {
	case !ok:
		s.notPromoted(id, why, expected, w)
	case a.end != nil && a.at.After(w.By): // the time for it was over already
		s.notGranted(id, why, expected, fmt.Sprintf("none within %s, and then %s", span(w.By.Sub(w.From)), endText(a.end)), a.at.Sub(w.By), w.due())
	case a.end != nil:
		s.surprised(id, why, expected, a)
	case a.frame.Type != wire.TypeAcquired:
		s.judge(id, why, expected, a.frame.String(), a.event)
	default:
		return s.inWindow(id, why, expected, a, w)
	}
	return false
}

// notPromoted finds out whose fault a missing promotion is. A server that
// answers the next heartbeat with ACQUIRED, and had nothing else to say, did
// promote and did not push.
func (s *Session) notPromoted(id spec.ID, why, expected string, w Window) {
	waited := fmt.Sprintf("no ACQUIRED for %s", span(time.Since(w.From)))
	s.Heartbeat()
	a, ok := s.takeAny(s.t.InAnswerTime().By)
	if ok && a.end == nil && a.frame.Type == wire.TypeAcquired && !s.answersOneMore() {
		s.judge(spec.S_Q_02, "a promotion is pushed", expected, waited+", and then one in answer to a heartbeat", a.event)
	}
	s.notGranted(id, why, expected, waited, latePatience, w.due())
}

// answersOneMore reports whether, of a promotion and the answer to a heartbeat,
// both came: then the promotion was pushed after all, if late.
func (s *Session) answersOneMore() bool {
	_, more := s.takeAny(time.Now().Add(pieceGap))
	return more
}

// WantEnd waits for the end of the connection by the server, FIN and RST alike,
// within the window.
func (s *Session) WantEnd(id spec.ID, why string, w Window) bool {
	a, ok := s.takeNews(w.By.Add(latePatience))
	const expected = "the connection closed by the server"
	switch {
	case !ok:
		s.late(id, why, expected, fmt.Sprintf("still open after %s", span(time.Since(w.From))), latePatience)
	case a.end == nil:
		s.judge(id, why, expected, a.frame.String(), a.event)
	case isGarbage(a.end):
		s.surprised(id, why, expected, a)
	default:
		return s.inWindow(id, why, expected, a, w)
	}
	return false
}

// WantNothingNew proves that the session is neither promoted nor dropped before
// an instant. What comes later stays for the next Want.
func (s *Session) WantNothingNew(id spec.ID, why string, until time.Time) bool {
	if a, ok := s.peekNews(until); ok && a.at.Before(until) {
		s.early(id, why, "the session stays as it is", a)
		return false
	}
	s.t.Pass(id, why)
	return true
}

// WantAlive asks with a heartbeat where the session stands, and takes the
// answer. It is the fence behind which nothing can hide: what came before it,
// a promotion or an end, is judged.
func (s *Session) WantAlive(id spec.ID, why string) bool {
	s.Heartbeat()
	return s.WantAnswer(id, why)
}
