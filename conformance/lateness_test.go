package conformance

import (
	"testing"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/conformance/subject"
	"github.com/monolock-dev/monolock-conform/conformance/timeline"
)

// What threads waited adds up over threads that come and go, and counts where it
// reaches between two instants.
func TestWaitMeter(t *testing.T) {
	at := func(ms int) time.Time { return noon.Add(time.Duration(ms) * time.Millisecond) }
	m := &waitMeter{}
	m.note(at(0), map[int]time.Duration{1: 5 * time.Millisecond})
	m.note(at(50), map[int]time.Duration{1: 7 * time.Millisecond, 2: 3 * time.Millisecond})
	m.note(at(100), map[int]time.Duration{1: 7 * time.Millisecond}) // the second thread has ended
	m.note(at(150), map[int]time.Duration{1: 17 * time.Millisecond})
	for _, test := range []struct {
		from, to int
		want     time.Duration
	}{
		{-10, 200, 20 * time.Millisecond},
		{0, 50, 5 * time.Millisecond},
		{10, 20, 5 * time.Millisecond}, // the sample that covers it
		{50, 100, 0},
		{100, 150, 10 * time.Millisecond},
		{100, 200, 10 * time.Millisecond},
		{150, 200, 0},
	} {
		if got := m.between(at(test.from), at(test.to)); got != test.want {
			t.Errorf("between %d and %d ms it waited %v; want %v", test.from, test.to, got, test.want)
		}
	}
}

// starved is a claim of a process that waited for a processor, and no more.
type starved struct {
	subject.RunningClaim
	waited time.Duration
}

func (s starved) Waits() map[int]time.Duration { return map[int]time.Duration{1: s.waited} }

// A time missed by no more than the client's process waited for a processor is a
// doubt; by more it counts, and so it does where another case's process waited.
func TestAClientThatHadNoProcessorIsADoubt(t *testing.T) {
	const waited = 30 * time.Millisecond
	for _, test := range []struct {
		name, part string
		late       time.Duration
		want       Verdict
	}{
		{"on time", "", 0, Pass},
		{"by what it waited", "", waited, Inconclusive},
		{"by more", "", waited + time.Millisecond, Fail},
		{"by what a process of another case waited", "other", waited, Fail},
	} {
		t.Run(test.name, func(t *testing.T) {
			inBubble(t, func(t *testing.T) {
				a := &attempt{tl: timeline.New(time.Now()), ctx: t.Context()}
				judge := &T{attempt: a}
				a.claims = []*Claim{{t: &T{attempt: a, part: test.part}, running: starved{waited: waited}}}
				by := time.Now() // of a second that began when the process had waited for nothing
				done := make(chan struct{})
				go func() {
					defer close(done)
					judge.JudgeInstant("client-1", spec.C_HB_01, "in time", "a HEARTBEAT", by.Add(test.late), Window{From: by.Add(-time.Second), By: by})
				}()
				<-done
				if got := verdictOf(a.verdicts); got != test.want {
					t.Errorf("late by %v: %s; want %s", test.late, got, test.want)
				}
			})
		})
	}
}
