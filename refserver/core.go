package refserver

import (
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

// event is what the core is told. kind says which fields count.
type event struct {
	kind    eventKind
	session *Session
	message Message  // said
	why     Occasion // gone: OnFIN or OnReset
}

type eventKind uint8

const (
	tick     eventKind = iota // time has passed, nothing else
	opened                    // session is a new connection
	said                      // session sent a message
	gone                      // nothing more will come from session's connection
	shutdown                  // the server stops
)

// effect is what the core wants done to a session's connection.
type effect struct {
	kind    effectKind
	session *Session
	frame   wire.Frame // send
	why     Occasion   // the end's
}

type effectKind uint8

const (
	send   effectKind = iota
	finish            // say what is pending and FIN, then wait a short while for the client's
	hangUp            // say what is pending, then close
	bury              // the connection is gone: close it and forget it
)

// core is the server's whole state. Nothing in it knows of sockets, clocks or
// goroutines. One goroutine at a time may call it.
type core struct {
	rules     Rules
	sessions  []*Session // all that are not Ended, in no order
	locks     map[string]*Lock
	leases    deadlines
	lastToken uint64
	stopping  bool

	// Of the step that runs. The slices are kept for the next one.
	now     time.Time
	effects []effect
	frames  []wire.Frame
	touched []touch
}

// touch is a lock that the step may have left free.
type touch struct {
	lock *Lock
	why  Occasion
}

func newCore(rules Rules) *core {
	return &core{rules: rules, locks: make(map[string]*Lock)}
}

// step takes in one event and returns what is to be done about it, in order.
// The result is valid until the next step. Leases that are used up by now end
// before the event counts, so a message that comes too late finds its session
// ended. Promotions come last, so that of two sessions that leave in one step
// neither is promoted in place of the other.
func (c *core) step(ev event, now time.Time) []effect {
	c.now = now
	c.effects = c.effects[:0]
	c.expire()
	switch ev.kind {
	case opened:
		c.open(ev.session)
	case said:
		c.hear(ev.session, ev.message)
	case gone:
		c.lose(ev.session, ev.why)
	case shutdown:
		c.shutDown()
	}
	c.promoteTouched()
	return c.effects
}

// next returns the earliest deadline, and false if no session has one.
func (c *core) next() (time.Time, bool) {
	if len(c.leases) == 0 {
		return time.Time{}, false
	}
	return c.leases[0].deadline, true
}

func (c *core) open(s *Session) {
	s.leaseAt = -1
	s.opened = c.now
	s.slot = len(c.sessions)
	c.sessions = append(c.sessions, s)
	if c.stopping {
		c.refuse(s, wire.CodeShuttingDown, "", OnShutdown)
		return
	}
	c.schedule(s)
}

// hear handles one message.
func (c *core) hear(s *Session, m Message) {
	if m.Kind == AcquireBegun {
		c.begin(s)
	}
	d := c.rules.Judge(s, m, c.now)
	switch d.Do {
	case Claim:
		c.claim(s, m.Acquire)
	case Answer:
		c.answer(s)
	case Refuse:
		c.refuse(s, d.Code, d.Detail, OnRefusal)
	case Drop:
		c.end(s, OnRefusal, hangUp)
	}
}

func (c *core) begin(s *Session) {
	s.begun = true
	if s.state != Ended {
		c.seen(s, OnPartial)
		c.schedule(s)
	}
}

// say passes f through the rules and on to the session's connection.
func (c *core) say(s *Session, f wire.Frame, why Occasion) {
	c.frames = c.rules.Say(c.frames[:0], s, f, why)
	for _, f := range c.frames {
		c.effects = append(c.effects, effect{kind: send, session: s, frame: f, why: why})
	}
}
