package conformance

import (
	"context"
	"testing"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/spec"
)

// doubted is a scenario that doubts in its first attempts.
func doubted(attempts *int, doubts int, then func(*T)) Scenario {
	return fake("server/fake/doubted", of(spec.S_Q_03), func(t *T) {
		if *attempts++; *attempts <= doubts {
			t.Doubt(spec.S_Q_03, "in time", "at once", "the suite was late")
		}
		then(t)
	})
}

func TestADoubtIsRunAgainAlone(t *testing.T) {
	pass := func(t *T) { t.Pass(spec.S_Q_03, "in time") }
	fail := func(t *T) { t.Fail(spec.S_Q_03, "in time", "at once", "late") }
	for _, test := range []struct {
		name             string
		doubts, attempts int
		then             func(*T)
		want             string
	}{
		{"no doubt", 0, 1, pass, "S-Q-03 pass"},
		{"then in time", 1, 2, pass, "S-Q-03 pass"},
		{"then late for certain", 1, 2, fail, "S-Q-03 fail"},
		{"then in doubt again", 2, 2, pass, "S-Q-03 inconclusive"},
	} {
		t.Run(test.name, func(t *testing.T) {
			attempts := 0
			g := newGauge()
			s := doubted(&attempts, test.doubts, test.then)
			run := s.Run
			s.Run = func(t *T) {
				g.enter(s.ID)
				defer g.leave(s.ID)
				if attempts == 1 {
					g.beside[s.ID] = 0 // from here on: the second attempt
					g.enter(s.ID)
				}
				run(t)
			}
			others := g.watched(Parallel, 3)
			o := outcomeOf(t, Plan{Scenarios: append(others, s), Jobs: 4})
			r := o.Results[3]
			wantVerdicts(t, r, test.want)
			if attempts != test.attempts || r.Attempts != test.attempts {
				t.Errorf("ran %d times, and says %d; want %d", attempts, r.Attempts, test.attempts)
			}
			if test.attempts == 2 && g.beside[s.ID] != 1 {
				t.Errorf("the second attempt ran beside %d others", g.beside[s.ID]-1)
			}
		})
	}
}

// What another run would not mend is not run again.
func TestUnclearIsNotRunAgain(t *testing.T) {
	attempts := 0
	r := judged(t, of(spec.S_Q_03), func(t *T) {
		attempts++
		t.Unclear(spec.S_Q_03, "in time", "the round trip hides it")
		t.Pass(spec.S_Q_03, "elsewhere")
	})
	wantVerdicts(t, r, "S-Q-03 inconclusive")
	if attempts != 1 {
		t.Errorf("ran %d times; want once", attempts)
	}
}

// A certain fail decides: there is nothing left to find out by another run.
func TestADoubtBesideAFailIsNotRunAgain(t *testing.T) {
	attempts := 0
	r := judged(t, of(spec.S_Q_01, spec.S_Q_03), func(t *T) {
		attempts++
		t.Case("", func(t *T) { t.Fail(spec.S_Q_01, "order", "this", "that") })
		t.Doubt(spec.S_Q_03, "in time", "at once", "the suite was late")
	})
	wantVerdicts(t, r, "S-Q-01 fail, S-Q-03 inconclusive")
	if attempts != 1 {
		t.Errorf("ran %d times; want once", attempts)
	}
}

// late is a scenario that misses its time, and then ends the run.
func late(attempts *int, endIn int, end func()) Scenario {
	return fake("server/fake/late", of(spec.S_Q_03), func(t *T) {
		if *attempts++; *attempts == endIn {
			end()
		}
		t.Late(spec.S_Q_03, "in time", "at once", "nothing")
	})
}

// A time that was missed once accuses nobody where the run ended before the scenario
// could miss it again alone, nor where it ended under the second attempt.
func TestAMissedTimeOfARunThatEndsIsNotDecided(t *testing.T) {
	for _, endIn := range []int{1, 2} {
		inBubble(t, func(t *testing.T) {
			server := play(t)
			defer server.end()
			ctx, cancel := context.WithCancel(t.Context())
			attempts := 0
			o := Run(ctx, Plan{Scenarios: []Scenario{late(&attempts, endIn, cancel)}, Target: Target{Server: server}, Params: DefaultParams()})
			if attempts > endIn {
				t.Errorf("ran %d times, though the run ended in attempt %d", attempts, endIn)
			}
			wantVerdicts(t, o.Results[0], "S-Q-03 inconclusive")
		})
	}
}

// What fails while the suite itself is late must fail again alone; if it then passes,
// it is flaky, and nobody is accused. A suite that was in time is believed at once.
func TestAFailWhileTheSuiteIsLateIsRunAgainAlone(t *testing.T) {
	enough := DefaultLease / machineLateShare
	for _, test := range []struct {
		name     string
		late     time.Duration
		lates    int // of the first attempts are late
		fails    int // of the first attempts
		attempts int
		want     string
	}{
		{"in time", enough - 1, 1, 1, 1, "S-Q-03 fail"},
		{"late, then it passes", enough, 1, 1, 2, "S-Q-03 flaky"},
		{"late, and it fails again", enough, 1, 2, 2, "S-Q-03 fail"},
		{"late twice, then it passes", enough, 2, 2, 3, "S-Q-03 flaky"},
		{"late always, and it always fails", enough, 9, 9, 3, "S-Q-03 fail"},
	} {
		t.Run(test.name, func(t *testing.T) {
			inBubble(t, func(t *testing.T) {
				server := play(t)
				defer server.end()
				attempts := 0
				s := fake("server/fake/overtaken", of(spec.S_Q_03), func(t *T) {
					t.Pause(time.Millisecond)
					if attempts++; attempts <= test.lates {
						t.canary.note(time.Now(), test.late)
					}
					if attempts <= test.fails {
						t.Fail(spec.S_Q_03, "nobody is promoted", "nothing", "ACQUIRED")
					}
					t.Pass(spec.S_Q_03, "nobody is promoted")
				})
				o := Run(t.Context(), Plan{Scenarios: []Scenario{s}, Target: Target{Server: server}, Params: DefaultParams()})
				wantVerdicts(t, o.Results[0], test.want)
				if attempts != test.attempts {
					t.Errorf("ran %d times; want %d", attempts, test.attempts)
				}
			})
		})
	}
}
