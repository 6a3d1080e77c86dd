package refserver

import "github.com/monolock-dev/monolock-conform/conformance/wire"

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
