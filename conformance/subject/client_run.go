package subject

import (
	"errors"
	"fmt"
	"sync/atomic"
	"time"
)

// adapterBody is what an adapter runs as: a process, or a goroutine.
type adapterBody interface {
	write(word []byte) error // to standard input
	endInput() error         // also twice
	kill() error             // the adapter itself; returns at once
	pause() error            // the whole group
	resume() error
	waits() map[int]time.Duration
	exited() <-chan struct{} // closed when the adapter itself has ended
	exit() clientExit        // valid then
	stderr() string          // the tail; after the exit all of it, as far as it can be had
	end() error              // kills what is left, waits for it and for the end of output; called once
}

// heard is a piece of standard output and when it came.
type heard struct {
	at    time.Time
	bytes []byte
}

// eventsKept is how many events wait for their reader. Two places are kept for
// a Broken and the Ended.
const eventsKept = 1024 + 2

// claimRun is one started adapter. One goroutine, own, has its state; the
// others send to it. Nothing holds that goroutine up for longer than drainTime,
// so nothing that is sent to it waits longer.
type claimRun struct {
	body     adapterBody
	target   string
	limits   clientLimits
	listener *listener // own's, except its log

	output chan heard    // standard output
	hungUp chan struct{} // closed at its end
	asks   chan func()   // run by own
	events chan ClientEvent
	done   chan struct{} // closed when own has ended
	quit   chan struct{} // closed to end own without an exit

	// State of own alone.
	paused   bool
	endsAt   time.Time // not zero: killed then
	askedFor bool      // any exit is right
	exitedAt time.Time

	broken   atomic.Bool
	closing  atomic.Bool
	closed   chan struct{}
	closeErr error // valid once closed is closed
}

var _ RunningClaim = (*claimRun)(nil)

func newClaimRun(target string, mode Mode, limits clientLimits) *claimRun {
	limits = limits.orDefaults()
	return &claimRun{
		target: target, limits: limits,
		listener: &listener{order: order{mode: mode, limits: limits, begun: time.Now()}},
		output:   make(chan heard), hungUp: make(chan struct{}), asks: make(chan func()),
		events: make(chan ClientEvent, eventsKept),
		done:   make(chan struct{}), quit: make(chan struct{}), closed: make(chan struct{}),
	}
}

// tell has own run f, unless own has ended, and waits for it.
func (r *claimRun) tell(f func()) {
	ran := make(chan struct{})
	select {
	case r.asks <- func() { defer close(ran); f() }:
		<-ran
	case <-r.done:
	}
}

// hasExited reports whether the adapter itself has ended.
func (r *claimRun) hasExited() bool {
	select {
	case <-r.body.exited():
		return true
	default:
		return false
	}
}

// whileRunning does something to the adapter, if it has not exited.
func (r *claimRun) whileRunning(what string, do func() error) error {
	if r.hasExited() {
		return fmt.Errorf("%s: the adapter %s has ended (%s)", what, r.target, r.body.exit().words)
	}
	if err := do(); err != nil {
		return fmt.Errorf("%s: the adapter %s: %w", what, r.target, err)
	}
	return nil
}

// Events are described at [RunningClaim].
func (r *claimRun) Events() <-chan ClientEvent { return r.events }

// Say writes a word.
func (r *claimRun) Say(word string) error {
	if word != Release && word != Fail && word != Cancel {
		return fmt.Errorf("an adapter knows no word %q: say %s, %s or %s", word, Release, Fail, Cancel)
	}
	return r.whileRunning(word, func() error {
		now := time.Now()
		r.tell(func() { r.listener.said(now, word) })
		return r.body.write([]byte(word + "\n"))
	})
}

// EndInput ends standard input and starts the time until the kill.
func (r *claimRun) EndInput() error {
	now := time.Now()
	r.tell(func() {
		if r.endsAt.IsZero() {
			r.askedFor, r.endsAt = true, now.Add(r.limits.end)
		}
	})
	return r.body.endInput()
}

// Pause stops the time limits and then the adapter, so that a pause never
// breaks it.
func (r *claimRun) Pause() error {
	return r.whileRunning("SIGSTOP", func() error {
		r.tell(func() { r.paused = true })
		err := r.body.pause()
		if err != nil {
			r.tell(func() { r.paused = false })
		}
		return err
	})
}

// Continue lets the adapter go on, and then its time limits.
func (r *claimRun) Continue() error {
	return r.whileRunning("SIGCONT", func() error {
		err := r.body.resume()
		now := time.Now()
		r.tell(func() {
			r.paused = r.paused && err != nil
			r.listener.resumed(now)
		})
		return err
	})
}

// Kill ends the adapter without a word.
func (r *claimRun) Kill() error {
	return r.whileRunning("SIGKILL", func() error {
		r.tell(func() { r.askedFor = true })
		return r.body.kill()
	})
}

// Waits is how long the adapter's threads waited for a processor.
func (r *claimRun) Waits() map[int]time.Duration { return r.body.waits() }

// Exited is closed when the adapter has exited.
func (r *claimRun) Exited() <-chan struct{} { return r.body.exited() }

// Exit is "" while the adapter runs.
func (r *claimRun) Exit() string {
	if !r.hasExited() {
		return ""
	}
	return r.body.exit().words
}

// Stderr is the tail of standard error.
func (r *claimRun) Stderr() string { return r.body.stderr() }

// Log is the tail of the log text on standard output.
func (r *claimRun) Log() string { return r.listener.log.String() }

// Close ends the adapter and waits for all of it. No lock is held meanwhile,
// so that virtual time can pass.
func (r *claimRun) Close() error {
	if r.closing.Swap(true) {
		<-r.closed
		return r.closeErr
	}
	defer close(r.closed)
	var errs []error
	if !r.hasExited() && !r.broken.Load() {
		r.body.resume() //nolint:errcheck // one that was paused could not end; others do not mind
		errs = append(errs, r.EndInput())
		within(r.body.exited(), r.limits.end)
	}
	r.tell(func() { r.askedFor = true })
	errs = append(errs, r.body.end())
	if !r.hasExited() {
		close(r.quit) // it is beyond our reach, and so is its end
	}
	<-r.done
	r.closeErr = errors.Join(errs...)
	return r.closeErr
}
