package refclient

import (
	"context"
	"errors"
)

// claim is one call of the work.
type claim struct {
	lost chan struct{} // closed: the claim has ended
	stop context.CancelCauseFunc
}

type claimKey struct{}

// Lost returns a channel that is closed when the lock is lost that the work
// with this context, or one derived from it, was called for. It is for work
// that winds down after its caller's context has ended, which has ended ctx,
// too, while the lock is still held. With any other context it is nil.
func Lost(ctx context.Context) <-chan struct{} {
	if c, ok := ctx.Value(claimKey{}).(*claim); ok {
		return c.lost
	}
	return nil
}

// workEnd is how the work ended.
type workEnd struct {
	err      error
	panicked bool
	value    any // of the panic
}

// errGoexit is the end of work that ends its goroutine instead of returning.
var errGoexit = errors.New("the work called runtime.Goexit")

// start calls the work in a goroutine of its own.
func (a *attempt) start(token uint64) {
	ctx, stop := context.WithCancelCause(a.ctx)
	c := &claim{lost: make(chan struct{}), stop: stop}
	a.claims = append(a.claims, c)
	a.running++
	go func() {
		defer stop(nil)
		end := workEnd{err: errGoexit}
		defer func() { a.events <- workedEvent(end) }()
		defer func() {
			if v := recover(); v != nil {
				end = workEnd{panicked: true, value: v}
			}
		}()
		end.err = a.work(context.WithValue(ctx, claimKey{}, c), token)
	}()
}

// workedEvent is the last word of the work's goroutine.
func workedEvent(end workEnd) event {
	why := OnDone
	if end.err != nil || end.panicked {
		why = OnFailed
	}
	return event{kind: worked, why: why, end: end, last: true}
}

// lose tells the work that the claim has ended.
func (c *claim) lose(why error) {
	select {
	case <-c.lost:
		return
	default:
	}
	c.stop(why) // first: who hears of the loss may ask the context why
	close(c.lost)
}
