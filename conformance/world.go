package conformance

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/subject"
	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

// Gone says that the subject stopped serving, and the run ended early for it.
type Gone struct {
	At time.Time
	// Negative is the negative case during or right after which it happened,
	// in words, or "" when there was none.
	Negative string
	// Scenario is the one that had the negative case open.
	Scenario string
	Seen     string // what the liveness check saw
}

// Error says it in one sentence.
func (g *Gone) Error() string {
	if g.Negative != "" {
		return fmt.Sprintf("the server stopped serving during or right after a negative case (%s, %s): %s", g.Scenario, g.Negative, g.Seen)
	}
	return "the server went away in the middle of the run: " + g.Seen
}

// world is what the scenarios of one run share: the knowledge of whether the
// shared subject still serves.
type world struct {
	server subject.Server
	end    context.CancelCauseFunc // ends the run

	mu        sync.Mutex
	negatives []negative
	gone      *Gone
}

// negative is a negative case while it is open, and for a moment after.
type negative struct {
	scenario, what string
	from, to       time.Time // to is zero while it is open
}

// aftermath is how long after a negative case the server's end still counts as
// its consequence: a crash takes a moment to close the sockets.
const aftermath = 100 * time.Millisecond

// openNegative notes that a negative case begins; the function closes it.
func (w *world) openNegative(scenario, what string) (done func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.negatives = append(w.negatives, negative{scenario: scenario, what: what, from: time.Now()})
	i := len(w.negatives) - 1
	return func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.negatives[i].to = time.Now()
	}
}

// negativeAt returns the latest negative case that was open at that instant.
func (w *world) negativeAt(at time.Time) (negative, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, n := range slices.Backward(w.negatives) {
		if !at.Before(n.from) && (n.to.IsZero() || at.Before(n.to.Add(aftermath))) {
			return n, true
		}
	}
	return negative{}, false
}

// check asks whether the server still serves, and returns nil when it does. When
// it does not, check notes so and ends the run; died is the earliest sign of it.
// When the run ends meanwhile, the answer is why.
func (w *world) check(ctx context.Context, lock string, died time.Time) error {
	if w.lost() != nil {
		return w.lost()
	}
	err := alive(ctx, w.server, lock)
	switch {
	case err == nil, ownLimit(err):
		return nil
	case w.lost() != nil:
		return w.lost()
	case ctx.Err() != nil:
		return context.Cause(ctx)
	}
	if instance, own := w.server.(subject.Instance); own && ended(instance) {
		return w.exited(instance, died)
	}
	gone := &Gone{At: died, Seen: err.Error()}
	if n, found := w.negativeAt(died); found {
		gone.Negative, gone.Scenario = n.what, n.scenario
	}
	return w.over(gone)
}

// over notes the first Gone, ends the run and returns what was noted.
func (w *world) over(gone *Gone) error {
	w.mu.Lock()
	if w.gone == nil {
		w.gone = gone
	}
	gone = w.gone
	w.mu.Unlock()
	w.end(gone)
	return gone
}

// lost returns the Gone of the run, or nil.
func (w *world) lost() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.gone == nil {
		return nil
	}
	return w.gone
}

// aliveTries is how often a server is asked before it counts as gone, so that one
// refused connection is no verdict.
const aliveTries = 2

// alive asks the server for a fresh lock. It returns nil when any monolock
// frame comes back, and else what was seen.
func alive(ctx context.Context, server subject.Server, lock string) (err error) {
	for range aliveTries {
		if err = askOnce(ctx, server, lock); err == nil || ctx.Err() != nil {
			return err
		}
	}
	return err
}

func askOnce(ctx context.Context, server subject.Server, lock string) error {
	ctx, cancel := context.WithTimeout(ctx, AnswerTime)
	defer cancel()
	conn, err := server.Dial(ctx)
	if err != nil {
		return fmt.Errorf("a fresh connection: %w", err)
	}
	defer conn.Close()
	stop := context.AfterFunc(ctx, func() { conn.Close() })
	defer stop()
	if _, err := conn.Write(wire.Bytes(wire.AcquireFrame(lock, millis(patientLease)))); err != nil {
		return fmt.Errorf("an ACQUIRE on a fresh connection: %w", err)
	}
	if _, err = wire.NewReader(conn).ReadServer(); err == nil {
		return nil
	}
	if ctx.Err() != nil && errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return fmt.Errorf("an ACQUIRE on a fresh connection had no answer within %v", AnswerTime)
	}
	return fmt.Errorf("an ACQUIRE on a fresh connection was answered with %w", err)
}

// millis converts a lease to the wire's unit.
func millis(lease time.Duration) uint32 { return uint32(lease.Milliseconds()) }

// killers are the ends that somebody else gave the process: no fault of its own.
var killers = []string{"SIGKILL", "SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT"}

func killedFromOutside(exit string) bool {
	return slices.ContainsFunc(killers, func(k string) bool { return strings.Contains(exit, k) })
}

// exited notes that a server which the suite started has ended.
func (w *world) exited(instance subject.Instance, at time.Time) error {
	gone := &Gone{At: at, Seen: "its process ended: " + instance.Exit()}
	if out := instance.Output(); out != "" {
		gone.Seen += "; the last it wrote: " + escapeLines(lastLines(out))
	}
	n, found := w.negativeAt(at)
	if found && !killedFromOutside(instance.Exit()) {
		gone.Negative, gone.Scenario = n.what, n.scenario
	}
	return w.over(gone)
}

// reapTime is how long after its sockets a process may take to be seen ended.
const reapTime = 200 * time.Millisecond

// ended reports whether a server that the suite started has ended.
func ended(instance subject.Instance) bool {
	timer := time.NewTimer(reapTime)
	defer timer.Stop()
	select {
	case <-instance.Exited():
		return true
	case <-timer.C:
		return false
	}
}

// lastLines returns the last few lines of a server's output.
func lastLines(out string) string {
	const keep = 400
	return strings.TrimSpace(out[max(len(out)-keep, 0):])
}
