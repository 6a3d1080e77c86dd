package faultproxy

import (
	"math"
	"time"
)

// core decides, for one lane, what becomes of the bytes that stand first in
// its queue. It does no I/O and reads no clock: step says what to do now,
// passed tells it that this was done.
type core struct {
	key     key
	scan    scanner
	offset  int64 // bytes released or lost
	latched func(ID) bool

	states map[ID]*state
	bites  []bite // what acted in the last step and has not been counted yet
}

// state is what a core remembers of one rule. No rule sees another's.
type state struct {
	due     int64     // offset at which a fault that met its frame begins; -1: none
	dueOf   int64     // the frame it met, and the last one for which it fired
	done    bool      // a half-close has happened
	bitten  int64     // receipt or frame for which the bite was counted
	ready   time.Time // bandwidth: when the line is free; fragment: when the next piece may go
	piece   int64     // fragment: number of the current piece
	pieceTo int64     // fragment: offset at which it ends
}

// never is no receipt, frame or offset.
const never = math.MinInt64

// verb is what a step can ask for.
type verb uint8

const (
	wait   verb = iota // until a time, or until something changes
	pass               // write the first n bytes
	lose               // throw the first n bytes away
	join               // make the first n queued bytes one piece
	latch              // a partition begins, in all its directions
	shut               // half-close
	sever              // cut or reset
	finish             // the source's own ending
)

// act is what a step asks for.
type act struct {
	do      verb
	n       int
	until   time.Time // of wait; zero: no time
	flush   bool      // of pass: these bytes end a write
	patches []patch   // of pass
	paces   []pace    // of pass
	rule    *rule
}

// bite is the proof that a rule acted.
type bite struct {
	rule *rule
	note string
}

func newCore(k key, framed bool, latched func(ID) bool) *core {
	c := &core{key: k, latched: latched, states: make(map[ID]*state)}
	c.scan.dir, c.scan.lost = k.dir, !framed
	return c
}

// state returns what is known of r, from the first time on that it is asked.
func (c *core) state(r *rule) *state {
	s := c.states[r.id]
	if s == nil {
		s = &state{due: -1, dueOf: -1, bitten: never, pieceTo: -1}
		c.states[r.id] = s
	}
	return s
}

// forget drops the states of rules that are gone.
func (c *core) forget(rules []*rule) {
	for id := range c.states {
		if !has(rules, id) {
			delete(c.states, id)
		}
	}
}

func has(rules []*rule, id ID) bool {
	for _, r := range rules {
		if r.id == id {
			return true
		}
	}
	return false
}

// bite notes that r acted on the receipt or frame with that number, once.
func (c *core) bite(r *rule, on int64, note string) {
	if s := c.state(r); s.bitten != on {
		s.bitten = on
		c.bites = append(c.bites, bite{r, note})
	}
}

// view is the head of the queue as the rules of one step see it.
type view struct {
	head
	frame frame
	known bool // there is a frame
	n     int  // how many bytes may go at once, so far
	now   time.Time
}

// step decides what to do with h. Rules come in the order of their IDs, but
// the kinds of fault have an order of their own: what was reached, what holds,
// what delays, what begins here, what paces.
func (c *core) step(now time.Time, h head, rules []*rule) act {
	if a, ok := c.reached(rules); ok {
		return a
	}
	if h.data == nil && h.ending == goesOn {
		return act{do: wait}
	}
	v := c.look(now, h, rules)
	if a, ok := c.hold(&v, rules); ok {
		return a
	}
	if a, ok := c.delay(&v, rules); ok {
		return a
	}
	if h.data == nil {
		return act{do: finish}
	}
	if a, ok := c.begin(&v, rules); ok {
		return a
	}
	if a, ok := c.drop(&v, rules); ok {
		return a
	}
	if a, ok := c.gather(&v, rules); ok {
		return a
	}
	return c.release(&v, rules)
}

// look finds the frame under the head, where a rule asks for it.
func (c *core) look(now time.Time, h head, rules []*rule) view {
	v := view{head: h, n: len(h.data), now: now}
	for _, r := range rules {
		if r.framed() {
			v.frame, v.n, v.known = c.scan.peek(h.data)
			break
		}
	}
	return v
}

// passed notes that the first n bytes of data went, or were lost.
func (c *core) passed(data []byte) {
	c.scan.pass(data)
	c.offset += int64(len(data))
}

// skip notes that n bytes went that nobody looked at.
func (c *core) skip(n int) {
	c.offset += int64(n)
	c.scan.offset += int64(n)
}

// meets reports whether r has a frame trigger that selects the frame at hand.
func (c *core) meets(r *rule, v *view) bool { return v.known && r.meets(v.frame, c.key) }

// applies reports whether a fault that acts on frames, or else on everything,
// acts on the head, and gives the number of what it acts on.
func (c *core) applies(r *rule, v *view) (on int64, ok bool) {
	if r.On == 0 {
		return v.seq, true
	}
	return v.frame.start, c.meets(r, v)
}

// limit makes the step stop at an offset that lies ahead.
func (c *core) limit(v *view, offset int64) {
	if ahead := offset - c.offset; ahead > 0 && ahead < int64(v.n) {
		v.n = int(ahead)
	}
}
