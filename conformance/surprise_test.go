package conformance

import (
	"testing"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

// dropsLater keeps a session that beats for d, and then ends it unasked.
func dropsLater(d time.Duration) part {
	return holds(7, func(p *serverEnd) {
		gone := time.AfterFunc(d, p.close)
		defer gone.Stop()
		p.answer(wire.AcquiredFrame(7))
	})
}

// A session that the suite kept alive and the server ended, while nobody waited
// for that, is S-HB-06 in whichever scenario it happens.
func TestAnUnaskedEndOfASession(t *testing.T) {
	const dropped = 1300 * time.Millisecond // between two heartbeats of the base lease
	for _, test := range []struct {
		name string
		run  func(*T)
		want string
	}{
		{"with heartbeats", func(t *T) {
			t.Acquire(t.Lock("job"), WithLease(t.Lease), Beating())
			t.Pause(2 * time.Second)
		}, "S-ACQ-01 pass, S-Q-01 pass, S-HB-06 fail"},
		{"with a lease that lasts", func(t *T) {
			t.Acquire(t.Lock("job"))
			t.Pause(2 * time.Second)
		}, "S-ACQ-01 pass, S-Q-01 pass, S-HB-06 fail"},
		{"after the scenario's last look", func(t *T) {
			t.Acquire(t.Lock("job"))
			t.Pause(dropped - tick)
		}, "S-ACQ-01 pass, S-Q-01 pass"},
		{"silent for its lease", func(t *T) {
			t.Acquire(t.Lock("job"), WithLease(t.Lease))
			t.Pause(2 * time.Second)
		}, "S-ACQ-01 pass, S-Q-01 pass"},
		{"with heartbeats that were late", func(t *T) {
			t.Acquire(t.Lock("job"), WithLease(t.Lease), BeatingEvery(t.Lease+tick))
			t.Pause(2 * time.Second)
		}, "S-ACQ-01 pass, S-Q-01 pass"},
		{"of a hostile one", func(t *T) {
			s := t.ConnectHostile()
			s.Ask(t.Lock("job"), time.Hour)
			s.WantAcquired(spec.S_ACQ_01, "free")
			t.Pause(2 * time.Second)
		}, "S-ACQ-01 pass, S-Q-01 pass"},
		{"of an expendable one", func(t *T) {
			t.Acquire(t.Lock("job")).Expendable()
			t.Pause(2 * time.Second)
		}, "S-ACQ-01 pass, S-Q-01 pass"},
		{"that was waited for", func(t *T) {
			s := t.Acquire(t.Lock("job"))
			s.WantEnd(spec.S_Q_01, "it ends", Window{From: time.Now(), By: time.Now().Add(time.Hour)})
		}, "S-ACQ-01 pass, S-Q-01 pass"},
		{"that the suite had left", func(t *T) {
			t.Acquire(t.Lock("job")).Close()
			t.Pause(2 * time.Second)
		}, "S-ACQ-01 pass, S-Q-01 pass"},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := judged(t, of(spec.S_ACQ_01, spec.S_Q_01), func(t *T) {
				test.run(t)
				t.Pass(spec.S_Q_01, "the scenario itself has nothing to say")
			}, dropsLater(dropped))
			wantVerdicts(t, r, test.want)
		})
	}
}

// The end of a session is no news for a scenario that fails before: what
// the failing part left behind may end as it likes.
func TestNoSurprisesBehindAFail(t *testing.T) {
	r := judged(t, of(spec.S_Q_01), func(t *T) {
		t.Acquire(t.Lock("job"))
		t.Pause(2 * time.Second)
		t.Fail(spec.S_Q_01, "order", "this", "that")
	}, dropsLater(time.Second))
	wantVerdicts(t, r, "S-ACQ-01 pass, S-Q-01 fail")
}

// Heartbeats that the suite sent too late make a doubt of whatever the lost
// session was to show; on time, it is the server's fault.
func TestSuiteLateHeartbeats(t *testing.T) {
	for _, test := range []struct {
		name     string
		every    time.Duration
		attempts int
		want     string
	}{
		{"on time", DefaultLease / 4, 1, "S-ACQ-01 pass, S-Q-07 fail"},
		{"just in time", DefaultLease - clockGrain - tick, 1, "S-ACQ-01 pass, S-Q-07 fail"},
		{"at the lease", DefaultLease, 2, "S-ACQ-01 pass, S-Q-07 inconclusive"},
		{"late", 2 * DefaultLease, 2, "S-ACQ-01 pass, S-Q-07 inconclusive"},
	} {
		t.Run(test.name, func(t *testing.T) {
			drop := dropsLater(5*DefaultLease - tick)
			r := judged(t, of(spec.S_Q_07), func(t *T) {
				s := t.Acquire(t.Lock("job"), WithLease(t.Lease), BeatingEvery(test.every))
				s.WantNothingNew(spec.S_Q_07, "it stays as it is", time.Now().Add(10*t.Lease))
			}, drop, oblige, drop)
			wantVerdicts(t, r, test.want)
			if r.Attempts != test.attempts {
				t.Errorf("%d attempts; want %d", r.Attempts, test.attempts)
			}
		})
	}
}

// Heartbeats go from send to send at a quarter of the lease, and stop when told.
func TestHeartbeatsArePunctual(t *testing.T) {
	var beats []time.Duration
	var last Stamp
	r := judged(t, of(spec.S_HB_04), func(t *T) {
		s := t.Acquire(t.Lock("job"), WithLease(t.Lease), Beating())
		t.Pause(t.Lease + tick)
		last = s.StopHeartbeats()
		t.Pause(t.Lease / 2)
		if s.Last() != last {
			t.Fail(spec.S_HB_04, "it is silent", "nothing", "a heartbeat after StopHeartbeats")
		}
		t.Pass(spec.S_HB_04, "kept")
	}, holds(7, func(p *serverEnd) { p.answer(wire.AcquiredFrame(7)) }))
	wantVerdicts(t, r, "S-ACQ-01 pass, S-HB-04 pass")
	for _, e := range r.Events {
		if e.Frame != nil && e.Frame.Type == wire.TypeHeartbeat {
			beats = append(beats, e.At)
		}
	}
	if len(beats) != 4 {
		t.Fatalf("%d heartbeats in a lease; want 4", len(beats))
	}
	for i, at := range beats {
		if want := time.Duration(i+1) * DefaultLease / 4; at != want {
			t.Errorf("heartbeat %d went at %v; want %v", i+1, at, want)
		}
	}
}
