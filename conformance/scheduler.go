package conformance

import "sync"

// sideBySide calls work for each item, at most width at once, in the order of
// items, and returns when all are done.
func sideBySide(width int, items []int, work func(int)) {
	queue := make(chan int)
	var workers sync.WaitGroup
	for range min(width, len(items)) {
		workers.Go(func() {
			for i := range queue {
				work(i)
			}
		})
	}
	for _, i := range items {
		queue <- i
	}
	close(queue)
	workers.Wait()
}

// teller passes what happens on to an observer, one call at a time.
type teller struct {
	mu       sync.Mutex
	observer Observer
	begun    map[string]bool
	told     map[string]bool
}

func newTeller(o Observer) *teller {
	return &teller{observer: o, begun: map[string]bool{}, told: map[string]bool{}}
}

// started tells of each scenario once, however often it runs.
func (t *teller) started(s Scenario) {
	if t.observer == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.begun[s.ID] {
		t.begun[s.ID] = true
		t.observer.Started(s)
	}
}

// finished tells of each scenario once.
func (t *teller) finished(r Result) {
	if t.observer == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.told[r.Scenario.ID] {
		t.told[r.Scenario.ID] = true
		t.observer.Finished(r)
	}
}
