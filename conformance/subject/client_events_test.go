package subject

import (
	"testing"
	"time"
)

// nextEvent waits for an event, at most 10 s.
func nextEvent(t *testing.T, r RunningClaim) ClientEvent {
	t.Helper()
	select {
	case ev, ok := <-r.Events():
		if !ok {
			t.Fatal("no event is left")
		}
		return ev
	case <-time.After(10 * time.Second):
		t.Fatal("no event in 10s")
	}
	panic("not reached")
}

// wantEvent asserts what the next event is.
func wantEvent(t *testing.T, r RunningClaim, want EventKind) ClientEvent {
	t.Helper()
	ev := nextEvent(t, r)
	if ev.Kind != want {
		t.Fatalf("the next event is %+v (%v), want %s", ev, ev.Err, want)
	}
	return ev
}

func rest(r RunningClaim) (events []ClientEvent) {
	for ev := range r.Events() {
		events = append(events, ev)
	}
	return events
}
