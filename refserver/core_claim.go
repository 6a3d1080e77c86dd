package refserver

import "github.com/monolock-dev/monolock-conform/conformance/wire"

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
