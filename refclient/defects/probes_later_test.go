package defects

import (
	"strings"
	"testing"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

var probesOfLater = []probe{
	{
		what:  "silence in the retrying call",
		right: "ends after 3.2s; ends after 3.2s",
		wrong: "never-stops-in-the-retrying-call waits-for-ever-in-the-retrying-call",
		ask:   scenes(silentOn(1, acquiredFrame, "lost"), silentOn(1, waitingFrame, "closed")),
	},
	{
		what:  "silence on the second connection",
		right: "ends after 3.2s; ends after 3.2s",
		wrong: "never-stops-on-a-later-connection waits-for-ever-on-a-later-connection unanswered-heartbeat-stops-the-next-clock",
		ask:   scenes(silentOn(2, acquiredFrame, "lost"), silentOn(2, waitingFrame, "closed")),
	},
	{
		what:  "silence on the third connection",
		right: "ends after 3.2s; ends after 3.2s",
		wrong: "never-stops-on-the-third-connection waits-for-ever-on-the-third-connection",
		ask:   scenes(silentOn(3, acquiredFrame, "lost"), silentOn(3, waitingFrame, "closed")),
	},
	{
		what:  "a loss in the retrying call",
		right: "told, ends; told, ends; told, ends",
		wrong: `silent-reacquisition-after-a-fin silent-reacquisition-after-a-timeout silent-reacquisition-after-a-shutdown
			fin-not-told-in-the-retrying-call timeout-not-told-in-the-retrying-call shutdown-not-told-in-the-retrying-call`,
		ask: scenes(
			lostInRetry((*peer).fin),
			lostInRetry(func(*peer) {}), // silence
			lostInRetry(func(p *peer) { p.refuse(wire.CodeShuttingDown, "") }),
		),
	},
	{
		what:  "the claim's end and the connection's",
		right: "3200 closed, 3200 lost",
		wrong: "closes-first-and-tells-later",
		ask: scene(once, func(s *stage) string {
			s.open(acquiredFrame)
			s.until(4000)
			return s.told("lost", "closed")
		}),
	},
	{
		what:  "cancelled between two attempts",
		right: "10 result cancelled",
		wrong: "cancel-ignored-between-attempts",
		ask: scene(retry, func(s *stage) string {
			s.open().refuse(wire.CodeClosedByAdmin, "")
			s.until(10)
			s.say("cancel")
			s.until(1000)
			return s.told("result")
		}),
	},
	{
		what:  "a loss after a cancellation",
		right: "lost; lost",
		wrong: "loss-after-a-cancellation-not-told never-stops-after-a-cancellation",
		ask:   scenes(lostAfterCancel((*peer).fin), lostAfterCancel(func(*peer) {})),
	},
	{
		what:  "client errors elsewhere",
		right: "stop; stop; stop; stop",
		wrong: `retries-client-errors-on-a-later-connection retries-client-errors-in-the-queue
			retries-client-errors-in-the-queue-of-a-later-connection retries-client-errors-while-holding`,
		ask: scenes(
			scene(retry, func(s *stage) string { s.open().refuse(wire.CodeShuttingDown, ""); return again(s, 0x18, "") }),
			scene(retry, func(s *stage) string { return againAfter(s, waitingFrame) }),
			scene(retry, func(s *stage) string {
				s.open().refuse(wire.CodeShuttingDown, "")
				return againAfter(s, waitingFrame)
			}),
			scene(retry, func(s *stage) string { return againAfter(s, acquiredFrame) }),
		),
	},
}

// againAfter answers an ACQUIRE, refuses the session behind it, and tells whether
// another attempt comes once the work has returned, where it has begun.
func againAfter(s *stage, answer wire.Frame) string {
	p := s.open(answer)
	p.refuse(0x18, "")
	s.say("release")
	if s.accept() != nil {
		return "again"
	}
	return "stop"
}

// lostAfterCancel cancels a holder, takes its lock away, and tells whether its work
// heard of that.
func lostAfterCancel(lose func(p *peer)) func(*testing.T, func(config) client) string {
	return scene(once, func(s *stage) string {
		p := s.open(acquiredFrame)
		s.say("cancel")
		s.until(100)
		lose(p)
		s.until(4000)
		if !strings.Contains(s.told("lost"), "lost") {
			return "untold"
		}
		return "lost"
	})
}

// lostInRetry takes the lock away from a holder whose work returns later, and tells
// whether the work heard of it and whether the client asked again.
func lostInRetry(lose func(p *peer)) func(*testing.T, func(config) client) string {
	return scene(retry, func(s *stage) string {
		p := s.open(acquiredFrame)
		s.until(100)
		lose(p)
		s.until(4000)
		told, after := "untold", "ends"
		if strings.Contains(s.told("lost"), "lost") {
			told = "told"
			s.say("release")
		}
		if s.accept() != nil {
			after = "asks again"
		}
		return told + ", " + after
	})
}

// silentOn lets the client wait on connections before the n-th, each of which ends
// with a heartbeat unanswered, answers the n-th with one frame, and tells when the
// client ended what that began.
func silentOn(n int, frame wire.Frame, end string) func(*testing.T, func(config) client) string {
	return scene(retry, func(s *stage) string {
		for range n - 1 {
			p := s.open(waitingFrame)
			time.Sleep(1100 * time.Millisecond)
			p.refuse(wire.CodeShuttingDown, "")
		}
		s.open(frame)
		opened, before := time.Now(), s.told(end)
		for range 50 {
			time.Sleep(100 * time.Millisecond)
			if strings.Count(s.told(end), end) > strings.Count(before, end) {
				return "ends after " + time.Since(opened).String()
			}
		}
		return "goes on"
	})
}
