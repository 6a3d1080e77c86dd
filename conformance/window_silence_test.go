package conformance

import (
	"testing"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

// says makes its client wait, and says something after d.
func says(d time.Duration, frames ...wire.Frame) part {
	return waits(func(p *serverEnd) {
		p.after(d)
		p.say(frames...)
	})
}

// WantNothingNew: neither promoted nor dropped before the instant; at it and
// behind it anything may come, and the next Want takes it.
func TestWantNothingNew(t *testing.T) {
	for _, test := range []struct {
		name   string
		server part
		want   string
	}{
		{"nothing at all", never, "S-ACQ-02 pass, S-HB-08 pass"},
		{"promoted a tick before", promotes(opens - tick), "S-ACQ-02 pass, S-HB-08 fail"},
		{"promoted a tick after", promotes(opens + tick), "S-ACQ-02 pass, S-HB-08 pass"},
		{"dropped a tick before", waits(func(p *serverEnd) { p.after(opens - tick); p.close() }), "S-ACQ-02 pass, S-HB-08 fail"},
		{"refused a tick before", says(opens-tick, wire.ErrorFrame(wire.CodeClosedByAdmin, "")), "S-ACQ-02 pass, S-HB-08 fail"},
		{"told WAITING again", says(opens-tick, wire.WaitingFrame), "S-ACQ-02 pass, S-HB-08 pass, S-HB-03 warn"},
		{"told WAITING again, and promoted", says(opens-tick, wire.WaitingFrame, wire.AcquiredFrame(7)), "S-ACQ-02 pass, S-HB-08 fail, S-HB-03 warn"},
		{"garbage before", waits(func(p *serverEnd) { p.after(opens / 4); p.raw(0x7f) }), "S-ACQ-02 pass, S-FRM-04 fail, S-HB-08 inconclusive"},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := judged(t, of(spec.S_HB_08), func(t *T) {
				s := t.Queue(t.Lock("job"))
				s.WantNothingNew(spec.S_HB_08, "the lease still runs", s.Last().Before.Add(opens))
			}, test.server)
			wantVerdicts(t, r, test.want)
		})
	}
}

// What comes behind the instant is left for the next Want, and its time is right.
func TestNothingNewAndThenTheGrant(t *testing.T) {
	for _, test := range []struct {
		at   time.Duration
		want string
	}{
		{opens - tick, "S-ACQ-02 pass, S-HB-07 fail"},
		{opens + tick, "S-ACQ-02 pass, S-HB-07 pass"},
		{closes, "S-ACQ-02 pass, S-HB-07 pass"},
		{closes + tick, "S-ACQ-02 pass, S-HB-07 fail"},
	} {
		r := judged(t, of(spec.S_HB_07), func(t *T) {
			s := t.Queue(t.Lock("job"))
			w := window(s)
			s.WantNothingNew(spec.S_HB_07, "the lease still runs", w.NotBefore)
			s.WantGrant(spec.S_HB_07, "the lease is over", w)
		}, promotes(test.at))
		wantVerdicts(t, r, test.want)
	}
}

// WantSilence: no frame at all, a restatement included.
func TestWantSilence(t *testing.T) {
	for _, test := range []struct {
		name   string
		server part
		want   string
	}{
		{"silent", never, "S-ACQ-02 pass, S-HB-02 pass"},
		{"a frame a tick before", says(opens-tick, wire.WaitingFrame), "S-ACQ-02 pass, S-HB-02 fail, S-HB-03 warn"},
		{"a frame a tick after", says(opens+tick, wire.AcquiredFrame(7)), "S-ACQ-02 pass, S-HB-02 pass"},
		{"a frame at once", says(0, wire.AcquiredFrame(7)), "S-ACQ-02 pass, S-HB-02 fail"},
		{"the end a tick before", waits(func(p *serverEnd) { p.after(opens - tick); p.close() }), "S-ACQ-02 pass, S-HB-02 fail"},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := judged(t, of(spec.S_HB_02), func(t *T) {
				s := t.Queue(t.Lock("job"))
				s.WantSilence(spec.S_HB_02, "nothing was said", s.Last().Before.Add(opens))
			}, test.server)
			wantVerdicts(t, r, test.want)
		})
	}
}
