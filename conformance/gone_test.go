package conformance

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/conformance/subject"
)

// onward is a scenario that uses the server every second for an hour.
func onward(name string) Scenario {
	return fake("server/onward/"+name, of(spec.S_ACQ_01), func(t *T) {
		for range 3600 {
			t.Acquire(t.Lock("job")).Close()
			t.Pause(time.Second)
		}
	})
}

// keeper is a scenario that holds a lock for an hour, with heartbeats.
func keeper(name string) Scenario {
	return fake("server/keeper/"+name, of(spec.S_ACQ_01, spec.S_HB_04), func(t *T) {
		s := t.Acquire(t.Lock("job"), Beating())
		s.WantNothingNew(spec.S_HB_04, "it is kept", time.Now().Add(time.Hour))
	})
}

// outcomeWith runs a plan against a server that the scenarios can bring down.
func outcomeWith(t *testing.T, plan func(*scripted) Plan) (outcome *Outcome, took time.Duration) {
	t.Helper()
	inBubble(t, func(t *testing.T) {
		server := play(t)
		defer server.end()
		p := plan(server)
		if p.Target.Server == nil {
			p.Target.Server = server
		}
		p.Params, p.Quiet = DefaultParams(), true
		outcome = Run(t.Context(), p)
	})
	return outcome, outcome.Duration
}

// A server that goes away is no finding: what was not decided is inconclusive,
// the run ends early, and says it once.
func TestAServerThatGoesAway(t *testing.T) {
	const diesAfter = 10500 * time.Millisecond
	ran := false
	done := fake("server/fake/done-before", of(spec.S_ACQ_01), func(t *T) { t.Acquire(t.Lock("job")) })
	last := fake("server/fake/never-begun", of(spec.S_Q_01), func(t *T) { ran = true })
	last.Class = Exclusive
	o, took := outcomeWith(t, func(server *scripted) Plan {
		killer := fake("server/fake/idle", of(spec.S_Q_12), func(t *T) {
			// Just after this scenario has ended: in one instant either could come first.
			time.AfterFunc(diesAfter+time.Millisecond, server.die)
			t.Pause(diesAfter)
			t.Observe(spec.S_Q_12, "p50_us", "0")
		})
		return Plan{Scenarios: []Scenario{done, keeper("a"), killer, last}}
	})
	want := []string{
		"S-ACQ-01 pass", // it passed before
		"S-ACQ-01 inconclusive, S-HB-04 inconclusive",
		"S-Q-12 observed", // and so had this
		"S-Q-01 inconclusive",
	}
	for i, r := range o.Results {
		wantVerdicts(t, r, want[i])
		if r.Verdict == Inconclusive && !strings.Contains(r.Judgements[0].Actual, "went away in the middle of the run") {
			t.Errorf("%s says %q; want why it is not decided", r.Scenario.ID, r.Judgements[0].Actual)
		}
	}
	if o.Gone == nil || o.Gone.Negative != "" || !strings.Contains(o.Gone.Seen, "refused") {
		t.Errorf("Gone is %v; want the refused connection, and no negative case", o.Gone)
	}
	if !errors.Is(o.Ended, o.Gone) {
		t.Errorf("Ended is %v; want what Gone says", o.Ended)
	}
	if ran {
		t.Error("a scenario began after the server was gone")
	}
	if took > diesAfter+5*time.Second {
		t.Errorf("the run took %v; want it to end promptly after %v", took, diesAfter)
	}
}

// All who lose a session in one instant learn that the server is gone, and none
// keeps a fail: not the first to ask, and not the others.
func TestAServerThatGoesAwayUnderMany(t *testing.T) {
	o, _ := outcomeWith(t, func(server *scripted) Plan {
		time.AfterFunc(10500*time.Millisecond, server.die)
		var many []Scenario
		for i := range 20 {
			many = append(many, keeper(fmt.Sprint(i)))
		}
		return Plan{Scenarios: many}
	})
	for _, r := range o.Results {
		if r.Verdict == Fail {
			t.Errorf("%s keeps its fail, for another asked at the same time: %q", r.Scenario.ID, verdicts(r))
		}
		wantVerdicts(t, r, "S-ACQ-01 inconclusive, S-HB-04 inconclusive")
	}
}

// A scenario that was cut in the middle has not passed, whatever it had judged
// so far: the one that could not connect any more, and the one that waited.
func TestACutScenarioDoesNotPass(t *testing.T) {
	o, _ := outcomeWith(t, func(server *scripted) Plan {
		time.AfterFunc(10500*time.Millisecond, server.die)
		idle := fake("server/fake/idle", of(spec.S_Q_01), func(t *T) {
			t.Pass(spec.S_Q_01, "the first of many cases")
			t.Pause(20 * time.Second)
		})
		return Plan{Scenarios: []Scenario{onward("a"), idle, keeper("a")}}
	})
	if o.Gone == nil {
		t.Error("Gone is not set")
	}
	for _, r := range o.Results {
		if r.Verdict == Pass {
			t.Errorf("%s was cut and is %q", r.Scenario.ID, verdicts(r))
		}
		if r.Verdict != Inconclusive {
			t.Errorf("%s was cut and is %q; want inconclusive", r.Scenario.ID, verdicts(r))
		}
	}
}

