package refclient

import (
	"context"
	"time"
)

// Work is what a lock guards. Its context ends when the claim does, and when
// the caller's own context does; [Lost] tells the two apart. token is the
// fencing token: pass it on to whatever the work changes.
type Work = func(ctx context.Context, token uint64) error

// Client asks one server for locks. Its methods may be called by several
// goroutines at once; each call has a connection of its own, for the
// connection is the claim.
type Client struct {
	cfg Config
}

// New returns a client. It starts nothing.
func New(cfg Config) *Client { return &Client{cfg: cfg.withDefaults()} }

// Do asks for the lock called name once, waits in the queue for it, and calls
// work when it is granted. It blocks until work has returned and the lock is
// released by closing the connection.
//
// Losing the lock ends work's context at once, at the latest 0.8 lease after the
// send of the last message that was answered; Do still waits for work to
// return. A ctx that ends gives up a claim in the queue; while the lock is held
// it ends work's context too, and the lock is kept until work has returned.
// A panic of work is passed on when the lock is released.
//
// Errors: nil after work returned nil; the error that work returned; an *Error
// for everything else. Is(err, ErrLost) says that the lock was lost while it
// was held, whatever work returned, whose error is joined to it.
func (c *Client) Do(ctx context.Context, name string, lease time.Duration, work Work) error {
	if e := c.cfg.Rules.Check(name, lease); e != nil {
		return e
	}
	return c.attempt(ctx, name, lease, work).result()
}

// DoRetry is Do, repeated until work has been called once. It tries again when
// [Error.Temporary] says that this makes sense: at once after ERROR 0x01, with
// a growing pause of 100 ms to 5 s in all other cases. Each attempt is a new
// ACQUIRE on a new connection, at the end of the queue.
//
// A lock that is lost while it is held is not asked for again: what work has
// begun under one token must not go on, or begin again, under another one
// without its caller knowing. Such a caller gets ErrLost and calls again.
// Source: writing a client, rules 6 and 8.
func (c *Client) DoRetry(ctx context.Context, name string, lease time.Duration, work Work) error {
	if e := c.cfg.Rules.Check(name, lease); e != nil {
		return e
	}
	history := newAttempts()
	for {
		a := c.attempt(ctx, name, lease, work)
		if a.failure == nil || !c.cfg.Rules.Again(a.failure) {
			return a.result()
		}
		history.note(a.failure, a.reached, c.cfg.Rules)
		if err := c.pause(ctx, c.cfg.Rules.Pause(history, a.failure)); err != nil {
			return err
		}
	}
}

// pause waits for d or until ctx ends.
func (c *Client) pause(ctx context.Context, d time.Duration) error {
	t := c.cfg.Clock.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return &Error{Err: context.Cause(ctx), final: true}
	case <-t.C():
		return nil
	}
}
