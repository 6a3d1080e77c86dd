package faultproxy

// Points are the faults that happen at one place in the stream, or begin there.

func isPoint(f Fault) bool { return f == Cut || f == Reset || f == HalfClose }

func isHold(f Fault) bool { return f == Partition || f == Stall }

// reached returns the fault whose place was reached by the last step: behind a
// frame, inside one, or at a byte of the stream. It does not wait for more.
func (c *core) reached(rules []*rule) (act, bool) {
	for _, r := range rules {
		if !isPoint(r.Fault) && r.Fault != Partition {
			continue
		}
		s := c.state(r)
		switch {
		case s.due >= 0 && s.due == c.offset:
			s.due = -1
			return c.fire(r, s), true
		case c.byOffset(r) && !s.done && c.offset >= r.At:
			return c.fire(r, s), true
		}
	}
	return act{}, false
}

// fire is what happens when the place of r is reached.
func (c *core) fire(r *rule, s *state) act {
	s.bitten = never
	c.bite(r, c.offset, "")
	switch r.Fault {
	case Partition:
		return act{do: latch, rule: r}
	case HalfClose:
		s.done = true
		return act{do: shut, rule: r}
	}
	s.done = true
	return act{do: sever, rule: r}
}

// begin looks for places in the frame at hand, and fires those that are here.
func (c *core) begin(v *view, rules []*rule) (act, bool) {
	for _, r := range rules {
		if !isPoint(r.Fault) {
			continue
		}
		s := c.state(r)
		if c.byOffset(r) && !s.done {
			c.limit(v, r.At)
		}
		if c.mark(r, s, v) {
			return c.fire(r, s), true
		}
	}
	return act{}, false
}

// mark notes where r begins in the frame at hand, if it met it, and reports
// whether that is right here.
func (c *core) mark(r *rule, s *state, v *view) (here bool) {
	if !c.meets(r, v) || s.done {
		return false
	}
	place, known := r.place(v.frame)
	switch {
	case !known:
		return false
	case place > c.offset:
		s.due, s.dueOf = place, v.frame.start
		c.limit(v, place)
		return false
	}
	fresh := place == c.offset && s.dueOf != v.frame.start
	s.dueOf = v.frame.start
	return fresh
}

// byOffset reports whether the point r waits for an offset of this lane. The cuts
// and resets that wait for nothing are the link's business.
func (c *core) byOffset(r *rule) bool {
	return isPoint(r.Fault) && r.On == 0 && (r.At > 0 || r.Fault == HalfClose) && c.disturbs(r)
}

// disturbs reports whether r acts on this lane, and does not only wait for one
// of its frames.
func (c *core) disturbs(r *rule) bool { return r.Dir.covers(c.key.dir) }
