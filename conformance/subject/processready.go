package subject

import (
	"context"
	"errors"
	"time"
)

// readyPause is the time between two attempts to reach a server that starts:
// short beside any start, and a refused connection costs next to nothing.
const readyPause = 10 * time.Millisecond

// awaitReady asks until the server answers, it exits, the start timeout is
// over or ctx ends. The error is what was seen last.
func (p *LocalProcess) awaitReady(ctx context.Context, r *processRun) error {
	ctx, cancel := context.WithTimeout(ctx, p.command.startTimeout())
	defer cancel()
	defer cancelOn(r.exited, cancel)()
	var seen error
	for !r.hasExited() && ctx.Err() == nil {
		err := p.askReady(ctx)
		if err == nil && !r.hasExited() {
			return nil
		}
		seen = moreTelling(ctx, seen, err)
		within(ctx.Done(), readyPause)
	}
	if seen == nil {
		seen = context.Cause(ctx)
	}
	if seen == nil {
		seen = errors.New("it exited after a first answer")
	}
	return seen
}

// moreTelling chooses between what was seen before and what came last: the
// last attempt, unless the end of ctx cut it off before it saw anything.
func moreTelling(ctx context.Context, before, last error) error {
	none, ok := errors.AsType[*NoAnswerError](last)
	if before != nil && ctx.Err() != nil && (!ok || none.Kind == Unreachable) {
		return before
	}
	return last
}

// askReady is one attempt.
func (p *LocalProcess) askReady(ctx context.Context) error {
	if p.command.ConnectOnly {
		conn, err := p.Dial(ctx)
		if err != nil {
			return dialError(p.Target(), 0, err)
		}
		return conn.Close()
	}
	_, err := askOnce(ctx, p, freshLock(p.command.LockPrefix))
	return err
}

// cancelOn calls cancel when done is closed; the function that it returns ends
// that and waits for it.
func cancelOn(done <-chan struct{}, cancel context.CancelFunc) (stop func()) {
	quit, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		select {
		case <-done:
			cancel()
		case <-quit:
		}
	}()
	return func() { close(quit); <-ended }
}

// startError tells how a run failed to become ready.
func (p *LocalProcess) startError(ctx context.Context, r *processRun, begun time.Time, seen error) error {
	e := &StartError{Args: p.args, Waited: time.Since(begun), Err: seen}
	if r.hasExited() {
		r.capture.drained()
		e.Exit, e.past = r.status.String(), r.status.past()
	} else if none, ok := errors.AsType[*NoAnswerError](seen); ok && ctx.Err() == nil {
		none.Speaks = probe(ctx, p, none.Kind)
	}
	e.Output = p.Output()
	if ctx.Err() != nil {
		return errors.Join(context.Cause(ctx), e)
	}
	return e
}
