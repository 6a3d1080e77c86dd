package refclient

import (
	"errors"
	"net"
)

// fail handles an end of the stream and a failed write. Where the connection
// was closed under the client there is nothing left to decide.
func (c *core) fail(ev event) {
	why, e := ev.why, &Error{Err: ev.err}
	if ev.kind == unsent {
		why = OnUnsent
	}
	if errors.Is(ev.err, net.ErrClosed) {
		c.end(Ending{Tell: true, Close: true}, e)
		return
	}
	c.trouble(why, e)
}

// trouble handles an occasion that ends something. e is what it means to the
// caller, nil where nothing is wrong.
func (c *core) trouble(why Occasion, e *Error) {
	if c.s.state != Over {
		c.end(c.rules.Ends(&c.s, why), e)
	}
}

// end ends what how says. The claim ends before the connection does.
func (c *core) end(how Ending, e *Error) {
	if c.s.state == Over {
		return
	}
	held := c.s.state == Holding
	if how.Tell && held && e != nil && !c.s.lost {
		c.lose(e)
	}
	if how.Close {
		c.close(e, held)
	}
}

// lose ends the claim. The work hears of it before anything else happens.
func (c *core) lose(e *Error) {
	e.Held = true
	c.s.lost = true
	c.note(e)
	c.effects = append(c.effects, effect{kind: tell, err: e})
}

func (c *core) close(e *Error, held bool) {
	if e != nil {
		e.Held = held
		c.note(e)
	}
	c.s.state = Over
	c.closed = true
	how := release
	if e != nil {
		how = hang
	}
	c.effects = append(c.effects, effect{kind: how})
}

// note keeps the first error.
func (c *core) note(e *Error) {
	if c.err == nil {
		c.err = e
	}
}
