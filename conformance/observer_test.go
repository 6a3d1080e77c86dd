package conformance

import (
	"slices"
	"sync"
	"testing"

	"github.com/monolock-dev/monolock-conform/conformance/spec"
)

// witness writes down what an Observer is told.
type witness struct {
	mu    sync.Mutex // of busy and twice alone, so that -race sees two calls at a time
	busy  bool
	calls []string
	twice bool
}

func (w *witness) Started(s Scenario) { w.note("started " + s.ID) }
func (w *witness) Finished(r Result)  { w.note("finished " + r.Scenario.ID + " " + string(r.Verdict)) }

func (w *witness) note(call string) {
	w.mu.Lock()
	w.twice = w.twice || w.busy
	w.busy = true
	w.mu.Unlock()
	w.calls = append(w.calls, call) // without the mutex: calls come one at a time
	w.mu.Lock()
	w.busy = false
	w.mu.Unlock()
}

// count tells how often a scenario was started, and as what it was finished.
func (w *witness) count(id string) (started int, finished []string) {
	for _, call := range w.calls {
		if call == "started "+id {
			started++
		}
		if rest, ok := cutPrefix(call, "finished "+id+" "); ok {
			finished = append(finished, rest)
		}
	}
	return started, finished
}

func cutPrefix(s, prefix string) (string, bool) {
	if len(s) < len(prefix) || s[:len(prefix)] != prefix {
		return "", false
	}
	return s[len(prefix):], true
}

func TestObserverIsToldOnceOfEach(t *testing.T) {
	w := &witness{}
	g := newGauge()
	scenarios := slices.Concat(g.watched(Parallel, 8), g.watched(Exclusive, 2))
	outcomeOf(t, Plan{Scenarios: scenarios, Jobs: 4, Observer: w})
	for _, s := range scenarios {
		if started, finished := w.count(s.ID); started != 1 || !slices.Equal(finished, []string{"pass"}) {
			t.Errorf("%s: started %d times, finished %v; want once each", s.ID, started, finished)
		}
	}
	if w.twice {
		t.Error("two calls came at a time")
	}
}

// A result that may yet change is not told before it stands.
func TestObserverOfADoubt(t *testing.T) {
	w, attempts := &witness{}, 0
	s := doubted(&attempts, 1, func(t *T) { t.Pass(spec.S_Q_03, "in time") })
	outcomeOf(t, Plan{Scenarios: []Scenario{s}, Observer: w})
	started, finished := w.count(s.ID)
	if !slices.Equal(finished, []string{"pass"}) {
		t.Errorf("finished %v; want once, with what the second attempt said", finished)
	}
	if started != 1 {
		t.Errorf("told %d times that it started; want once", started)
	}
}

// Over several rounds the joined verdict is told, not the first round's.
func TestObserverOfRounds(t *testing.T) {
	w, runs := &witness{}, 0
	s := fake("server/fake/flaky", of(spec.S_Q_01), func(t *T) {
		if runs++; runs == 2 {
			t.Fail(spec.S_Q_01, "order", "this", "that")
		}
		t.Pass(spec.S_Q_01, "order")
	})
	outcomeOf(t, Plan{Scenarios: []Scenario{s}, Observer: w, Repeat: 2})
	started, finished := w.count(s.ID)
	if !slices.Equal(finished, []string{"flaky"}) {
		t.Errorf("finished %v; want once, as flaky", finished)
	}
	if started != 1 {
		t.Errorf("told %d times that it started; want once", started)
	}
}

func TestNoObserver(t *testing.T) {
	r := judged(t, of(spec.S_Q_01), func(t *T) { t.Pass(spec.S_Q_01, "order") })
	wantVerdicts(t, r, "S-Q-01 pass")
}

// A scenario that is blamed for the server's end is told as what it comes to.
func TestObserverOfABlamedScenario(t *testing.T) {
	w := &witness{}
	o, _ := outcomeWith(t, func(server *scripted) Plan {
		s := fake("server/fake/hostile", of(spec.S_ACQ_14), func(t *T) {
			defer t.Negative("ill-formed bytes")()
			server.die()
			t.ConnectHostile()
		})
		return Plan{Scenarios: []Scenario{s}, Observer: w}
	})
	wantBlamed(t, o, "server/fake/hostile")
	_, finished := w.count("server/fake/hostile")
	if slices.Equal(finished, []string{"inconclusive"}) {
		t.Error("it is told as inconclusive before the blame, and fails in the outcome")
	}
	if !slices.Equal(finished, []string{"fail"}) {
		t.Errorf("finished %v; want once, as fail", finished)
	}
}
