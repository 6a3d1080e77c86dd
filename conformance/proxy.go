package conformance

import (
	"context"
	"fmt"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/timeline"
	"github.com/monolock-dev/monolock-conform/faultproxy"
)

// Proxy is a fault-injecting proxy between a client and a server of a scenario.
type Proxy struct {
	t    *T
	addr string
	*faultproxy.Proxy
	disturbing []faultproxy.Rule // until healed
}

// bandOf names a rule that is in force at this proxy.
func (p *Proxy) bandOf(r faultproxy.Rule) string { return r.String() + " at " + p.addr }

// Proxy starts a proxy to a reference server on an address of its own.
func (t *T) Proxy(upstream *Reference) *Proxy {
	l, err := t.listen("")
	if err != nil {
		t.missing(fmt.Errorf("the fault proxy: %w", err))
	}
	p := faultproxy.New(faultproxy.Config{
		Seed:   t.Rand.Uint64(),
		Dial:   func(ctx context.Context) (faultproxy.Conn, error) { return t.dialServer(ctx, upstream.Addr()) },
		Frames: true, Record: newRecorder(t).record,
	})
	t.onHangUp(func() { p.Close() })
	t.workers.Add(1)
	go func() {
		defer t.workers.Done()
		p.Serve(l)
	}()
	return &Proxy{t: t, addr: l.Addr().String(), Proxy: p}
}

// Addr is where clients are sent.
func (p *Proxy) Addr() string { return p.addr }

// Disturb adds a rule and notes it on the timeline.
func (p *Proxy) Disturb(r faultproxy.Rule) {
	now := time.Now()
	p.t.tl.Add(now, timeline.Event{Who: "proxy", By: timeline.Suite, What: timeline.Fault, Note: p.addr + ": " + r.String()})
	p.t.band(p.bandOf(r), now, time.Time{})
	p.disturbing = append(p.disturbing, r)
	if _, err := p.Add(r); err != nil {
		panic(fmt.Sprintf("the rule %v: %v", r, err))
	}
}

// Restore heals everything and notes it.
func (p *Proxy) Restore() {
	now := time.Now()
	p.t.tl.Add(now, timeline.Event{Who: "proxy", By: timeline.Suite, What: timeline.Fault, Note: p.addr + ": healed"})
	for _, r := range p.disturbing {
		p.t.bandEnds(p.bandOf(r), now)
	}
	p.disturbing = nil
	p.Heal()
}
