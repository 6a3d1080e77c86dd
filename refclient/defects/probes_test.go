package defects

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

// probe plays a scene with a client and tells what came of it.
type probe struct {
	what  string
	right string // the standard client's story
	wrong string // the defects that have another
	ask   func(t *testing.T, make func(config) client) string
}

// scene is a probe's play of one stage.
func scene(env map[string]string, play func(s *stage) string) func(*testing.T, func(config) client) string {
	return func(t *testing.T, make func(config) client) (story string) {
		onStage(t, make, env, func(s *stage) { story = play(s) })
		return story
	}
}

// scenes joins the stories of several plays.
func scenes(all ...func(*testing.T, func(config) client) string) func(*testing.T, func(config) client) string {
	return func(t *testing.T, make func(config) client) string {
		var stories []string
		for _, s := range all {
			stories = append(stories, s(t, make))
		}
		return strings.Join(stories, "; ")
	}
}

var probesOfAsking = []probe{
	{
		what:  "the first message",
		right: `0 ACQUIRE version=1 lease=4000ms name=" Ka\u0308se\x00 "`,
		wrong: `lease-in-seconds lease-little-endian version-0 name-trimmed name-case-folded name-normalised name-ends-at-nul
			name-length-counts-characters acquire-twice`,
		ask: scene(named(" Ka\u0308se\x00 "), func(s *stage) string {
			s.accept()
			return s.told("ACQUIRE", "00", "20")
		}),
	},
	{
		what:  "the second ACQUIRE",
		right: `ACQUIRE version=1 lease=4000ms name="x"`,
		wrong: "second-lease-of-a-millisecond second-name-is-another second-version-is-another",
		ask: scene(retry, func(s *stage) string {
			s.open(waitingFrame).fin()
			s.accept()
			asked := strings.SplitN(s.told("ACQUIRE"), ", ", 2)
			_, second, _ := strings.Cut(asked[1], " ")
			return second
		}),
	},
	{
		what:  "the longest lease",
		right: `0 ACQUIRE version=1 lease=4294967295ms name="x"`,
		wrong: "lease-of-31-bits",
		ask: scene(map[string]string{"MONOLOCK_LEASE_MS": "4294967295"}, func(s *stage) string {
			s.accept()
			return s.told("ACQUIRE")
		}),
	},
	{
		what:  "a name of 255 bytes",
		right: "connects",
		wrong: "name-limit-counts-characters",
		ask:   scene(named(strings.Repeat("n", 255)), connects),
	},
	{
		what:  "a name of 300 bytes",
		right: "0 result stop",
		wrong: "name-cut-at-255 retries-a-name-too-long",
		ask:   scene(named(strings.Repeat("n", 300)), func(s *stage) string { return refusedThrice(s, wire.CodeNameTooLong) }),
	},
	{
		what:  "a lease of zero",
		right: "0 result stop",
		wrong: "lease-zero-becomes-a-default retries-a-lease-of-zero",
		ask: scene(map[string]string{"MONOLOCK_LEASE_MS": "0", "MONOLOCK_MODE": "retry"},
			func(s *stage) string { return refusedThrice(s, wire.CodeLeaseNotPositive) }),
	},
	{
		what:  "no grant yet",
		right: "0 waiting",
		wrong: "claims-on-waiting claims-on-connect",
		ask: scene(once, func(s *stage) string {
			s.open(waitingFrame)
			s.until(500)
			return s.told("waiting", "granted")
		}),
	},
}

func connects(s *stage) string {
	if s.accept() == nil {
		return "does not connect"
	}
	return "connects"
}

// refusedThrice refuses what it is asked with that code, up to three times.
func refusedThrice(s *stage, code wire.Code) string {
	for range 3 {
		p := s.accept()
		if p == nil {
			break
		}
		p.refuse(code, code.Text())
	}
	return s.told("ACQUIRE", "result")
}

