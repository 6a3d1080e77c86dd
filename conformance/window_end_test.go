package conformance

import (
	"testing"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

// drops grants the lock, and closes after d.
func drops(d time.Duration) part {
	return holds(7, func(p *serverEnd) {
		p.after(d)
		p.close()
	})
}

func TestWantEnd(t *testing.T) {
	reset := func(p *serverEnd) {
		p.after(opens)
		p.conn.(interface{ SetLinger(int) error }).SetLinger(0)
		p.close()
	}
	for _, test := range []struct {
		name   string
		server part
		want   string
	}{
		{"a tick early", drops(opens - tick), "S-ACQ-01 pass, S-HB-07 fail"},
		{"as it opens", drops(opens), "S-ACQ-01 pass, S-HB-07 pass"},
		{"as it closes", drops(closes), "S-ACQ-01 pass, S-HB-07 pass"},
		{"a tick late", drops(closes + tick), "S-ACQ-01 pass, S-HB-07 fail"},
		{"never", holds(7, func(*serverEnd) {}), "S-ACQ-01 pass, S-HB-07 fail"},
		{"a reset is an end, too", holds(7, reset), "S-ACQ-01 pass, S-HB-07 pass"},
		{
			"an ERROR is no end", holds(7, func(p *serverEnd) { p.after(opens); p.say(wire.ErrorFrame(wire.CodeShuttingDown, "")) }),
			"S-ACQ-01 pass, S-HB-07 fail",
		},
		{
			"garbage is no end", holds(7, func(p *serverEnd) { p.after(opens); p.raw(0); p.close() }),
			"S-ACQ-01 pass, S-FRM-04 fail, S-HB-07 inconclusive",
		},
		{
			"a repeated grant is no news", holds(7, func(p *serverEnd) { p.after(opens); p.say(wire.AcquiredFrame(7)); p.close() }),
			"S-ACQ-01 pass, S-HB-07 pass, S-HB-03 warn, S-TOK-01 pass",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			judges := of(spec.S_HB_07)
			if test.name == "a repeated grant is no news" {
				judges = append(judges, spec.S_TOK_01) // the monitor counts where it was promised
			}
			r := judged(t, judges, func(t *T) {
				s := t.Acquire(t.Lock("job"))
				s.WantEnd(spec.S_HB_07, "the lease is over", window(s))
			}, test.server)
			wantVerdicts(t, r, test.want)
		})
	}
}

func TestWantEndOrError(t *testing.T) {
	refuses := func(d, then time.Duration) part {
		return holds(7, func(p *serverEnd) {
			p.after(d)
			p.say(wire.ErrorFrame(wire.CodeShuttingDown, "bye"))
			p.after(then)
			p.close()
		})
	}
	for _, test := range []struct {
		name   string
		server part
		want   string
	}{
		{"without", drops(opens), "S-ACQ-01 pass, S-ROB-02 pass"},
		{"with, at once", refuses(opens, opens), "S-ACQ-01 pass, S-ROB-02 pass"},
		{"with, and closed in time", refuses(opens, closes), "S-ACQ-01 pass, S-ROB-02 pass"},
		{"with, and closed late", refuses(opens, closes+tick), "S-ACQ-01 pass, S-ROB-02 warn"},
		{"neither", holds(7, func(*serverEnd) {}), "S-ACQ-01 pass, S-ROB-02 warn"},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := judged(t, of(spec.S_ROB_02), func(t *T) {
				s := t.Acquire(t.Lock("job"))
				s.WantEndOrError(spec.S_ROB_02, "it is dropped", window(s))
			}, test.server)
			wantVerdicts(t, r, test.want)
		})
	}
}

// Ending tells a FIN from a RST, where the difference is recorded.
func TestEnding(t *testing.T) {
	for want, server := range map[string]part{
		"":    holds(7, func(*serverEnd) {}),
		"FIN": drops(opens),
		"RST": holds(7, func(p *serverEnd) {
			p.after(opens)
			p.conn.(interface{ SetLinger(int) error }).SetLinger(0)
			p.close()
		}),
	} {
		got := "not asked"
		judged(t, of(spec.S_ACQ_01), func(t *T) {
			s := t.ConnectHostile()
			s.Ask(t.Lock("job"), time.Hour)
			s.WantAcquired(spec.S_ACQ_01, "free")
			t.Pause(closes)
			got = s.Ending()
		}, server)
		if got != want {
			t.Errorf("Ending is %q; want %q", got, want)
		}
	}
}

// Expiry is the window of S-HB-07: not before the lease, but for the grain of
// a clock that ticks 64 times a second, and by the larger of a quarter and 250 ms.
func TestExpiry(t *testing.T) {
	sent := Stamp{Before: time.Unix(100, 0), After: time.Unix(100, 5e6)}
	for _, test := range []struct{ lease, rtt, notBefore, by time.Duration }{
		{500 * time.Millisecond, 0, 484 * time.Millisecond, 755 * time.Millisecond},
		{time.Second, 0, 984 * time.Millisecond, 1255 * time.Millisecond},
		{4 * time.Second, 0, 3984 * time.Millisecond, 5005 * time.Millisecond},
		{time.Second, 10 * time.Millisecond, 984 * time.Millisecond, 1275 * time.Millisecond},
	} {
		tt := &T{attempt: &attempt{params: Params{RTT: test.rtt}}}
		w := tt.Expiry(sent, test.lease)
		if got := w.NotBefore.Sub(sent.Before); got != test.notBefore {
			t.Errorf("a lease of %v ends not before %v; want %v", test.lease, got, test.notBefore)
		}
		if got := w.By.Sub(sent.Before); got != test.by {
			t.Errorf("a lease of %v is over by %v; want %v", test.lease, got, test.by)
		}
		if !w.From.Equal(sent.Before) {
			t.Errorf("its time counts from %v; want from before the send", w.From)
		}
	}
}
