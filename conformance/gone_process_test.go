package conformance

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/conformance/subject"
)

// owned is a scripted server that the suite is said to have started: a fake of a
// process that ends with the words that a test gives.
type owned struct {
	*scripted
	exited chan struct{}
	once   sync.Once
	exit   string
	output string
}

var _ subject.Instance = (*owned)(nil)

func own(server *scripted) *owned {
	return &owned{scripted: server, exited: make(chan struct{})}
}

// dies ends the process.
func (o *owned) dies(exit, output string) {
	o.once.Do(func() {
		o.exit, o.output = exit, output
		close(o.exited)
		o.scripted.die()
	})
}

func (o *owned) Terminate() error            { return errors.New("not in this test") }
func (o *owned) Kill() error                 { return errors.New("not in this test") }
func (o *owned) Start(context.Context) error { return errors.New("not in this test") }
func (o *owned) Close() error                { return nil }
func (o *owned) Exited() <-chan struct{}     { return o.exited }

func (o *owned) Exit() string {
	select {
	case <-o.exited:
		return o.exit
	default:
		return ""
	}
}

func (o *owned) Output() string {
	select {
	case <-o.exited:
		return o.output
	default:
		return ""
	}
}

// Who ended a process decides whether the negative case is to blame: a crash is
// its own, a signal from outside is somebody else's.
func TestAProcessThatEndsInANegativeCase(t *testing.T) {
	for _, test := range []struct {
		exit   string
		blamed bool
	}{
		{"exit code 2", true},
		{"exit code 0", true},
		{"panic: index out of range (in Serve)", true},
		{"killed by SIGSEGV", true},
		{"killed by SIGABRT", true},
		{"killed by SIGKILL", false},
		{"killed by SIGTERM", false},
		{"killed by SIGINT", false},
		{"killed by SIGHUP", false},
	} {
		t.Run(test.exit, func(t *testing.T) {
			o, took := outcomeWith(t, func(server *scripted) Plan {
				process := own(server)
				return Plan{
					Target: Target{Server: process},
					Scenarios: []Scenario{onward("a"), fake("server/fake/hostile", of(spec.S_ACQ_14), func(t *T) {
						defer t.Negative("ill-formed bytes")()
						t.Pause(time.Second / 2) // while nobody else is at work
						process.dies(test.exit, "goroutine 1:\nbroken")
						t.Pause(time.Second)
						t.StillServes()
					})},
				}
			})
			if o.Gone == nil || !strings.Contains(o.Gone.Seen, test.exit) || !strings.Contains(o.Gone.Seen, "broken") {
				t.Fatalf("Gone is %+v; want how the process ended, and its last words", o.Gone)
			}
			if strings.Contains(o.Gone.Seen, "\n") {
				t.Errorf("Gone says %q; want one line", o.Gone.Seen)
			}
			blamed := ""
			if test.blamed {
				blamed = "server/fake/hostile"
			}
			wantBlamed(t, o, blamed)
			if took > 2*time.Second {
				t.Errorf("the run took %v; want it to end as soon as the process is gone", took)
			}
		})
	}
}

// The end of the process is noticed at once, also while every scenario waits.
func TestAProcessThatEndsUnnoticed(t *testing.T) {
	o, took := outcomeWith(t, func(server *scripted) Plan {
		process := own(server)
		time.AfterFunc(7*time.Second, func() { process.dies("exit code 1", "") })
		return Plan{
			Target:    Target{Server: process},
			Scenarios: []Scenario{fake("server/fake/waits", of(spec.S_Q_01), func(t *T) { t.Pause(20 * time.Second) })},
		}
	})
	if took != 7*time.Second {
		t.Errorf("the run took %v; want it to end with the process", took)
	}
	wantVerdicts(t, o.Results[0], "S-Q-01 inconclusive")
	wantBlamed(t, o, "")
}

// A run that ends in order leaves the process alone.
func TestAProcessThatLives(t *testing.T) {
	o, _ := outcomeWith(t, func(server *scripted) Plan {
		return Plan{Target: Target{Server: own(server)}, Scenarios: []Scenario{served()}}
	})
	wantVerdicts(t, o.Results[0], "S-ACQ-01 pass")
	if o.Gone != nil || o.Ended != nil {
		t.Errorf("Gone %v, Ended %v; want neither", o.Gone, o.Ended)
	}
}

func served() Scenario {
	return fake("server/fake/fine", of(spec.S_ACQ_01), func(t *T) { t.Acquire(t.Lock("job")) })
}
