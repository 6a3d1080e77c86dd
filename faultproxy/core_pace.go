package faultproxy

import "time"

const (
	// lineStep is how long the bytes that a bandwidth rule passes at once take.
	lineStep = 10 * time.Millisecond
	// lineSlack is what a line that was late may catch up.
	lineSlack = 50 * time.Millisecond
	// defaultGather is how long a coalesce rule waits.
	defaultGather = 20 * time.Millisecond
)

// patch is a byte that a corrupt rule changes.
type patch struct {
	at   int // in the bytes passed
	rule *rule
}

// pace is what a pacing rule's state becomes when the bytes have passed.
type pace struct {
	state *state
	free  time.Time     // of bandwidth
	pause time.Duration // of fragment
	rule  *rule
}

// gather waits for more bytes where a coalesce rule asks for it.
func (c *core) gather(v *view, rules []*rule) (act, bool) {
	for _, r := range rules {
		if r.Fault != Coalesce {
			continue
		}
		if v.queued < r.Size && !v.final && v.now.Before(v.at.Add(r.Wait)) {
			c.bite(r, v.seq, "")
			return act{do: wait, until: v.at.Add(r.Wait)}, true
		}
		if want := min(r.Size, v.queued); len(v.data) < want {
			return act{do: join, n: want}, true
		}
	}
	return act{}, false
}

// release passes as much of the head as every rule allows.
func (c *core) release(v *view, rules []*rule) act {
	a := act{do: pass}
	for _, r := range rules {
		if r.Fault != Fragment {
			continue
		}
		if until, ok := c.fragment(r, v); !ok {
			return act{do: wait, until: until}
		}
	}
	for _, r := range rules {
		if r.Fault != Bandwidth {
			continue
		}
		if until, ok := c.throttle(r, v, &a); !ok {
			return act{do: wait, until: until}
		}
	}
	c.endPieces(v, rules, &a)
	c.patch(v, rules, &a)
	a.n = v.n
	return a
}

// fragment limits the step to the current piece. It reports false, and until
// when to wait, while the pause before that piece lasts.
func (c *core) fragment(r *rule, v *view) (time.Time, bool) {
	on, ok := c.applies(r, v)
	if !ok {
		return time.Time{}, true
	}
	s := c.state(r)
	if r.On != 0 && s.dueOf != v.frame.start { // each frame begins with the first size
		s.dueOf, s.piece, s.pieceTo = v.frame.start, 0, -1
	}
	if s.pieceTo <= c.offset {
		s.pieceTo = c.offset + int64(c.sizeOf(r, s))
		s.piece++
	}
	if v.now.Before(s.ready) {
		return s.ready, false
	}
	if s.pieceTo-c.offset < int64(v.n) {
		c.bite(r, on, "")
	}
	c.limit(v, s.pieceTo)
	return time.Time{}, true
}

// sizeOf returns the size of the next piece.
func (c *core) sizeOf(r *rule, s *state) int {
	span := r.Sizes[int(s.piece%int64(len(r.Sizes)))]
	index := s.piece
	if r.On != 0 {
		index += s.dueOf << 16
	}
	return c.key.draw(r.id, drawSize, index).in(span)
}

// endPieces marks the pass as a write of its own where it ends a piece.
func (c *core) endPieces(v *view, rules []*rule, a *act) {
	for _, r := range rules {
		if r.Fault != Fragment {
			continue
		}
		if _, ok := c.applies(r, v); !ok {
			continue
		}
		if s := c.state(r); s.pieceTo == c.offset+int64(v.n) {
			a.flush = true
			a.paces = append(a.paces, pace{state: s, pause: r.Pause, rule: r})
		}
	}
}

// throttle limits the step to what the line carries in a moment. It reports
// false, and until when to wait, while the line is not done with these bytes.
func (c *core) throttle(r *rule, v *view, a *act) (time.Time, bool) {
	v.n = int(min(int64(v.n), max(1, r.Rate*int64(lineStep)/int64(time.Second))))
	s := c.state(r)
	took := time.Duration(int64(v.n) * int64(time.Second) / r.Rate)
	free := latest(s.ready, v.at, v.now.Add(-took-lineSlack)).Add(took)
	if v.now.Before(free) {
		c.bite(r, v.seq, "")
		return free, false
	}
	a.flush = true
	a.paces = append(a.paces, pace{state: s, free: free, rule: r})
	return time.Time{}, true
}

func latest(times ...time.Time) time.Time {
	last := times[0]
	for _, t := range times[1:] {
		if t.After(last) {
			last = t
		}
	}
	return last
}

// paced notes that a pass happened at now.
func (c *core) paced(a act, now time.Time) {
	for _, p := range a.paces {
		if p.rule.Fault == Bandwidth {
			p.state.ready = p.free
		} else {
			p.state.ready = now.Add(p.pause)
		}
	}
}

// patch lists the bytes of the step that corrupt rules change.
func (c *core) patch(v *view, rules []*rule, a *act) {
	for _, r := range rules {
		if r.Fault != Corrupt {
			continue
		}
		place := r.At
		if r.On != 0 {
			if !c.meets(r, v) {
				continue
			}
			place += v.frame.start
		}
		if at := place - c.offset; at >= 0 && at < int64(v.n) {
			c.bite(r, place, "")
			a.patches = append(a.patches, patch{int(at), r})
		}
	}
}

// corrupted returns the byte that a corrupt rule makes of b.
func (r *rule) corrupted(b byte) byte {
	switch {
	case r.Byte != nil:
		return *r.Byte
	case r.Xor != 0:
		return b ^ r.Xor
	}
	return b ^ 0xff
}
