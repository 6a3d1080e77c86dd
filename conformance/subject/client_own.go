package subject

import (
	"errors"
	"fmt"
	"slices"
	"time"
)

// hear takes a piece of standard output. It waits for own, which never waits
// for anything, and drops the piece once that has ended.
func (r *claimRun) hear(h heard) (taken bool) {
	select {
	case r.output <- h:
		return true
	case <-r.done:
		return false
	}
}

// own takes what comes until the adapter has ended.
func (r *claimRun) own() {
	defer close(r.done)
	defer close(r.events)
	timer := time.NewTimer(0)
	defer timer.Stop()
	hungUp, exited := r.hungUp, r.body.exited()
	for !r.over(hungUp == nil) {
		r.arm(timer)
		select {
		case h := <-r.output:
			r.emit(r.listener.hear(h.at, h.bytes)...)
		case <-hungUp:
			hungUp = nil
			r.listener.hangUp(time.Now())
		case <-exited:
			exited, r.exitedAt = nil, time.Now()
		case ask := <-r.asks:
			ask()
		case <-timer.C:
			r.overdue(time.Now())
		case <-r.quit:
			return
		}
	}
	r.emit(r.listener.ended(r.exitedAt, r.body.exit(), r.askedFor)...)
}

// over reports whether the adapter has exited and all of its output has come,
// or what is left of it is kept open by something that it started.
func (r *claimRun) over(hungUp bool) bool {
	return !r.exitedAt.IsZero() && (hungUp || time.Since(r.exitedAt) >= drainTime)
}

// arm sets the timer to the next time limit.
func (r *claimRun) arm(timer *time.Timer) {
	var dues []time.Time
	if w, waits := r.awaited(); waits {
		dues = append(dues, w.due())
	}
	if !r.exitedAt.IsZero() {
		dues = append(dues, r.exitedAt.Add(drainTime))
	}
	if !r.endsAt.IsZero() {
		dues = append(dues, r.endsAt)
	}
	if len(dues) == 0 {
		timer.Stop()
		return
	}
	timer.Reset(time.Until(slices.MinFunc(dues, time.Time.Compare)))
}

// overdue acts on a time limit. Output that is there already comes first, since
// the adapter may have written it in time; but not without end.
func (r *claimRun) overdue(now time.Time) {
	if !r.endsAt.IsZero() && !now.Before(r.endsAt) {
		r.endsAt = time.Time{}
		r.body.kill() //nolint:errcheck // it exited in between, or Close says what is left
	}
	select {
	case h := <-r.output:
		r.emit(r.listener.hear(h.at, h.bytes)...)
		if w, _ := r.listener.awaited(); !h.at.After(w.due()) {
			return
		}
	default:
	}
	if w, waits := r.awaited(); waits && !now.Before(w.due()) {
		r.emit(r.listener.fail(now, 0, w.err()))
	}
}

// awaited is what the adapter is waited for, if anything.
func (r *claimRun) awaited() (wait, bool) {
	if r.paused || r.askedFor || !r.exitedAt.IsZero() {
		return wait{}, false
	}
	return r.listener.awaited()
}

// emit hands events on without ever waiting.
func (r *claimRun) emit(events ...ClientEvent) {
	for _, ev := range events {
		if ev.Kind != Ended && ev.Kind != Broken && len(r.events) >= eventsKept-2 {
			ev = r.listener.fail(ev.At, 0, &AdapterError{What: fmt.Sprintf("wrote more than %d events that nobody took", eventsKept-2),
				Try: "does it acquire in a loop without a pause?"})
		}
		if ev.Kind == Broken {
			if r.broken.Swap(true) {
				continue
			}
			r.sign(ev.Err)
		}
		if ev.Kind == Ended || ev.Kind == Broken || !r.broken.Load() {
			r.events <- ev
		}
	}
}

// sign adds to an error which adapter it is and what that wrote.
func (r *claimRun) sign(err error) {
	if e, ok := errors.AsType[*AdapterError](err); ok {
		e.Adapter, e.Stderr, e.Log = r.target, r.body.stderr(), r.Log()
	}
}
