package conformance

import (
	"strings"
	"testing"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

// answers is a part that gives these frames in answer to the first message.
func answers(frames ...wire.Frame) part {
	return func(p *serverEnd) {
		p.take()
		p.say(frames...)
	}
}

// slams closes without a word.
func slams(p *serverEnd) {
	p.take()
	p.close()
}

// spits answers with bytes that are no frame.
func spits(p *serverEnd) {
	p.take()
	p.raw('H', 'T', 'T', 'P')
	p.close()
}

func mute(p *serverEnd) { p.take() }

// A close is not an answer: only the ERROR that is named passes.
func TestWantError(t *testing.T) {
	for _, test := range []struct {
		name   string
		server part
		want   string
	}{
		{"the code", answers(wire.ErrorFrame(wire.CodeNameTooLong, "too long")), "S-ACQ-11 pass"},
		{"the other of two", answers(wire.ErrorFrame(wire.CodeEmptyName, "")), "S-ACQ-11 pass"},
		{"another code", answers(wire.ErrorFrame(wire.CodeNameNotUTF8, "too long")), "S-ACQ-11 fail"},
		{"a grant", answers(wire.AcquiredFrame(7)), "S-ACQ-11 fail"},
		{"WAITING", answers(wire.WaitingFrame), "S-ACQ-11 fail"},
		{"a close", slams, "S-ACQ-11 fail"},
		{"garbage", spits, "S-FRM-04 fail, S-ACQ-11 inconclusive"},
		{"silence", mute, "S-ACQ-11 fail"},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := judged(t, of(spec.S_ACQ_11), func(t *T) {
				s := t.ConnectHostile()
				s.Ask(t.LockOf(300, "x"), time.Minute)
				s.WantError(spec.S_ACQ_11, "a name of 300 bytes is refused", wire.CodeNameTooLong, wire.CodeEmptyName)
			}, test.server)
			wantVerdicts(t, r, test.want)
		})
	}
}

// Whatever the ACQUIRE asked for, and if nothing was asked at all: a close in
// place of the ERROR is a fail, and no doubt about leases.
func TestACloseIsNoAnswer(t *testing.T) {
	for _, test := range []struct {
		name string
		send func(*T, *Session)
	}{
		{"to ACQUIRE", func(t *T, s *Session) { s.Ask(t.Lock("job"), time.Minute) }},
		{"to HEARTBEAT", func(t *T, s *Session) { s.Heartbeat() }},
		{"to raw bytes", func(t *T, s *Session) { s.SendRaw([]byte{0x7f}, "raw") }},
		{"to lease 0", func(t *T, s *Session) { s.Ask(t.Lock("job"), 0) }},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := judged(t, of(spec.S_ACQ_03), func(t *T) {
				s := t.ConnectHostile()
				test.send(t, s)
				s.WantError(spec.S_ACQ_03, "it is refused", wire.CodeNotAcquire)
			}, slams)
			wantVerdicts(t, r, "S-ACQ-03 fail")
			if got := the(t, r, spec.S_ACQ_03).Actual; !strings.Contains(got, "closed the connection") {
				t.Errorf("it says %q; want how the connection ended", got)
			}
		})
	}
}

// Behind the ERROR comes the close: a SHOULD, that does not stop the scenario.
func TestWantRefused(t *testing.T) {
	refuses := func(closes bool) part {
		return func(p *serverEnd) {
			p.take()
			p.say(wire.ErrorFrame(wire.CodeEmptyName, ""))
			if closes {
				p.close()
			}
		}
	}
	for _, test := range []struct {
		name   string
		server part
		want   string
		code   wire.Code
	}{
		{"and closed", refuses(true), "S-ACQ-13 pass, S-ACQ-21 pass, S-ACQ-22 pass", wire.CodeEmptyName},
		{"and left open", refuses(false), "S-ACQ-13 pass, S-ACQ-21 warn, S-ACQ-22 pass", wire.CodeEmptyName},
		{"and granted after it", answers(wire.ErrorFrame(wire.CodeEmptyName, ""), wire.AcquiredFrame(7)), "S-ACQ-13 pass, S-ACQ-21 warn, S-ACQ-22 pass", wire.CodeEmptyName},
		{"only closed", slams, "S-ACQ-13 fail, S-ACQ-22 inconclusive", 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			var code wire.Code
			r := judged(t, of(spec.S_ACQ_13, spec.S_ACQ_22), func(t *T) {
				s := t.ConnectHostile()
				s.Ask("", time.Minute)
				code = s.WantRefused(spec.S_ACQ_13, "an empty name is refused", wire.CodeEmptyName)
				t.Pass(spec.S_ACQ_22, "the scenario goes on")
			}, test.server)
			wantVerdicts(t, r, test.want)
			if code != test.code {
				t.Errorf("WantRefused gives %v; want %v", code, test.code)
			}
		})
	}
}

