package refclient

import (
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

// event is what the core is told. kind says which fields count.
type event struct {
	kind  eventKind
	frame wire.Frame // heard
	err   error      // unknown, ended, unsent, cancelled
	why   Occasion   // ended: OnFIN or OnReset; worked: OnDone or OnFailed

	// For the loop only.
	end  workEnd // worked
	last bool    // the sender's goroutine ends
}

type eventKind uint8

const (
	tick      eventKind = iota // time has passed, nothing else
	connected                  // the connection is open
	heard                      // a whole frame came
	unknown                    // a byte came that begins no frame
	ended                      // nothing more will come
	unsent                     // a write failed
	worked                     // the work has returned
	cancelled                  // the caller has cancelled
)

// effect is what the core wants done.
type effect struct {
	kind  effectKind
	bytes []byte // send
	token uint64 // grant
	err   *Error // tell
}

type effectKind uint8

const (
	send    effectKind = iota
	queue              // the claim stands in the queue
	grant              // start the work with that token
	tell               // tell the work to stop: the lock is lost
	hang               // close the connection at once
	release            // close the connection in order
)

// core is one attempt's whole state. Nothing in it knows of sockets, clocks or
// goroutines. One goroutine at a time may call it.
type core struct {
	rules   Rules
	name    string
	s       Session
	err     *Error     // the first thing that went wrong
	closed  bool       // hang was asked for
	passed  time.Time  // the deadline whose passing was dealt with
	reached []Occasion // OnOpen, OnWaiting, OnGrant

	// Of the step that runs. The slice is kept for the next one.
	now     time.Time
	effects []effect
}

func newCore(rules Rules, name string, lease, floor time.Duration) *core {
	return &core{rules: rules, name: name, s: Session{lease: lease, floor: floor}}
}

// step takes in one event and returns what is to be done about it, in order.
// The result is valid until the next step. A deadline that has passed counts
// before the event does, so an answer that comes too late finds the claim
// ended, also where it lay waiting while the process was stopped.
func (c *core) step(ev event, now time.Time) []effect {
	c.now = now
	c.effects = c.effects[:0]
	c.expire()
	switch ev.kind {
	case connected:
		c.ask()
	case heard:
		c.hear(ev.frame)
	case unknown:
		c.trouble(OnUnknown, &Error{Err: doubt("%w", ev.err)})
	case ended, unsent:
		c.fail(ev)
	case worked:
		c.trouble(ev.why, nil)
	case cancelled:
		c.trouble(OnCancel, &Error{Err: ev.err, final: true})
	}
	c.beat()
	return c.effects
}

// next returns when the core wants a tick, and false for never.
func (c *core) next() (time.Time, bool) {
	at, ok := c.deadline()
	if due, beats := c.due(); beats && (!ok || due.Before(at)) {
		return due, true
	}
	return at, ok
}

// deadline returns when silence ends the session, if that is still to come.
func (c *core) deadline() (time.Time, bool) {
	if c.s.state == Opening || c.s.state == Over || c.s.lost {
		return time.Time{}, false
	}
	at := c.rules.Deadline(&c.s)
	return at, !at.IsZero() && at != c.passed
}

// due returns when the next heartbeat goes, if one may go.
func (c *core) due() (time.Time, bool) {
	if c.closed || !c.rules.Allows(&c.s) {
		return time.Time{}, false
	}
	return c.rules.Due(&c.s, c.rules.Interval(&c.s)), true
}

func (c *core) expire() {
	if at, ok := c.deadline(); ok && !c.now.Before(at) {
		c.passed = at
		c.trouble(OnTimeout, &Error{Err: ErrTimeout})
	}
}

// beat sends the heartbeat that is due.
func (c *core) beat() {
	if at, ok := c.due(); ok && !c.now.Before(at) {
		c.send(wire.Bytes(wire.HeartbeatFrame))
	}
}

// ask sends the ACQUIRE. Until it is answered the lease counts from here.
func (c *core) ask() {
	c.s.state = Asking
	c.s.confirmed = c.now
	c.reached = append(c.reached, OnOpen)
	c.send(c.rules.Acquire(c.name, uint32(c.s.lease/time.Millisecond)))
}

func (c *core) send(b []byte) {
	c.s.sent = c.now
	c.s.pending = append(c.s.pending, c.now)
	c.s.confirmed = c.rules.Confirms(&c.s, OnSent, c.now, c.now)
	c.effects = append(c.effects, effect{kind: send, bytes: b})
}