// One refused connection is no end of the world.
func TestAServerThatRefusesOnce(t *testing.T) {
	o, _ := outcomeWith(t, func(server *scripted) Plan {
		once := &refusing{scripted: server, refuse: 1}
		first := fake("server/fake/refused", of(spec.S_ACQ_01), func(t *T) { t.Acquire(t.Lock("job")) })
		second := fake("server/fake/served", of(spec.S_ACQ_01), func(t *T) { t.Acquire(t.Lock("job")) })
		second.Class = Exclusive
		return Plan{Scenarios: []Scenario{first, second}, Target: Target{Server: once}}
	})
	wantVerdicts(t, o.Results[0], "S-ACQ-01 error")
	wantVerdicts(t, o.Results[1], "S-ACQ-01 pass")
	if o.Gone != nil || o.Ended != nil {
		t.Errorf("Gone %v, Ended %v; want neither", o.Gone, o.Ended)
	}
	if got := o.Results[0].Judgements[0].Actual; !strings.Contains(got, "a new connection") {
		t.Errorf("the refused one says %q; want what could not be reached", got)
	}
}

// refusing refuses the first connections, and then serves.
type refusing struct {
	*scripted
	refuse int
}

func (r *refusing) Dial(ctx context.Context) (subject.Conn, error) {
	if r.refuse > 0 {
		r.refuse--
		return nil, errors.New("refused")
	}
	return r.scripted.Dial(ctx)
}

// A server that a negative case brings down fails S-ROB-01: once, and in the
// scenario that had the case open.
func TestAServerThatDiesInANegativeCase(t *testing.T) {
	for _, test := range []struct {
		name  string
		delay time.Duration // from the case's beginning to the death
		after bool          // it dies when the case is closed already
	}{
		{"in the same instant", 0, false},
		{"while it is open", 2 * time.Second, false},
		{"right after", aftermath - tick, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			o, took := outcomeWith(t, func(server *scripted) Plan {
				hostile := fake("server/fake/hostile", of(spec.S_ACQ_14), func(t *T) {
					t.Pause(time.Second / 2) // while nobody else is at work
					done := t.Negative("ill-formed bytes")
					if test.after {
						done()
					}
					t.Pause(test.delay)
					server.die()
					t.ConnectHostile()
				})
				polite := fake("server/fake/polite", of(spec.S_ACQ_01), func(t *T) {
					done := t.Negative("long over")
					t.Acquire(t.Lock("job"))
					done()
					t.Pause(time.Hour)
				})
				return Plan{Scenarios: []Scenario{polite, onward("a"), hostile, onward("b")}}
			})
			if o.Gone == nil || o.Gone.Scenario != "server/fake/hostile" || o.Gone.Negative != "ill-formed bytes" {
				t.Fatalf("Gone is %+v; want the negative case of the hostile scenario", o.Gone)
			}
			wantBlamed(t, o, "server/fake/hostile")
			if took > 20*time.Second {
				t.Errorf("the run took %v; want it to end promptly", took)
			}
		})
	}
}

// wantBlamed wants S-ROB-01 failed once, in that scenario, and nowhere else.
func wantBlamed(t *testing.T, o *Outcome, id string) {
	t.Helper()
	var blamed []string
	for _, r := range o.Results {
		for _, j := range r.Judgements {
			if j.ID == spec.S_ROB_01 {
				blamed = append(blamed, fmt.Sprintf("%s %s", r.Scenario.ID, j.Verdict))
			} else if j.Verdict == Fail || j.Verdict == Error {
				t.Errorf("%s: %s %s: a server that is gone is no finding", r.Scenario.ID, j.ID, j.Verdict)
			}
		}
	}
	var want []string
	if id != "" {
		want = []string{id + " fail"}
	}
	if !slices.Equal(blamed, want) {
		t.Errorf("S-ROB-01 is judged in %v; want %v", blamed, want)
	}
}

// Of several cases that are open the one that began last is blamed: the others
// had their chance.
func TestTheLatestNegativeCaseIsBlamed(t *testing.T) {
	o, _ := outcomeWith(t, func(server *scripted) Plan {
		hostile := func(name string, begins time.Duration, then func(*T)) Scenario {
			return fake("server/hostile/"+name, of(spec.S_ACQ_14), func(t *T) {
				t.Pause(begins)
				defer t.Negative(name)()
				then(t)
			})
		}
		idle := func(t *T) { t.Pause(time.Hour) }
		return Plan{Scenarios: []Scenario{
			hostile("first", 1*time.Second, idle),
			hostile("latest", 3*time.Second, func(t *T) { server.die(); t.ConnectHostile() }),
			hostile("second", 2*time.Second, idle),
		}}
	})
	wantBlamed(t, o, "server/hostile/latest")
}