// A lock that was given back may be read as busy for a moment: the grant comes
// then by promotion.
func TestSettle(t *testing.T) {
	for _, test := range []struct {
		name   string
		server part
		want   string
	}{
		{"granted at once", answers(wire.AcquiredFrame(7)), "S-ACQ-01 pass"},
		{"waiting, then promoted", answers(wire.WaitingFrame, wire.AcquiredFrame(7)), "S-ACQ-01 pass, S-Q-03 pass"},
		{"waiting, then promoted within the time of an answer", promotes(AnswerTime), "S-ACQ-01 pass, S-Q-03 pass"},
		{"waiting, then promoted later", promotes(AnswerTime + tick), "S-ACQ-01 pass, S-Q-03 fail"},
		{"waiting for ever", never, "S-ACQ-01 pass, S-Q-03 fail"},
		{"refused", answers(wire.ErrorFrame(wire.CodeShuttingDown, "")), "S-ACQ-01 fail"},
		{"closed", slams, "S-ACQ-01 fail"},
		{"silence", mute, "S-ACQ-01 fail"},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := judged(t, of(spec.S_ACQ_01), func(t *T) {
				t.Ask(t.Lock("job")).Settle(spec.S_Q_03, "the holder before has closed")
			}, test.server)
			wantVerdicts(t, r, test.want)
		})
	}
}

// WantAlive is a fence: what the server had to say before its answer is judged.
func TestWantAlive(t *testing.T) {
	heartbeats := func(frames ...wire.Frame) part {
		return holds(7, func(p *serverEnd) { p.take(); p.say(frames...) })
	}
	for _, test := range []struct {
		name   string
		server part
		want   string
	}{
		{"acknowledged", heartbeats(wire.AcquiredFrame(7)), "S-ACQ-01 pass, S-HB-01 pass"},
		{"with another token", heartbeats(wire.AcquiredFrame(8)), "S-ACQ-01 pass, S-HB-01 fail, S-TOK-01 fail"},
		{"told to wait", heartbeats(wire.WaitingFrame), "S-ACQ-01 pass, S-HB-01 fail, S-Q-07 fail"},
		{"refused", heartbeats(wire.ErrorFrame(wire.CodeUnknownType, "")), "S-ACQ-01 pass, S-HB-01 fail"},
		{"dropped", holds(7, func(p *serverEnd) { p.take(); p.close() }), "S-ACQ-01 pass, S-HB-01 fail"},
		{"no answer", holds(7, func(p *serverEnd) {}), "S-ACQ-01 pass, S-HB-01 fail"},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := judged(t, of(spec.S_HB_01), func(t *T) {
				t.Acquire(t.Lock("job")).WantAlive(spec.S_HB_01, "a holder's heartbeat is acknowledged")
			}, test.server)
			wantVerdicts(t, r, test.want)
		})
	}
}

// A waiter's heartbeat is answered WAITING; a promotion that nobody expected
// here is judged, and not taken for the answer.
func TestWantAliveOfAWaiter(t *testing.T) {
	for _, test := range []struct {
		name   string
		server part
		want   string
	}{
		{"acknowledged", never, "S-ACQ-02 pass, S-HB-02 pass"},
		{"promoted before", waits(func(p *serverEnd) { p.say(wire.AcquiredFrame(7)); p.answer(wire.AcquiredFrame(7)) }), "S-ACQ-02 pass, S-HB-02 fail"},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := judged(t, of(spec.S_HB_02), func(t *T) {
				t.Queue(t.Lock("job")).WantAlive(spec.S_HB_02, "a waiter's heartbeat is acknowledged")
			}, test.server)
			wantVerdicts(t, r, test.want)
		})
	}
}

// An ACL that refuses a name which cannot have the user's prefix leaves that
// name untested; one that refuses a name with the prefix is wrong.
func TestNamesOutsideTheACL(t *testing.T) {
	denied := answers(wire.ErrorFrame(wire.CodeNotAuthorized, ""))
	for _, test := range []struct{ lock, want string }{
		{"x", "S-ACQ-10 unsupported"},
		{DefaultLockPrefix + "x", "S-ACQ-10 fail"},
	} {
		r := judged(t, of(spec.S_ACQ_10), func(t *T) {
			t.Ask(test.lock).WantAcquired(spec.S_ACQ_10, "a name of one byte is accepted")
		}, denied)
		wantVerdicts(t, r, test.want)
	}
}
