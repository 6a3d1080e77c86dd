// Package conformance is the engine of the suite: what a scenario is, what it
// can say ([T]), how many run side by side, and what their judgements amount to.
//
// A [Scenario] is one experiment, a plain function of a [T]. T hands out fresh
// lock names and connections, records all that happens on a timeline, and
// judges; each judgement names the requirement that it speaks for:
//
//	Run: func(t *conformance.T) {
//		lock := t.Lock("job")
//		holder := t.Acquire(lock)
//		waiter := t.Queue(lock)
//		released := holder.Close()
//		waiter.WantGrant(spec.S_Q_03, "the owner closed", t.AtOnce(released))
//	}
//
// [Run] runs a selection of scenarios against one subject and returns an
// [Outcome]. The test tutorial_test.go explains how to write a scenario.
package conformance
