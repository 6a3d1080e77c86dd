package virtual

import (
	"testing"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/conformance/subject"
	"github.com/monolock-dev/monolock-conform/refserver"
)

func reference() subject.Running { return refserver.New(refserver.Config{}) }

func scenario(judges spec.ID, run func(*conformance.T)) conformance.Scenario {
	return conformance.Scenario{
		ID: "server/fake/virtual", Role: spec.RoleServer, Title: "a fake", Method: "It is a fake.",
		Judges: []spec.ID{judges}, Run: run,
	}
}

// A day passes in a moment, and to the nanosecond.
func TestADayPassesInAMoment(t *testing.T) {
	const day = 24 * time.Hour
	s := scenario(spec.S_HB_04, func(t *conformance.T) {
		holder := t.Acquire(t.Lock("job"), conformance.WithLease(time.Hour), conformance.Beating())
		t.Pause(day)
		holder.StopHeartbeats()
		holder.WantAlive(spec.S_HB_04, "it is kept")
	})
	s.Leases = int(day / conformance.DefaultLease) // or its budget ends it
	began := time.Now()
	r := Server(t, s, conformance.DefaultParams(), false, reference)
	if r.Verdict != conformance.Pass {
		t.Errorf("%s: %+v; want pass", r.Verdict, r.Judgements)
	}
	if took := r.Ended.Sub(r.Started); took != day {
		t.Errorf("the scenario took %v; want exactly a day", took)
	}
	if took := time.Since(began); took > time.Minute {
		t.Errorf("that took %v", took)
	}
}

// What is measured is the same in every run, to the nanosecond.
func TestEveryRunIsAlike(t *testing.T) {
	s := scenario(spec.S_HB_07, func(t *conformance.T) {
		lock := t.Lock("job")
		holder := t.Acquire(lock, conformance.WithLease(t.Lease))
		waiter := t.Queue(lock)
		waiter.WantGrant(spec.S_HB_07, "the lease is over", t.Expiry(holder.Last(), t.Lease))
	})
	measured := func() (d time.Duration) {
		for _, j := range Server(t, s, conformance.DefaultParams(), false, reference).Judgements {
			if j.Timed {
				d = j.Measured
			}
		}
		return d
	}
	first := measured()
	for range 5 {
		if again := measured(); again != first || first == 0 {
			t.Errorf("measured %v, then %v", first, again)
		}
	}
}

// A scenario that controls its server gets one of its own, and may end it.
func TestControlInVirtualTime(t *testing.T) {
	servers := 0
	s := scenario(spec.S_SHUT_03, func(t *conformance.T) {
		t.Acquire(t.Lock("job"))
		t.Restart(spec.S_SHUT_03, "it comes back")
		t.Acquire(t.Lock("job"))
		t.Pass(spec.S_SHUT_03, "it serves again")
	})
	s.Needs = []spec.Feature{spec.FeatureControl}
	r := Server(t, s, conformance.DefaultParams(), false, func() subject.Running {
		servers++
		return reference()
	})
	if r.Verdict != conformance.Pass || servers != 3 {
		t.Errorf("%s with %d servers; want pass with three: the shared one, and two runs of its own: %+v", r.Verdict, servers, r.Judgements)
	}
}
