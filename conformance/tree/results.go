package tree

import (
	"sync"

	"github.com/monolock-dev/monolock-conform/conformance"
)

// results hands each scenario's result from the engine to its It, and passes all
// that happens on to the plan's own observer.
type results struct {
	next conformance.Observer
	done map[string]chan struct{}

	mu     sync.Mutex
	result map[string]conformance.Result
}

func newResults(plan conformance.Plan) *results {
	r := &results{next: plan.Observer, done: map[string]chan struct{}{}, result: map[string]conformance.Result{}}
	for _, s := range plan.Scenarios {
		r.done[s.ID] = make(chan struct{})
	}
	return r
}

// Started tells the plan's observer.
func (r *results) Started(s conformance.Scenario) {
	if r.next != nil {
		r.next.Started(s)
	}
}

// Finished keeps the result and lets its It go on.
func (r *results) Finished(result conformance.Result) {
	r.mu.Lock()
	r.result[result.Scenario.ID] = result
	r.mu.Unlock()
	close(r.done[result.Scenario.ID])
	if r.next != nil {
		r.next.Finished(result)
	}
}

// of waits for a scenario's result. The engine gives one for every scenario of
// its plan, however the run ends.
func (r *results) of(id string) conformance.Result {
	<-r.done[id]
	result, _ := r.known(id)
	return result
}

func (r *results) known(id string) (conformance.Result, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	result, ok := r.result[id]
	return result, ok
}
