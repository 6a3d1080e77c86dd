package conformance

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/spec"
)

// gauge watches who runs beside whom.
type gauge struct {
	mu      sync.Mutex
	running map[string]bool
	most    int
	order   []string
	beside  map[string]int // the most that ran beside each, itself included
}

func newGauge() *gauge { return &gauge{running: map[string]bool{}, beside: map[string]int{}} }

// during is a scenario's Run that takes d and is watched meanwhile.
func (g *gauge) during(id string, d time.Duration) func(*T) {
	return func(t *T) {
		g.enter(id)
		t.Pause(d)
		g.leave(id)
		t.Pass(spec.S_Q_01, "it ran")
	}
}

func (g *gauge) enter(id string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.running[id] = true
	g.order = append(g.order, id)
	g.most = max(g.most, len(g.running))
	for other := range g.running {
		g.beside[other] = max(g.beside[other], len(g.running))
	}
}

func (g *gauge) leave(id string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.running, id)
}

// watched makes count scenarios of a class that each take a second.
func (g *gauge) watched(class Class, count int) []Scenario {
	var all []Scenario
	for i := range count {
		id := fmt.Sprintf("server/%s/%d", class, i)
		s := fake(id, of(spec.S_Q_01), g.during(id, time.Second))
		s.Class = class
		all = append(all, s)
	}
	return all
}

func TestWidthIsRespected(t *testing.T) {
	for _, test := range []struct{ jobs, scenarios, most int }{
		{1, 5, 1},
		{3, 10, 3},
		{8, 3, 3},
		{0, DefaultJobs + 5, DefaultJobs}, // 0 is the default
		{-1, DefaultJobs + 5, DefaultJobs},
	} {
		t.Run(fmt.Sprintf("%d of %d", test.scenarios, test.jobs), func(t *testing.T) {
			g := newGauge()
			o := outcomeOf(t, Plan{Scenarios: g.watched(Parallel, test.scenarios), Jobs: test.jobs})
			if g.most != test.most {
				t.Errorf("%d ran side by side; want %d", g.most, test.most)
			}
			rounds := (test.scenarios + test.most - 1) / test.most
			if want := time.Duration(rounds) * time.Second; o.Duration != want {
				t.Errorf("the run took %v; want %v", o.Duration, want)
			}
		})
	}
}

func TestExclusiveRunAloneAndLast(t *testing.T) {
	g := newGauge()
	scenarios := slices.Concat(g.watched(Exclusive, 3), g.watched(Parallel, 4))
	o := outcomeOf(t, Plan{Scenarios: scenarios, Jobs: 4})
	for _, s := range scenarios {
		if most := g.beside[s.ID]; s.Class == Exclusive && most != 1 {
			t.Errorf("%s ran beside %d others", s.ID, most-1)
		}
	}
	if alone := g.order[4:]; !slices.Equal(alone, []string{"server/exclusive/0", "server/exclusive/1", "server/exclusive/2"}) {
		t.Errorf("after the parallel ones ran %v; want the exclusive ones in the plan's order", alone)
	}
	if want := 4 * time.Second; o.Duration != want {
		t.Errorf("the run took %v; want %v: the parallel ones together, the others one by one", o.Duration, want)
	}
}

// A scenario that restarts the shared server runs alone, whatever its class says:
// the restart would end everybody's sessions.
func TestRestartOfTheSharedServerIsExclusive(t *testing.T) {
	s := good()
	s.RestartSuffices = true
	r := &runner{plan: Plan{Scenarios: []Scenario{good(), s}}}
	if parallel, exclusive := r.split(); !slices.Equal(parallel, []int{0}) || !slices.Equal(exclusive, []int{1}) {
		t.Errorf("parallel %v, exclusive %v; want the restarting one exclusive", parallel, exclusive)
	}
}

func TestLongestFirst(t *testing.T) {
	g := newGauge()
	scenarios := g.watched(Parallel, 5)
	scenarios[1].Leases = 2
	scenarios[3].Leases = 7
	scenarios[4].IOTimeouts = 1 // ten base leases
	outcomeOf(t, Plan{Scenarios: scenarios, Jobs: 1})
	want := []string{"server/parallel/4", "server/parallel/3", "server/parallel/1", "server/parallel/0", "server/parallel/2"}
	if !slices.Equal(g.order, want) {
		t.Errorf("ran in the order %v; want %v: the longest first, equals in the plan's order", g.order, want)
	}
}

func TestResultsStandInThePlansOrder(t *testing.T) {
	g := newGauge()
	scenarios := slices.Concat(g.watched(Exclusive, 2), g.watched(Parallel, 3))
	scenarios[3].Leases = 5
	o := outcomeOf(t, Plan{Scenarios: scenarios, Jobs: 2})
	for i, r := range o.Results {
		if r.Scenario.ID != scenarios[i].ID {
			t.Errorf("result %d is of %s; want %s", i, r.Scenario.ID, scenarios[i].ID)
		}
	}
	if r, found := o.Find("server/parallel/1"); !found || r.Scenario.ID != "server/parallel/1" {
		t.Errorf("Find gives %v, %v", r.Scenario.ID, found)
	}
	if _, found := o.Find("server/parallel/9"); found {
		t.Error("Find finds what did not run")
	}
}

// However many run side by side, each is judged alike.
func TestVerdictsAreTheSameAtAnyWidth(t *testing.T) {
	scenarios := func() []Scenario {
		var all []Scenario
		add := func(name string, ids []spec.ID, run func(*T)) {
			all = append(all, fake("server/width/"+name, ids, run))
		}
		for i := range 6 {
			add(fmt.Sprintf("holds-%d", i), of(spec.S_ACQ_01), func(t *T) {
				t.Acquire(t.Lock("job"), WithLease(t.Lease), Beating())
				t.Pause(time.Duration(t.Rand.IntN(900)) * time.Millisecond)
			})
		}
		add("fails", of(spec.S_ACQ_02), func(t *T) { t.Queue(t.Lock("job")) }) // nobody holds it
		add("warns", of(spec.S_HB_12), func(t *T) { t.Fail(spec.S_HB_12, "advice", "this", "that") })
		add("observes", of(spec.S_Q_12), func(t *T) { t.Observe(spec.S_Q_12, "p50_us", "7") })
		add("panics", of(spec.S_Q_01), func(t *T) { panic("as planned") })
		add("is-unclear", of(spec.S_Q_01), func(t *T) { t.Unclear(spec.S_Q_01, "order", "no way to tell") })
		add("draws", of(spec.S_Q_01), func(t *T) {
			t.Expect(spec.S_Q_01, "the same draw in each run", t.Rand.IntN(2), equalTo(seeded(t.Seed(), "server/width/draws").IntN(2)))
		})
		return all
	}
	summary := func(jobs int) (list []string) {
		for _, r := range outcomeOf(t, Plan{Scenarios: scenarios(), Jobs: jobs}).Results {
			list = append(list, r.Scenario.ID+": "+verdicts(r))
		}
		return list
	}
	alone := summary(1)
	for _, jobs := range []int{2, 5, 32} {
		if together := summary(jobs); !slices.Equal(together, alone) {
			t.Errorf("%d side by side: %q; want as one by one: %q", jobs, together, alone)
		}
	}
}
