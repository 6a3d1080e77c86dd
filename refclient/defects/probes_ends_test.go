package defects

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

var probesOfRetries = []probe{
	{
		what:  "two shutdowns",
		right: "0, 0",
		wrong: "no-retry slow-after-a-shutdown asks-again-on-the-old-connection",
		ask:   scene(retry, func(s *stage) string { return strings.Join(pauses(s, wire.CodeShuttingDown, 2), ", ") }),
	},
	{
		what:  "refused by the administrator",
		right: "asks again after a while",
		wrong: "no-retry hot-retry",
		ask: scene(retry, func(s *stage) string {
			ms := -1
			_, _ = fmt.Sscan(pauses(s, wire.CodeClosedByAdmin, 1)[0], &ms)
			if ms < 20 {
				return fmt.Sprint("asks again after ", ms)
			}
			return "asks again after a while"
		}),
	},
	{
		what:  "nobody listens for a second",
		right: "seldom",
		wrong: "hot-redial redials-every-8-ms",
		ask: scene(retry, func(s *stage) string {
			p := s.accept()
			_ = s.l.Close()
			p.reset()
			s.until(1000)
			if n := strings.Count(s.told("refused"), "refused"); n > 10 {
				return fmt.Sprint(n, " times")
			}
			return "seldom"
		}),
	},
	{
		what:  "six pauses",
		right: "growing",
		wrong: "backoff-shrinks backoff-never-grows backoff-reset-by-a-connect",
		ask: scene(retry, func(s *stage) string {
			var ms [6]int
			for i, p := range pauses(s, wire.CodeClosedByAdmin, len(ms)) {
				_, _ = fmt.Sscan(p, &ms[i])
			}
			if ms[3]+ms[4]+ms[5] <= ms[0]+ms[1]+ms[2] {
				return fmt.Sprint(ms)
			}
			return "growing"
		}),
	},
	{
		what:  "which codes are asked again after",
		right: "0 again, 1 again, 2 again, 3 again, 15 again, 16 stop, 21 stop, 25 stop, 127 stop, 128 stop, 255 stop",
		wrong: "retries-known-codes-only stops-at-known-codes-only code-signed retries-client-errors",
		ask: func(t *testing.T, make func(config) client) string {
			var said []string
			for _, code := range []wire.Code{0, 1, 2, 3, 15, 16, 21, 25, 127, 128, 255} {
				said = append(said, fmt.Sprint(int(code), " ", scene(retry, func(s *stage) string { return again(s, code, code.Text()) })(t, make)))
			}
			return strings.Join(said, ", ")
		},
	},
	{
		what:  "reasons that lie",
		right: "stop; again",
		wrong: "reason-decides",
		ask: scenes(
			scene(retry, func(s *stage) string { return again(s, wire.CodeNotAuthorized, "server shutting down") }),
			scene(retry, func(s *stage) string { return again(s, wire.CodeClosedByAdmin, "lock name too long") }),
		),
	},
	{
		what:  "what one attempt says of a refusal",
		right: "0 result stop 21",
		wrong: "code-not-reported always-advises-a-retry",
		ask: scene(once, func(s *stage) string {
			s.open().refuse(wire.CodeNameTooLong, "")
			return s.told("result")
		}),
	},
	{
		what:  "a lost place in the queue",
		right: "a new connection, asked 2 times",
		wrong: "never-connects-anew",
		ask: scene(retry, func(s *stage) string {
			s.open(waitingFrame).fin()
			if s.accept() == nil {
				return "no new connection"
			}
			return fmt.Sprint("a new connection, asked ", strings.Count(s.told("ACQUIRE"), "ACQUIRE"), " times")
		}),
	},
}

// pauses refuses count times, and tells how long after each the next connection
// came, in milliseconds.
func pauses(s *stage, code wire.Code, count int) []string {
	var list []string
	p := s.accept()
	for range count {
		p.refuse(code, code.Text())
		refused := time.Now()
		p = s.accept()
		if p == nil {
			return append(list, "never")
		}
		list = append(list, fmt.Sprint(time.Since(refused).Milliseconds()))
	}
	return list
}

// again refuses once and tells whether another attempt comes.
func again(s *stage, code wire.Code, reason string) string {
	s.open().refuse(code, reason)
	if s.accept() != nil {
		return "again"
	}
	return "stop"
}

