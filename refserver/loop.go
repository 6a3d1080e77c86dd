package refserver

import (
	"time"
)

// dozing is how long the loop's timer runs when no session has a deadline.
const dozing = 24 * time.Hour

// alarm is the loop's only timer. A heartbeat moves a deadline away, and the
// alarm is left as it is then: it rings early once a lease, finds nothing due
// and is set anew. That is cheaper than moving it with every heartbeat.
type alarm struct {
	timer Timer
	at    time.Time
}

// loop owns the core. It ends when quit closes, which is after the last
// connection is buried.
func (s *Server) loop(quit <-chan struct{}) {
	defer close(s.looped)
	core := newCore(s.cfg.Rules)
	a := alarm{timer: s.cfg.Clock.NewTimer(dozing), at: s.cfg.Clock.Now().Add(dozing)}
	defer a.timer.Stop()
	for {
		var ev event
		rang := false
		select {
		case ev = <-s.events:
		case <-a.timer.C():
			rang = true
		case <-quit:
			return
		}
		now := s.cfg.Clock.Now()
		for _, e := range core.step(ev, now) {
			apply(e)
		}
		a.set(core, now, rang)
	}
}

// set makes sure that the alarm rings when the earliest deadline has passed.
// Passed means later than: hence the nanosecond.
func (a *alarm) set(c *core, now time.Time, rang bool) {
	due, ok := c.next()
	if ok {
		due = due.Add(time.Nanosecond)
	} else {
		due = now.Add(dozing)
	}
	if rang || due.Before(a.at) {
		a.at = due
		a.timer.Reset(due.Sub(now))
	}
}

// apply carries out e. It never blocks.
func apply(e effect) {
	c := e.session.conn
	switch e.kind {
	case send:
		c.out.add(e.frame)
		return
	case finish:
		c.end(e.why, toFIN)
	case hangUp:
		c.end(e.why, toClose)
	case bury:
		c.end(e.why, toBury)
	}
}

// end notes the first reason for the log and moves the connection on.
func (c *conn) end(why Occasion, to ending) {
	if c.why == 0 {
		c.why = why
	}
	c.out.finish(to)
}
