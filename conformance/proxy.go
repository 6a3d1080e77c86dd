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
}

// Proxy starts a proxy to a reference server on an address of its own.
func (t *T) Proxy(upstream *Reference) *Proxy {
	l, err := t.listen("")
	if err != nil {
		t.missing(fmt.Errorf("the fault proxy: %w", err))
	}
	p := faultproxy.New(faultproxy.Config{
		Seed:   t.Rand.Uint64(),
		Dial:   func(ctx context.Context) (faultproxy.Conn, error) { return t.dialServer(ctx, upstream.Addr()) },
		Frames: true,
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
	p.t.tl.Add(time.Now(), timeline.Event{Who: "proxy", By: timeline.Suite, What: timeline.Fault, Note: p.addr + ": " + r.String()})
	if _, err := p.Add(r); err != nil {
		panic(fmt.Sprintf("the rule %v: %v", r, err))
	}
}

// Restore heals everything and notes it.
func (p *Proxy) Restore() {
	p.t.tl.Add(time.Now(), timeline.Event{Who: "proxy", By: timeline.Suite, What: timeline.Fault, Note: p.addr + ": healed"})
	p.Heal()
}
