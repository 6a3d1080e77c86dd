package conformance

import (
	"testing"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

// The window of these tests: from opens to closes after the waiter's last
// message. In virtual time a nanosecond beside an edge is beside it.
const (
	opens, closes = 100 * time.Millisecond, 200 * time.Millisecond
	tick          = time.Nanosecond
)

// window is the window of a session that has just said something.
func window(s *Session) Window {
	last := s.Last().Before
	return Window{From: last, NotBefore: last.Add(opens), By: last.Add(closes)}
}

// promotes makes its client wait, and grants after d.
func promotes(d time.Duration) part {
	return waits(func(p *serverEnd) {
		p.after(d)
		p.say(wire.AcquiredFrame(7))
		p.answer(wire.AcquiredFrame(7))
	})
}

// never makes its client wait for ever, and says so to each heartbeat.
var never = waits(func(p *serverEnd) { p.answer(wire.WaitingFrame) })

// WantGrant, with the grant at every side of its window.
func TestWantGrant(t *testing.T) {
	for _, test := range []struct {
		name   string
		server part
		want   string
	}{
		{"long before", promotes(tick), "S-ACQ-02 pass, S-Q-03 fail"},
		{"a tick early", promotes(opens - tick), "S-ACQ-02 pass, S-Q-03 fail"},
		{"as it opens", promotes(opens), "S-ACQ-02 pass, S-Q-03 pass"},
		{"in between", promotes(opens + tick), "S-ACQ-02 pass, S-Q-03 pass"},
		{"as it closes", promotes(closes), "S-ACQ-02 pass, S-Q-03 pass"},
		{"a tick late", promotes(closes + tick), "S-ACQ-02 pass, S-Q-03 fail"},
		{"at the end of patience", promotes(closes + latePatience - tick), "S-ACQ-02 pass, S-Q-03 fail"},
		{"beyond patience, pushed all the same", promotes(closes + latePatience + AnswerTime/2), "S-ACQ-02 pass, S-Q-03 fail"},
		{"never", never, "S-ACQ-02 pass, S-Q-03 fail"},
		{"never, and mute", waits(func(p *serverEnd) {}), "S-ACQ-02 pass, S-Q-03 fail"},
		{
			"only in answer to a heartbeat", waits(func(p *serverEnd) { p.answer(wire.AcquiredFrame(7)) }),
			"S-ACQ-02 pass, S-Q-02 fail, S-Q-03 inconclusive",
		},
		{
			"refused instead", waits(func(p *serverEnd) { p.after(opens); p.say(wire.ErrorFrame(wire.CodeShuttingDown, "")) }),
			"S-ACQ-02 pass, S-Q-03 fail",
		},
		{"closed instead", waits(func(p *serverEnd) { p.after(opens); p.close() }), "S-ACQ-02 pass, S-Q-03 fail"},
		{
			"garbage instead", waits(func(p *serverEnd) { p.after(opens); p.raw(0x7f, 1, 2) }),
			"S-ACQ-02 pass, S-FRM-04 fail, S-Q-03 inconclusive",
		},
		{
			"half a frame instead", waits(func(p *serverEnd) { p.after(opens); p.raw(0x12, 0, 0); p.close() }),
			"S-ACQ-02 pass, S-FRM-04 fail, S-Q-03 inconclusive",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := judged(t, of(spec.S_Q_03), func(t *T) {
				waiter := t.Queue(t.Lock("job"))
				waiter.WantGrant(spec.S_Q_03, "the owner closed", window(waiter))
			}, test.server)
			wantVerdicts(t, r, test.want)
		})
	}
}

// A judged time is kept, and a fail says what was wanted and what came.
func TestMeasuredTime(t *testing.T) {
	grant := func(at time.Duration) Judgement {
		return the(t, judged(t, of(spec.S_Q_03), func(t *T) {
			waiter := t.Queue(t.Lock("job"))
			waiter.WantGrant(spec.S_Q_03, "the owner closed", window(waiter))
		}, promotes(at)), spec.S_Q_03)
	}
	for _, test := range []struct {
		at               time.Duration
		expected, actual string
	}{
		{150 * time.Millisecond, "", ""},
		{50 * time.Millisecond, "ACQUIRED, pushed not before 100ms", "conn-1: after 50ms"},
		{450 * time.Millisecond, "ACQUIRED, pushed within 200ms", "conn-1: after 450ms"},
	} {
		j := grant(test.at)
		if !j.Timed || j.Measured != test.at {
			t.Errorf("at %v: measured %v, %v", test.at, j.Measured, j.Timed)
		}
		if j.Expected != test.expected || j.Actual != test.actual {
			t.Errorf("at %v: expected %q, got %q; want %q and %q", test.at, j.Expected, j.Actual, test.expected, test.actual)
		}
	}
}

