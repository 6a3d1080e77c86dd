package conformance

import (
	"testing"
	"time"
)

// An adapter that starts slowly waits mostly: it makes room for the next after a
// while, and gives its place back only once.
func TestTheStartGateDoesNotWaitForSlowStarts(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		gated := &T{attempt: &attempt{ctx: t.Context()}}
		gated.starting = make(chan struct{}, 1)
		began := time.Now()
		slow := gated.startGate()
		quick := gated.startGate()
		if waited := time.Since(began); waited != startingTime {
			t.Errorf("the second waited %v; want %v", waited, startingTime)
		}
		slow()
		if len(gated.starting) != 1 {
			t.Error("the slow one gave back the place of the quick one")
		}
		quick()
		if len(gated.starting) != 0 {
			t.Error("the quick one kept its place")
		}
		began = time.Now()
		gated.startGate()()
		if waited := time.Since(began); waited != 0 {
			t.Errorf("a free place took %v", waited)
		}
	})
}

func TestSlowStartsAreNotHangs(t *testing.T) {
	p := DefaultParams()
	quick := Scenario{}.budget(p)
	p.StartUp = 2 * time.Second
	if slow := (Scenario{}).budget(p); slow < quick+20*p.StartUp {
		t.Errorf("the budget is %v, and with adapters that take %v to start %v", quick, p.StartUp, slow)
	}
}