// The end a while after a negative case is not its consequence.
func TestAServerThatDiesLongAfterANegativeCase(t *testing.T) {
	o, _ := outcomeWith(t, func(server *scripted) Plan {
		return Plan{Scenarios: []Scenario{fake("server/fake/hostile", of(spec.S_ACQ_14), func(t *T) {
			t.Negative("ill-formed bytes")()
			t.Pause(aftermath)
			server.die()
			t.ConnectHostile()
		})}}
	})
	if o.Gone == nil || o.Gone.Negative != "" {
		t.Errorf("Gone is %+v; want no negative case", o.Gone)
	}
	wantBlamed(t, o, "")
}

// The scenario itself sees that the server no longer serves; that is the same
// finding, and is said once.
func TestStillServesIsNotSaidTwice(t *testing.T) {
	o, _ := outcomeWith(t, func(server *scripted) Plan {
		return Plan{Scenarios: []Scenario{onward("a"), fake("server/fake/hostile", of(spec.S_ACQ_14), func(t *T) {
			defer t.Negative("ill-formed bytes")()
			t.Pause(time.Second / 2)
			server.die()
			t.StillServes()
		})}}
	})
	wantBlamed(t, o, "server/fake/hostile")
}

// A server that lives and does not serve for a moment fails S-ROB-01 where it
// was seen, and the run goes on.
func TestStillServes(t *testing.T) {
	o, _ := outcomeWith(t, func(server *scripted) Plan {
		stumbles := &refusing{scripted: server, refuse: aliveTries}
		return Plan{Target: Target{Server: stumbles}, Jobs: 1, Scenarios: []Scenario{
			fake("server/fake/hostile", of(spec.S_ACQ_14), func(t *T) {
				t.Pass(spec.S_ACQ_14, "refused")
				t.StillServes()
			}),
			fake("server/fake/next", of(spec.S_ACQ_14), func(t *T) {
				t.StillServes()
				t.Pass(spec.S_ACQ_14, "refused")
			}),
		}}
	})
	wantVerdicts(t, o.Results[0], "S-ACQ-14 pass, S-ROB-01 fail")
	wantVerdicts(t, o.Results[1], "S-ACQ-14 pass")
	if o.Gone != nil {
		t.Errorf("Gone is %v; want none", o.Gone)
	}
}

// Whoever interrupts a run finds what was done, and the rest undecided.
func TestAnInterruptedRun(t *testing.T) {
	cause := errors.New("interrupted by the user")
	var o *Outcome
	inBubble(t, func(t *testing.T) {
		server := play(t)
		defer server.end()
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(90*time.Second, func() { cancel(cause) })
		first := fake("server/fake/done", of(spec.S_ACQ_01), func(t *T) { t.Acquire(t.Lock("job")) })
		never := fake("server/fake/never", of(spec.S_Q_01), func(t *T) {})
		never.Class = Exclusive
		long := onward("a")
		long.Leases = 36000
		o = Run(ctx, Plan{Scenarios: []Scenario{first, long, never}, Params: DefaultParams(), Quiet: true, Target: Target{Server: server}})
	})
	if !errors.Is(o.Ended, cause) || o.Gone != nil {
		t.Errorf("Ended %v, Gone %v; want the cause, and a server that is there", o.Ended, o.Gone)
	}
	if o.Duration != 90*time.Second {
		t.Errorf("it took %v; want it to end with the interrupt", o.Duration)
	}
	wantVerdicts(t, o.Results[0], "S-ACQ-01 pass")
	wantVerdicts(t, o.Results[2], "S-Q-01 inconclusive")
	if got := the(t, o.Results[2], spec.S_Q_01).Actual; !strings.Contains(got, cause.Error()) {
		t.Errorf("it says %q; want who ended the run", got)
	}
	if o.Results[1].Verdict == Pass {
		t.Error("the scenario that was interrupted passes with what it had judged so far")
	}
	wantVerdicts(t, o.Results[1], "S-ACQ-01 inconclusive")
}

// A server can be found gone by one scenario while another asks it: whoever
// asked learns that, and takes its finding back.
func TestGoneWhileAsking(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(t.Context())
		defer cancel(nil)
		server := &vanishing{}
		w := &world{server: server, end: cancel}
		server.vanish = func() { w.over(&Gone{Seen: "seen by another"}) }
		if gone := w.check(ctx, "lock", time.Now()); gone == nil {
			t.Error("the scenario that asks when another finds the server gone keeps its fail")
		}
	})
}

// vanishing is a server that is found gone when it is dialled.
type vanishing struct{ vanish func() }

func (v *vanishing) Target() string { return "nowhere" }

func (v *vanishing) Dial(context.Context) (subject.Conn, error) {
	v.vanish()
	return nil, errors.New("refused")
}
