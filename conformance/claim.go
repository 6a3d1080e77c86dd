package conformance

import (
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/conformance/subject"
	"github.com/monolock-dev/monolock-conform/conformance/timeline"
	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

// Claim is one claim of the client under test: its adapter, and what the adapter
// said. One goroutine at a time uses it.
type Claim struct {
	t       *T
	who     string
	running subject.RunningClaim
	ask     subject.Claim
	box     mailbox[said]
	waits   waitMeter
	helloAt time.Time
	begins  string // what its first event says of its case

	mu    sync.Mutex
	holds []Hold
}

// said is an event of the adapter, with its place on the timeline.
type said struct {
	subject.ClientEvent
	event int
}

// ClaimOption changes how the client is asked.
type ClaimOption func(*subject.Claim)

// ForLease asks for that lease.
func ForLease(lease time.Duration) ClaimOption {
	return func(c *subject.Claim) { c.Lease = lease }
}

// Named asks for that lock.
func Named(name string) ClaimOption { return func(c *subject.Claim) { c.Name = name } }

// Retrying uses the client's own retrying call.
func Retrying() ClaimOption { return func(c *subject.Claim) { c.Mode = subject.Retry } }

// Claim starts a claim of the client under test against a server. The lease is the
// scenario's base lease, the lock a fresh one, one attempt, unless options say
// otherwise.
func (t *T) Claim(addr string, options ...ClaimOption) *Claim {
	ask := subject.Claim{Addr: addr, Name: t.Lock("job"), Lease: t.Lease, Mode: subject.Once, Case: t.scenario.ID}
	for _, option := range options {
		option(&ask)
	}
	defer t.startGate()()
	running, err := t.client.Start(t.ctx, ask)
	if err != nil {
		if t.ctx.Err() != nil {
			t.quit()
		}
		t.missing(fmt.Errorf("the adapter: %w", err))
	}
	c := &Claim{t: t, running: running, ask: ask}
	t.mu.Lock()
	t.claims = append(t.claims, c)
	c.who = fmt.Sprintf("client-%d", len(t.claims))
	t.mu.Unlock()
	c.begins = t.opens(c.who)
	t.onHangUp(func() { running.Close() })
	t.background(c.listen)
	if len(running.Waits()) > 0 { // else nobody tells: another system, or this program
		t.background(c.meter)
	}
	c.awaitHello()
	return c
}

// startGate waits for a place among the adapters that start, and returns the
// function that gives it back. Interpreters that all start at once would take the
// processors from the clients whose heartbeats are being judged. One that is still
// not there after [startingTime] mostly waits, and makes room for others.
func (t *T) startGate() (leave func()) {
	if t.starting == nil {
		return func() {}
	}
	select {
	case t.starting <- struct{}{}:
	case <-t.ctx.Done():
		t.quit()
	}
	gate := t.starting
	back := sync.OnceFunc(func() { <-gate })
	timer := time.AfterFunc(startingTime, back)
	return func() {
		timer.Stop()
		back()
	}
}

// awaitHello waits until the adapter runs, so that an interpreter's slow start is
// nothing of the client's. The subject ends the wait where no hello comes.
func (c *Claim) awaitHello() {
	const ever = time.Hour
	e, ok := c.look(time.Now().Add(ever), false, subject.Hello, subject.Ended)
	if !ok || e.Kind == subject.Ended {
		c.t.missing(fmt.Errorf("the adapter ended before its hello: %s", e.Exit))
	}
	c.helloAt = e.At
}

// listen puts what the adapter says on the timeline and into the mailbox.
func (c *Claim) listen() {
	begins := c.begins
	for e := range c.running.Events() {
		note := describeEvent(e)
		if begins != "" {
			note, begins = note+"; "+begins, ""
		}
		event := c.t.tl.Add(e.At, timeline.Event{Who: c.who, By: timeline.Subject, What: timeline.Remark, Note: note})
		c.hold(e)
		c.box.put(said{ClientEvent: e, event: event})
	}
}

// hold keeps when the client claims: from granted to the first of lost, finished
// and its end.
func (c *Claim) hold(e subject.ClientEvent) {
	c.mu.Lock()
	defer c.mu.Unlock()
	open := len(c.holds) > 0 && c.holds[len(c.holds)-1].To.IsZero()
	switch {
	case e.Kind == subject.Granted:
		c.holds = append(c.holds, Hold{Who: c.who, From: e.At, Token: e.Token})
	case open && (e.Kind == subject.Lost || e.Kind == subject.Finished || e.Kind == subject.Ended):
		c.holds[len(c.holds)-1].To = e.At
	}
}

// Holds returns when the client said that it held, so far.
func (c *Claim) Holds() []Hold {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]Hold(nil), c.holds...)
}

// Who names the claim as the timeline does.
func (c *Claim) Who() string { return c.who }

// Release tells the work to return.
func (c *Claim) Release() Stamp { return c.say(subject.Release) }

// Fail tells the work to end with an error of its own.
func (c *Claim) Fail() Stamp { return c.say(subject.Fail) }

// Cancel cancels the caller's call.
func (c *Claim) Cancel() Stamp { return c.say(subject.Cancel) }

func (c *Claim) say(word string) Stamp {
	before := time.Now()
	c.t.tl.Add(before, timeline.Event{Who: c.who, By: timeline.Suite, What: timeline.Remark, Note: "the word " + word})
	c.running.Say(word) // an adapter that is gone shows in its events
	return Stamp{Before: before, After: time.Now()}
}

// Kill ends the adapter's process without a word.
func (c *Claim) Kill() Stamp {
	before := time.Now()
	c.t.Remark(c.who, "SIGKILL sent")
	c.running.Kill()
	return Stamp{Before: before, After: time.Now()}
}

// Pause stops the adapter and all that it started; false says that it cannot be
// stopped.
func (c *Claim) Pause() bool {
	c.t.Remark(c.who, "SIGSTOP sent to the process group")
	return c.running.Pause() == nil
}

// Continue lets a stopped adapter go on.
func (c *Claim) Continue() Stamp {
	before := time.Now()
	c.t.Remark(c.who, "SIGCONT sent to the process group")
	c.running.Continue()
	return Stamp{Before: before, After: time.Now()}
}

// describeEvent shows an event of an adapter in words. Its text is escaped where
// the timeline is shown.
func describeEvent(e subject.ClientEvent) string {
	switch e.Kind {
	case subject.Hello:
		return fmt.Sprintf("hello from %s %s (%s), lacks %v", e.Hello.Client, e.Hello.Version, e.Hello.Language, e.Hello.Lacks)
	case subject.Granted:
		return fmt.Sprintf("granted, token %d", e.Token)
	case subject.Lost:
		return "lost: " + e.Cause
	case subject.Result:
		code := "no code"
		if e.Code != nil {
			code = wire.Code(*e.Code).String()
		}
		return fmt.Sprintf("result %s, %s: %s", e.Outcome, code, e.Message)
	case subject.Broken:
		return "the adapter broke the contract: " + e.Err.Error()
	case subject.Ended:
		return "ended: " + e.Exit
	}
	return string(e.Kind)
}

// Offers reports whether the client has a feature.
func (t *T) Offers(f spec.Feature) bool { return slices.Contains(t.features, f) }

// Close ends the adapter, and waits for that.
func (c *Claim) Close() { c.running.Close() }