var probesOfReading = []probe{
	{
		what:  "a promotion is pushed",
		right: "100 granted 7",
		wrong: "reads-after-sending",
		ask: scene(once, func(s *stage) string {
			p := s.open(waitingFrame).answering(0, acquiredFrame)
			s.until(100)
			p.send(acquiredFrame)
			s.until(1500)
			return s.told("granted")
		}),
	},
	{
		what:  "a frame in pieces",
		right: "18 granted 7",
		wrong: "cut-frames-misread",
		ask: scene(once, func(s *stage) string {
			p := s.open()
			for i, b := range wire.Bytes(acquiredFrame) {
				s.until(2 + 2*i)
				p.sendBytes(b)
			}
			s.until(100)
			return s.told("granted", "lost")
		}),
	},
	{
		what:  "several frames in one segment",
		right: "0 granted 7, 0 lost, 0 waiting",
		wrong: "coalesced-frames-dropped",
		ask: scene(once, func(s *stage) string {
			s.open(waitingFrame, acquiredFrame, waitingFrame)
			s.until(100)
			return s.told("waiting", "granted", "lost")
		}),
	},
	{
		what:  "bytes that make no frame",
		right: "3200 lost",
		wrong: "bytes-confirm half-a-frame-stops-the-clock",
		ask: scene(once, func(s *stage) string {
			p := s.open(acquiredFrame)
			for i, b := range wire.Bytes(acquiredFrame)[:6] {
				s.until(500 * (i + 1))
				p.sendBytes(b)
			}
			s.until(6000)
			return s.told("lost")
		}),
	},
	{
		what:  "a promotion crosses a heartbeat, and its answer follows",
		right: "1000 HEARTBEAT, 1900 HEARTBEAT, 2820 HEARTBEAT",
		wrong: "crossing-is-doubt",
		ask:   scene(once, func(s *stage) string { return crossing(s, true) }),
	},
	{
		what:  "a promotion crosses a heartbeat, and is the only answer",
		right: "1000 HEARTBEAT, 2000 HEARTBEAT, 3000 HEARTBEAT",
		wrong: "crossing-starves",
		ask:   scene(once, func(s *stage) string { return crossing(s, false) }),
	},
	{
		what:  "tokens",
		right: "1; 9007199254740993; 9223372036854775808; 18446744073709551615",
		wrong: "token-through-a-float token-of-32-bits token-signed token-little-endian token-of-its-own",
		ask:   scenes(granted(1), granted(1<<53+1), granted(1<<63), granted(1<<64-1)),
	},
}

// crossing grants at 1050 ms what was asked for by the heartbeat of 1000 ms, and
// answers later heartbeats at once.
func crossing(s *stage, both bool) string {
	p := s.open(waitingFrame)
	s.until(1050)
	p.answering(0, acquiredFrame).send(acquiredFrame)
	if both {
		s.until(1250)
		p.send(acquiredFrame)
	}
	s.until(3400)
	return s.told("HEARTBEAT", "lost")
}

// granted is the scene of a grant; it tells the token that the work got.
func granted(token uint64) func(*testing.T, func(config) client) string {
	return scene(once, func(s *stage) string {
		s.open(wire.AcquiredFrame(token))
		return strings.TrimPrefix(s.told("granted"), "0 granted ")
	})
}

