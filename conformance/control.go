package conformance

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/monitor"
	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/conformance/subject"
	"github.com/monolock-dev/monolock-conform/conformance/timeline"
)

// Terminate asks the scenario's own server for its controlled stop (SIGTERM).
func (t *T) Terminate() Stamp { return t.end("SIGTERM", t.instance.Terminate) }

func (t *T) end(signal string, send func() error) Stamp {
	t.disturb()
	before := time.Now()
	t.tl.Add(before, timeline.Event{Who: "server", By: timeline.Suite, What: timeline.Remark, Note: signal + " sent"})
	if err := send(); err != nil {
		t.missing(fmt.Errorf("sending %s: %w", signal, err))
	}
	return Stamp{Before: before, After: time.Now()}
}

// disturb notes that sessions may now end by the scenario's own doing.
func (t *T) disturb() {
	t.Remark("server", monitor.Restart)
	t.mu.Lock()
	defer t.mu.Unlock()
	t.disturbed = true
}

// exitTime is how long a server may take to end after SIGTERM: the documents
// set no limit, a container runtime kills after ten seconds.
const exitTime = 10 * time.Second

// AwaitExit waits until the scenario's own server has ended.
func (t *T) AwaitExit() {
	timer := time.NewTimer(exitTime)
	defer timer.Stop()
	select {
	case <-t.instance.Exited():
		t.Remark("server", "ended: %s", t.instance.Exit())
	case <-timer.C:
		t.Remark("server", "still runs %v after the signal; killed", exitTime)
		t.instance.Kill()
		<-t.instance.Exited()
	case <-t.ctx.Done():
		t.quit()
	}
}

// Exited reports whether the scenario's own server has ended, and how.
func (t *T) Exited() (how string, ended bool) {
	select {
	case <-t.instance.Exited():
		return t.instance.Exit(), true
	default:
		return "", false
	}
}

// StartAgain starts the scenario's own server again on its address, after it
// ended. A server that does not come back fails the requirement.
func (t *T) StartAgain(id spec.ID, why string) {
	t.back(id, why, t.instance.Start)
}

// Restart stops the server in the controlled way and starts it again: the
// scenario's own one, or the shared one by the user's restart command.
func (t *T) Restart(id spec.ID, why string) {
	if t.instance != nil {
		t.Terminate()
		t.AwaitExit()
		t.StartAgain(id, why)
		return
	}
	t.disturb()
	t.Remark("server", "the restart command runs")
	t.back(id, why, t.restart)
	for _, s := range t.sessions {
		if !s.over() && s.held() {
			a, _ := s.peekNews(time.Now().Add(AtOnceTime))
			if a.end == nil {
				t.missing(fmt.Errorf("your restart command restarted nothing: %s was opened before it and is still open", s.who))
			}
		}
	}
}

func (t *T) back(id spec.ID, why string, start func(context.Context) error) {
	if err := start(t.ctx); err != nil {
		if t.ctx.Err() != nil {
			t.quit()
		}
		var command *subject.RestartError
		if errors.As(err, &command) && !command.Ran {
			t.missing(fmt.Errorf("your restart command did not do its work, so nothing is said of the server: %w", err))
		}
		t.Fail(id, why, "a server that serves again", escapeLines(err.Error()))
	}
	t.Remark("server", "answers again")
}

// ServerIsHere reports whether the server under test runs in this process.
func (t *T) ServerIsHere() bool {
	_, own := t.server.(subject.Instance)
	_, process := t.server.(subject.Process)
	return own && !process
}

// Process returns the scenario's own server as a process.
func (t *T) Process() subject.Process { return t.instance.(subject.Process) }