// A grant that is late by less than the suite's own delay is no proof against
// the server; one that is later by a tick is.
func TestANarrowMissIsADoubt(t *testing.T) {
	const noise = 30 * time.Millisecond
	for _, test := range []struct {
		name string
		late time.Duration
		want string
	}{
		{"on time", 0, "S-ACQ-02 pass, S-Q-03 pass"},
		{"by a tick", tick, "S-ACQ-02 pass, S-Q-03 inconclusive"},
		{"by the noise", noise, "S-ACQ-02 pass, S-Q-03 inconclusive"},
		{"by a tick more", noise + tick, "S-ACQ-02 pass, S-Q-03 fail"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var r Result
			inBubble(t, func(t *testing.T) {
				server := play(t, promotes(closes+test.late))
				defer server.end()
				r = noisy(server, noise).try(t.Context(), fake("server/fake/noisy", of(spec.S_Q_03), func(t *T) {
					waiter := t.Queue(t.Lock("job"))
					waiter.WantGrant(spec.S_Q_03, "the owner closed", window(waiter))
				}))
			})
			wantVerdicts(t, r, test.want)
			if doubtful(r) != (r.Verdict == Inconclusive) {
				t.Error("a narrow miss must be run again")
			}
		})
	}
}

// A suite that was asleep for as long as it had patience cannot tell that
// nothing came.
func TestASuiteThatSleptCannotTell(t *testing.T) {
	for _, test := range []struct {
		noise time.Duration
		want  string
	}{
		{latePatience - tick, "S-ACQ-02 pass, S-Q-03 fail"},
		{latePatience, "S-ACQ-02 pass, S-Q-03 inconclusive"},
	} {
		var r Result
		inBubble(t, func(t *testing.T) {
			server := play(t, never)
			defer server.end()
			r = noisy(server, test.noise).try(t.Context(), fake("server/fake/noisy", of(spec.S_Q_03), func(t *T) {
				waiter := t.Queue(t.Lock("job"))
				waiter.WantGrant(spec.S_Q_03, "the owner closed", window(waiter))
			}))
		})
		wantVerdicts(t, r, test.want)
	}
}

// noisy is a bench on which the suite was once late by that much.
func noisy(server *scripted, late time.Duration) bench {
	return bench{
		target: Target{Server: server}, params: DefaultParams(),
		canary: &canary{worst: []delay{{at: time.Now().Add(time.Hour), late: late}}},
	}
}

// A window that reaches to where a wrong server would act as well tells nothing,
// whatever comes; one that ends a tick before does.
func TestAWindowThatHidesWhatItIsFor(t *testing.T) {
	for _, test := range []struct {
		reveals time.Duration // behind the window's end
		want    string
	}{
		{tick, "S-ACQ-02 pass, S-Q-03 pass"},
		{0, "S-ACQ-02 pass, S-Q-03 inconclusive"},
	} {
		var r Result
		inBubble(t, func(t *testing.T) {
			server := play(t, promotes(closes))
			defer server.end()
			r = bench{target: Target{Server: server}, params: DefaultParams()}.try(t.Context(), fake("server/fake/far", of(spec.S_Q_03), func(t *T) {
				waiter := t.Queue(t.Lock("job"))
				w := window(waiter)
				w.Reveals = w.By.Add(test.reveals)
				waiter.WantGrant(spec.S_Q_03, "the owner closed", w)
			}))
		})
		wantVerdicts(t, r, test.want)
		if doubtful(r) {
			t.Error("another run would not shorten the window")
		}
	}
}

// A waiter that is not promoted in its window, and whose own lease ends then, was not
// promoted: that it was silent, on purpose, explains the end and not what went before.
func TestALeaseThatEndsAfterTheWindowExcusesNothing(t *testing.T) {
	for _, test := range []struct {
		name string
		ends time.Duration
		want string
	}{
		{"after the window", closes + tick, "S-ACQ-02 pass, S-Q-03 fail"},
		{"within it", closes - tick, "S-ACQ-02 pass, S-Q-03 inconclusive"},
	} {
		t.Run(test.name, func(t *testing.T) {
			drops := waits(func(p *serverEnd) { p.after(test.ends); p.close() })
			r := judged(t, of(spec.S_Q_03), func(t *T) {
				waiter := t.Queue(t.Lock("job"), WithLease(test.ends))
				waiter.WantGrant(spec.S_Q_03, "the owner closed", window(waiter))
			}, drops, drops, drops) // the attempt, whether the server still serves, and a second attempt
			wantVerdicts(t, r, test.want)
		})
	}
}