var probesOfPace = []probe{
	{
		what:  "messages of a holder",
		right: "0 granted 7, 1000 HEARTBEAT, 2000 HEARTBEAT, 3000 HEARTBEAT, 4000 HEARTBEAT",
		wrong: `acquire-as-heartbeat padded-heartbeat no-heartbeats no-heartbeats-while-holding half-lease-interval
			third-of-lease-interval needless-heartbeats acquired-is-no-answer`,
		ask: scene(once, func(s *stage) string {
			s.open(acquiredFrame).answering(0, acquiredFrame)
			s.until(4500)
			return s.told("granted", "HEARTBEAT", "00", "lost")
		}),
	},
	{
		what:  "a hold of many heartbeats",
		right: "40 of 40",
		wrong: "stops-after-14-heartbeats stops-after-30-heartbeats",
		ask: scene(once, func(s *stage) string {
			s.open(acquiredFrame).answering(0, acquiredFrame)
			s.until(40500)
			return fmt.Sprintf("%d of 40", strings.Count(s.told("HEARTBEAT"), "HEARTBEAT"))
		}),
	},
	{
		what:  "messages of a waiter",
		right: "0 waiting, 1000 HEARTBEAT, 2000 HEARTBEAT, 3000 HEARTBEAT, 4000 HEARTBEAT",
		wrong: "no-heartbeats no-heartbeats-while-waiting half-lease-interval third-of-lease-interval waiting-is-no-answer",
		ask: scene(once, func(s *stage) string {
			s.open(waitingFrame).answering(0, waitingFrame)
			s.until(4500)
			return s.told("waiting", "HEARTBEAT", "closed")
		}),
	},
	{
		what:  "a round trip of 200 ms",
		right: "600 HEARTBEAT, 1200 HEARTBEAT, 1800 HEARTBEAT, 2400 HEARTBEAT",
		wrong: "no-round-trip-correction corrected-by-one-round-trip interval-from-the-answer",
		ask:   scene(once, func(s *stage) string { return slowLink(s, 200, 2500) }),
	},
	{
		what:  "one answer late by 400 ms",
		right: "1000 HEARTBEAT, 2000 HEARTBEAT, 2840 HEARTBEAT",
		wrong: "corrected-by-the-last-round-trip corrected-by-the-longest-round-trip",
		ask: scene(once, func(s *stage) string {
			p := s.open(acquiredFrame).answering(0, acquiredFrame)
			s.until(1500)
			p.answering(400*time.Millisecond, acquiredFrame)
			s.until(2450)
			p.answering(0, acquiredFrame)
			s.until(3000)
			return s.told("HEARTBEAT")
		}),
	},
	{
		what:  "a round trip of 600 ms",
		right: "600 HEARTBEAT, 1200 HEARTBEAT, 1800 HEARTBEAT, 2400 HEARTBEAT",
		wrong: "slow-link-waits-all-the-same",
		ask:   scene(once, func(s *stage) string { return slowLink(s, 600, 2500) }),
	},
	{
		what:  "a promotion in mid-interval",
		right: "1000 HEARTBEAT, 2000 HEARTBEAT, 3000 HEARTBEAT",
		wrong: "promotion-restarts-the-schedule needless-heartbeats-after-a-promotion",
		ask: scene(once, func(s *stage) string {
			p := s.open(waitingFrame).answering(0, waitingFrame)
			s.until(1500)
			p.answering(0, acquiredFrame).send(acquiredFrame)
			s.until(3400)
			return s.told("HEARTBEAT")
		}),
	},
	{
		what:  "a heartbeat that a lost connection left unanswered",
		right: "1000 HEARTBEAT, 1000 ms later HEARTBEAT",
		wrong: "schedule-outlives-the-connection",
		ask: scene(retry, func(s *stage) string {
			p := s.open(waitingFrame)
			s.until(1100)
			p.reset()
			before := s.told("HEARTBEAT")
			s.open(waitingFrame)
			opened := time.Since(s.begun).Milliseconds()
			s.until(int(opened) + 2000)
			after := strings.TrimPrefix(s.told("HEARTBEAT"), before+", ")
			var at int64
			_, _ = fmt.Sscanf(after, "%d", &at)
			return fmt.Sprintf("%s, %d ms later HEARTBEAT", before, at-opened)
		}),
	},
	{
		what:  "heartbeats that nobody answers",
		right: "1000 HEARTBEAT; 1000 HEARTBEAT",
		wrong: "pipelined-heartbeats pipelined-while-waiting",
		ask: scenes(
			scene(once, func(s *stage) string { s.open(acquiredFrame); s.until(3100); return s.told("HEARTBEAT") }),
			scene(once, func(s *stage) string { s.open(waitingFrame); s.until(3100); return s.told("HEARTBEAT") }),
		),
	},
}

// slowLink grants and answers that many milliseconds late.
func slowLink(s *stage, trip, until int) string {
	p := s.accept()
	s.until(trip)
	p.answering(time.Duration(trip)*time.Millisecond, acquiredFrame).send(acquiredFrame)
	s.until(until)
	return s.told("HEARTBEAT", "lost")
}

var probesOfSilence = []probe{
	{
		what:  "a holder's server falls silent",
		right: "1000 HEARTBEAT, 3200 closed, 3200 lost",
		wrong: `claims-for-the-whole-lease claims-beyond-the-lease never-stops stops-early late-answer-is-a-loss own-sends-confirm
			ends-without-closing stops-the-work-and-goes-on closes-without-telling blocked-call-stops-the-clock`,
		ask: scene(once, func(s *stage) string {
			s.open(acquiredFrame)
			s.until(6000)
			return s.told("HEARTBEAT", "lost", "closed")
		}),
	},
	{
		what:  "an answer comes after the end",
		right: "0 granted 7, 3200 lost",
		wrong: "revived-by-a-late-answer",
		ask: scene(once, func(s *stage) string {
			p := s.open(acquiredFrame)
			s.until(3500)
			p.send(acquiredFrame)
			s.until(4000)
			return s.told("granted", "lost")
		}),
	},
	{
		what:  "a waiter's server falls silent",
		right: "3200 closed",
		wrong: "waits-for-ever-in-the-queue",
		ask: scene(once, func(s *stage) string {
			s.open(waitingFrame)
			s.until(6000)
			return s.told("closed")
		}),
	},
	{
		what:  "an ACQUIRE is not answered",
		right: "3200 closed",
		wrong: "waits-for-ever-for-an-answer",
		ask: scene(once, func(s *stage) string {
			s.accept()
			s.until(6000)
			return s.told("closed")
		}),
	},
}
