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

// claim takes up an ACQUIRE: ERROR, ACQUIRED or WAITING.
func (c *core) claim(s *Session, a wire.Acquire) {
	if code, ok := c.rules.Check(a); !ok {
		c.refuse(s, code, "", OnRefusal)
		return
	}
	s.key = c.rules.Key(a.Name)
	s.lease = c.rules.Lease(a)
	s.lock = c.lockOf(s.key)
	c.seen(s, OnAcquire)
	if c.rules.Admits(s.lock, s) {
		c.grant(s.lock, s, OnAcquire)
		return
	}
	s.state = Waiting
	s.lock.queue = c.rules.Insert(s.lock.queue, s)
	c.schedule(s)
	c.say(s, s.standing(), OnAcquire)
}

func (c *core) lockOf(key string) *Lock {
	l := c.locks[key]
	if l == nil {
		l = &Lock{key: key}
		c.locks[key] = l
	}
	return l
}

// answer acknowledges a heartbeat with the session's standing.
func (c *core) answer(s *Session) {
	if s.state != Ended {
		c.seen(s, OnHeartbeat)
		c.schedule(s)
		c.touch(s.lock, OnHeartbeat)
	}
	c.say(s, s.standing(), OnHeartbeat)
}

// seen starts the silence of s anew, where this occasion counts.
func (c *core) seen(s *Session, why Occasion) {
	if c.rules.Refreshes(s, why) {
		s.lastSeen = c.now
	}
}

// schedule puts s at its deadline.
func (c *core) schedule(s *Session) {
	s.deadline = c.rules.Deadline(s, c.now)
	if s.deadline.IsZero() {
		c.leases.drop(s)
		return
	}
	c.leases.set(s)
}

// grant makes s the owner of l and tells it so.
func (c *core) grant(l *Lock, s *Session, why Occasion) {
	l.owner = s
	s.state = Acquired
	s.token = c.rules.Token(l, s, c.lastToken, c.now)
	c.lastToken = s.token
	if why == OnPromotion {
		c.seen(s, OnPromotion)
	}
	c.schedule(s)
	c.say(s, s.standing(), why)
}

// refuse says ERROR and ends the session.
func (c *core) refuse(s *Session, code wire.Code, detail string, why Occasion) {
	reason := code.Text()
	if detail != "" {
		reason += ": " + detail
	}
	c.say(s, wire.ErrorFrame(code, reason), why)
	c.end(s, why, finish)
}

// lose ends a session whose connection is gone.
func (c *core) lose(s *Session, why Occasion) {
	c.effects = append(c.effects, effect{kind: bury, session: s, why: why})
	c.release(s, why)
}

// end closes the connection of s and ends its hold or its place, now and not
// when the connection is closed.
func (c *core) end(s *Session, why Occasion, how effectKind) {
	c.close(s, why, how)
	c.release(s, why)
}

func (c *core) close(s *Session, why Occasion, how effectKind) {
	if c.rules.HangsUp(s, why) {
		c.effects = append(c.effects, effect{kind: how, session: s, why: why})
	}
}

// release ends the hold or the place of s, or puts off its end.
func (c *core) release(s *Session, why Occasion) {
	switch {
	case s.state == Ended:
	case c.rules.Releases(s, why):
		c.leave(s, why)
	default:
		c.schedule(s)
	}
}

// leave takes s out of everything.
func (c *core) leave(s *Session, why Occasion) {
	c.leases.drop(s)
	c.forget(s)
	if l := s.lock; l != nil {
		if l.owner == s {
			l.owner = nil
		} else {
			l.queue = c.rules.Remove(l.queue, s, why)
		}
		c.touch(l, why)
	}
	s.lock = nil
	s.state = Ended
}

// forget takes s off the list of sessions by moving the last one to its slot.
func (c *core) forget(s *Session) {
	last := len(c.sessions) - 1
	moved := c.sessions[last]
	c.sessions[s.slot], moved.slot = moved, s.slot
	c.sessions[last] = nil
	c.sessions = c.sessions[:last]
}

// expire ends every session whose deadline has passed. Their connections are
// closed without a word.
func (c *core) expire() {
	for len(c.leases) > 0 && c.now.After(c.leases[0].deadline) {
		s := c.leases[0]
		why := OnExpiry
		if s.state == Connected {
			why = OnIOTimeout
		}
		c.close(s, why, hangUp)
		c.leave(s, why)
	}
}

// shutDown says ERROR 0x01 to everyone. Nobody is promoted meanwhile.
func (c *core) shutDown() {
	c.stopping = true
	for i := len(c.sessions) - 1; i >= 0; i-- {
		c.refuse(c.sessions[i], wire.CodeShuttingDown, "", OnShutdown)
	}
}

// touch remembers a lock that may be free with waiters, for the step's end.
func (c *core) touch(l *Lock, why Occasion) {
	if l != nil && l.owner == nil {
		c.touched = append(c.touched, touch{l, why})
	}
}

func (c *core) promoteTouched() {
	for _, t := range c.touched {
		c.promote(t.lock, t.why)
	}
	c.touched = c.touched[:0]
}

// promote gives l to the next waiter, if it is free and someone waits.
func (c *core) promote(l *Lock, why Occasion) {
	if l.owner == nil && len(l.queue) > 0 && !c.stopping {
		if s := c.rules.Next(l, why, c.now); s != nil {
			l.queue = StandardRules{}.Remove(l.queue, s, OnPromotion)
			c.grant(l, s, OnPromotion)
		}
	}
	if l.owner == nil && len(l.queue) == 0 && c.locks[l.key] == l {
		delete(c.locks, l.key)
	}
}

// say passes f through the rules and on to the session's connection.
func (c *core) say(s *Session, f wire.Frame, why Occasion) {
	c.frames = c.rules.Say(c.frames[:0], s, f, why)
	for _, f := range c.frames {
		c.effects = append(c.effects, effect{kind: send, session: s, frame: f, why: why})
	}
}
