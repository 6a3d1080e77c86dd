package conformance

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/conformance/subject"
)

// launching is a Launcher of fake processes.
type launching func(ctx context.Context) (subject.Instance, error)

func (l launching) Launch(ctx context.Context) (subject.Instance, error) { return l(ctx) }

// controlled is a scenario that needs a server of its own.
func controlled(run func(*T)) Scenario {
	s := fake("server/fake/controlled", of(spec.S_SHUT_01), run)
	s.Needs = []spec.Feature{spec.FeatureControl}
	return s
}

// The scenario's own server is dialled in place of the shared one; what it
// wrote is kept, and it is closed at the end.
func TestOwnServer(t *testing.T) {
	closed := 0
	var o *Outcome
	inBubble(t, func(t *testing.T) {
		server, shared := play(t), play(t)
		defer server.end()
		shared.end() // nobody may need it
		launch := launching(func(context.Context) (subject.Instance, error) {
			return &closing{owned: own(server), closed: &closed}, nil
		})
		o = Run(t.Context(), Plan{
			Scenarios: []Scenario{controlled(func(t *T) {
				t.Acquire(t.Lock("job"))
				t.Pass(spec.S_SHUT_01, "served")
			})},
			Params: DefaultParams(), Quiet: true, Target: Target{Server: shared, Launcher: launch},
		})
	})
	wantVerdicts(t, o.Results[0], "S-ACQ-01 pass, S-SHUT-01 pass")
	if o.Results[0].Output != "its last words" || closed != 1 {
		t.Errorf("kept the output %q, closed %d times; want its last words, and once", o.Results[0].Output, closed)
	}
}

type closing struct {
	*owned
	closed *int
}

func (c *closing) Output() string { return "its last words" }

func (c *closing) Close() error {
	*c.closed++
	return nil
}

// The end of a scenario's own server is no end of the run.
func TestOwnServerThatDies(t *testing.T) {
	o, _ := outcomeWith(t, func(shared *scripted) Plan {
		launch := launching(func(context.Context) (subject.Instance, error) {
			process := own(play(t))
			time.AfterFunc(time.Second, func() { process.dies("exit code 2", "") })
			return process, nil
		})
		return Plan{Target: Target{Server: shared, Launcher: launch}, Scenarios: []Scenario{
			controlled(func(t *T) {
				defer t.Negative("its own server does not matter to others")()
				t.Acquire(t.Lock("job")).WantNothingNew(spec.S_SHUT_01, "it goes on", time.Now().Add(time.Hour))
			}),
			served(),
		}}
	})
	wantVerdicts(t, o.Results[0], "S-ACQ-01 pass, S-SHUT-01 fail")
	wantVerdicts(t, o.Results[1], "S-ACQ-01 pass")
	if o.Gone != nil {
		t.Errorf("Gone is %v; want none", o.Gone)
	}
}

// A server that does not start is no finding against a requirement.
func TestOwnServerThatDoesNotStart(t *testing.T) {
	launch := launching(func(context.Context) (subject.Instance, error) {
		return nil, errors.New("exited with 2 before it answered:\n\x1b[31mno such flag")
	})
	o, _ := outcomeWith(t, func(shared *scripted) Plan {
		return Plan{Target: Target{Server: shared, Launcher: launch}, Scenarios: []Scenario{controlled(func(*T) {})}}
	})
	wantVerdicts(t, o.Results[0], "S-SHUT-01 error")
	got := o.Results[0].Judgements[0].Actual
	if !strings.Contains(got, "the scenario's own server: exited with 2") || strings.ContainsAny(got, "\n\x1b") {
		t.Errorf("it says %q; want what was seen, escaped, on one line", got)
	}
}

// Whoever interrupts the run while a server starts breaks nothing.
func TestInterruptedWhileItsServerStarts(t *testing.T) {
	launch := launching(func(ctx context.Context) (subject.Instance, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	})
	var o *Outcome
	inBubble(t, func(t *testing.T) {
		shared := play(t)
		defer shared.end()
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		o = Run(ctx, Plan{
			Scenarios: []Scenario{controlled(func(*T) {})}, Params: DefaultParams(), Quiet: true,
			Target: Target{Server: shared, Launcher: launch},
		})
	})
	if got := verdicts(o.Results[0]); got == "S-SHUT-01 error" {
		t.Errorf("an interrupted start is %q, as if the harness had broken", got)
	}
	wantVerdicts(t, o.Results[0], "S-SHUT-01 inconclusive")
}

// Signals that only a process can have are not tested on anything else.
func TestOwnServerThatIsNoProcess(t *testing.T) {
	ran := false
	o, _ := outcomeWith(t, func(shared *scripted) Plan {
		s := controlled(func(*T) { ran = true })
		s.NeedsProcess = true
		launch := launching(func(context.Context) (subject.Instance, error) { return own(shared), nil })
		return Plan{Target: Target{Server: shared, Launcher: launch}, Scenarios: []Scenario{s}}
	})
	wantVerdicts(t, o.Results[0], "S-SHUT-01 unsupported")
	if ran {
		t.Error("it ran all the same")
	}
}

// Where only a restart is needed a restart command will do, and it happens to
// the shared server.
func TestRestartCommand(t *testing.T) {
	restarts := 0
	o, _ := outcomeWith(t, func(shared *scripted) Plan {
		s := controlled(func(t *T) {
			t.Restart(spec.S_SHUT_01, "it comes back")
			t.Acquire(t.Lock("job"))
			t.Pass(spec.S_SHUT_01, "it serves again")
		})
		s.RestartSuffices = true
		restart := func(context.Context) error { restarts++; return nil }
		return Plan{Target: Target{Server: shared, Restart: restart}, Scenarios: []Scenario{s}}
	})
	wantVerdicts(t, o.Results[0], "S-ACQ-01 pass, S-SHUT-01 pass")
	if restarts != 1 {
		t.Errorf("the command ran %d times; want once", restarts)
	}
}

// A server that does not come back fails the requirement that asks for it.
func TestRestartThatFails(t *testing.T) {
	o, _ := outcomeWith(t, func(shared *scripted) Plan {
		s := controlled(func(t *T) { t.Restart(spec.S_SHUT_01, "it comes back") })
		s.RestartSuffices = true
		restart := func(context.Context) error { return errors.New("no answer\nin 10 s") }
		return Plan{Target: Target{Server: shared, Restart: restart}, Scenarios: []Scenario{s}}
	})
	wantVerdicts(t, o.Results[0], "S-SHUT-01 fail")
	if got := o.Results[0].Judgements[0].Actual; got != "no answer in 10 s" {
		t.Errorf("it says %q; want the command's words on one line", got)
	}
}

func TestEscapeLines(t *testing.T) {
	for given, want := range map[string]string{
		"plain, and „quoted“": "plain, and „quoted“",
		"two\nlines\tand":     "two lines and",
		"\x1b[31m\x00\x7f":    "�[31m��",
		"\u009b31m":           "�31m",
		"\xff":                "�",
	} {
		if got := escapeLines(given); got != want {
			t.Errorf("escapeLines(%q) = %q; want %q", given, got, want)
		}
	}
}
