package refclient

import (
	"context"
	"errors"
	"net"
	"time"
)

// outcome is what one attempt has come to.
type outcome struct {
	failure *Error     // why it failed or was lost; nil: neither
	reached []Occasion // how far it came
	end     workEnd    // how the work ended, if it was called
}

// result is what Do makes of it. It panics where the work has.
func (o outcome) result() error {
	if o.end.panicked {
		panic(o.end.value)
	}
	switch {
	case o.failure == nil:
		return o.end.err
	case o.end.err == nil || errors.Is(o.end.err, context.Canceled):
		return o.failure
	}
	return errors.Join(o.failure, o.end.err)
}

// attempt is one connection and what runs for it. The loop, on the caller's
// own goroutine, owns it; reader, writer and work send it events.
type attempt struct {
	cfg    Config
	ctx    context.Context
	work   Work
	core   *core
	nc     net.Conn
	events chan event
	writes chan []byte // closed together with nc

	running int      // goroutines that have not sent their last event
	claims  []*claim // one a call of the work; more than one only where a wrong rule revives
	end     workEnd
}

// attempt makes one attempt and returns when nothing of it runs any more.
func (c *Client) attempt(ctx context.Context, name string, lease time.Duration, work Work) outcome {
	nc, failure := c.dial(ctx)
	if failure != nil {
		return outcome{failure: failure}
	}
	a := &attempt{
		cfg: c.cfg, ctx: ctx, work: work, nc: nc,
		core:   newCore(c.cfg.Rules, name, lease.Truncate(time.Millisecond), c.cfg.Floor),
		events: make(chan event),
		writes: make(chan []byte, writesWaiting),
	}
	a.run()
	return outcome{failure: a.core.err, reached: a.core.reached, end: a.end}
}

// run is the loop. It ends when the connection is closed, reader and writer
// are done and the work has returned.
func (a *attempt) run() {
	a.running = 2
	go a.read()
	go a.write()

	alarm := a.cfg.Clock.NewTimer(dozing)
	defer alarm.Stop()
	cancelling := a.ctx.Done()
	a.step(event{kind: connected})
	for a.running > 0 || !a.core.closed {
		a.set(alarm)
		select {
		case ev := <-a.events:
			a.step(ev)
		case <-cancelling:
			cancelling = nil // once is enough
			a.step(event{kind: cancelled, err: context.Cause(a.ctx)})
		case <-alarm.C():
			a.step(event{kind: tick})
		}
	}
}

// dozing is how long the alarm runs when nothing is to be done.
const dozing = 24 * time.Hour

// set lets the alarm ring when the core wants its next tick.
func (a *attempt) set(alarm Timer) {
	d := dozing
	if at, ok := a.core.next(); ok {
		d = at.Sub(a.cfg.Clock.Now())
	}
	alarm.Reset(d)
}

// step lets the core handle ev and carries out what it decides.
func (a *attempt) step(ev event) {
	if ev.last {
		a.running--
	}
	if ev.kind == worked {
		a.end = ev.end
	}
	for _, e := range a.core.step(ev, a.cfg.Clock.Now()) {
		a.apply(e)
	}
}

// apply carries out e. Only the farewell of TLS can block, and that comes when
// the work is done.
func (a *attempt) apply(e effect) {
	switch e.kind {
	case send:
		a.send(e.bytes)
	case queue:
		a.cfg.OnWaiting()
	case grant:
		a.start(e.token)
	case tell:
		for _, c := range a.claims {
			c.lose(e.err)
		}
	case hang:
		close(a.writes)
		hangUp(a.nc)
	case release:
		close(a.writes)
		_ = a.nc.Close()
	}
}
