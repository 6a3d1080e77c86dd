package refclient

import (
	"fmt"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

// hear handles one frame.
func (c *core) hear(f wire.Frame) {
	d := c.rules.Judge(&c.s, f)
	switch d.Do {
	case Queue:
		c.answered()
		c.queue()
	case Grant:
		if c.s.state == Waiting {
			c.promoted()
		} else {
			c.answered()
		}
		c.grant(f.Token)
	case Confirm:
		c.answered()
	case End:
		c.trouble(d.Why, errorOf(d.Why, f))
	}
}

// answered takes a frame for the answer to the oldest message that has none.
// One that finds no such message answers nothing.
func (c *core) answered() {
	c.s.heard = c.now
	if len(c.s.pending) == 0 {
		c.s.confirmed = c.rules.Confirms(&c.s, OnPush, time.Time{}, c.now)
		return
	}
	sent := c.s.pending[0]
	c.s.pending = append(c.s.pending[:0], c.s.pending[1:]...)
	c.s.confirmed = c.rules.Confirms(&c.s, OnAnswer, sent, c.now)
	if len(c.s.pending) == 0 {
		// All is answered, so the promotion was none of the answers, and
		// it is certain which message this frame answers.
		c.s.surplus = false
		c.sample(c.now.Sub(sent))
	}
}

// promoted takes a frame for a promotion. While a heartbeat is unanswered it
// may have been the answer as well.
func (c *core) promoted() {
	c.s.heard = c.now
	c.s.surplus = len(c.s.pending) > 0
	c.s.confirmed = c.rules.Confirms(&c.s, OnPush, time.Time{}, c.now)
}

func (c *core) sample(rtt time.Duration) {
	c.s.rtt = c.rules.Smooth(&c.s, rtt)
	c.s.samples++
}

func (c *core) queue() {
	if c.s.state == Asking {
		c.s.state = Waiting
		c.reached = append(c.reached, OnWaiting)
		c.effects = append(c.effects, effect{kind: queue})
	}
}

func (c *core) grant(token uint64) {
	c.s.state = Holding
	c.s.token = token
	c.s.lost = false
	c.reached = append(c.reached, OnGrant)
	c.effects = append(c.effects, effect{kind: grant, token: token})
}

// errorOf says what is wrong with a frame.
func errorOf(why Occasion, f wire.Frame) *Error {
	if f.Type == wire.TypeError {
		return &Error{Refused: true, Code: f.Code, Reason: f.Reason}
	}
	return &Error{Err: fmt.Errorf("%w: %v: %v", ErrDoubt, why, f)}
}