var probesOfEnds = []probe{
	{
		what:  "an ERROR while holding",
		right: "0 granted 7, 100 closed, 100 lost",
		wrong: "error-while-holding-ignored error-while-holding-goes-by-its-class error-while-holding-not-told loss-not-told",
		ask:   lostBy(func(p *peer) { p.send(wire.ErrorFrame(0x19, "")) }),
	},
	{
		what:  "an unknown byte while holding",
		right: "0 granted 7, 100 closed, 100 lost",
		wrong: "unknown-type-ignored unknown-type-not-closed unknown-type-not-told",
		ask:   lostBy(func(p *peer) { p.sendBytes(0x7f) }),
	},
	{
		what:  "a FIN while holding",
		right: "0 granted 7, 100 closed, 100 lost",
		wrong: "end-of-stream-ignored loss-not-told silent-reacquisition",
		ask:   lostBy((*peer).fin),
	},
	{
		what:  "a reset while holding",
		right: "0 granted 7, 100 lost",
		wrong: "reset-ignored failed-write-ignored",
		ask: scene(once, func(s *stage) string {
			p := s.open(acquiredFrame)
			s.until(100)
			p.reset()
			s.until(900)
			return s.told("granted", "lost")
		}),
	},
	{
		what:  "writes that fail",
		right: "lost within an interval and a half",
		wrong: "failed-write-ignored",
		ask: scene(once, func(s *stage) string {
			s.open(acquiredFrame).reset()
			s.until(2500)
			if !strings.Contains(s.told("lost"), "lost") {
				return "not lost"
			}
			return "lost within an interval and a half"
		}),
	},
	{
		what:  "WAITING while holding",
		right: "0 granted 7, 100 closed, 100 lost",
		wrong: "waiting-behind-acquired-ignored waiting-behind-acquired-not-closed",
		ask:   lostBy(func(p *peer) { p.send(waitingFrame) }),
	},
	{
		what:  "another token while holding",
		right: "0 granted 7, 100 closed, 100 lost",
		wrong: "other-token-accepted",
		ask:   lostBy(func(p *peer) { p.send(wire.AcquiredFrame(8)) }),
	},
	{
		what:  "a loss right behind the grant",
		right: "0 closed, 0 granted 7, 0 lost",
		wrong: "loss-behind-the-grant-missed",
		ask: scene(once, func(s *stage) string {
			s.open(acquiredFrame, wire.ErrorFrame(2, ""))
			return s.told("granted", "lost", "closed")
		}),
	},
	{
		what:  "the same loss, a moment later",
		right: "0 granted 7, 100 closed, 100 lost",
		wrong: "loss-not-told",
		ask:   lostBy(func(p *peer) { p.send(wire.ErrorFrame(2, "")) }),
	},
	{
		what:  "the release",
		right: "100 closed, 100 finished, 100 result ok",
		wrong: `release-without-close closes-slowly release-by-a-message last-heartbeat-before-the-close
			heartbeats-after-the-release`,
		ask: ended("release"),
	},
	{
		what:  "the release while a heartbeat is unanswered",
		right: "1100 closed, 1100 finished, 1100 result ok",
		wrong: "release-waits-for-an-answer",
		ask: scene(once, func(s *stage) string {
			s.open(acquiredFrame)
			s.until(1100)
			s.say("release")
			s.until(4000)
			return s.told("closed", "finished", "result")
		}),
	},
	{
		what:  "work that fails",
		right: "100 closed, 100 finished, 100 result failed",
		wrong: "failed-work-does-not-release",
		ask:   ended("fail"),
	},
	{
		what:  "cancelled in the queue",
		right: "100 closed, 100 result cancelled",
		wrong: "cancel-ignored-in-the-queue",
		ask: scene(once, func(s *stage) string {
			s.open(waitingFrame)
			s.until(100)
			s.say("cancel")
			s.until(500)
			return s.told("granted", "closed", "result")
		}),
	},
	{
		what:  "cancelled while holding",
		right: "0 granted 7, 1000 HEARTBEAT, 2000 HEARTBEAT",
		wrong: "cancel-closes cancel-is-a-loss cancel-stops-the-heartbeats",
		ask: scene(once, func(s *stage) string {
			s.open(acquiredFrame).answering(0, acquiredFrame)
			s.until(100)
			s.say("cancel")
			s.until(2500)
			return s.told("granted", "HEARTBEAT", "lost", "closed")
		}),
	},
}

// lostBy holds, and loses at 100 ms.
func lostBy(lose func(p *peer)) func(*testing.T, func(config) client) string {
	return scene(once, func(s *stage) string {
		p := s.open(acquiredFrame)
		s.until(100)
		lose(p)
		s.until(500)
		return s.told("granted", "lost", "closed")
	})
}

// ended says a word at 100 ms and watches for five seconds.
func ended(word string) func(*testing.T, func(config) client) string {
	return scene(once, func(s *stage) string {
		s.open(acquiredFrame)
		s.until(100)
		s.say(word)
		s.until(5000)
		return s.told("03", "HEARTBEAT", "finished", "closed", "result")
	})
}
