package conformance

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/conformance/subject"
)

// WantGranted takes the start of the work, within the window, and returns the
// token that it got.
func (c *Claim) WantGranted(id spec.ID, why string, w Window) uint64 {
	e, ok := c.take(w.By.Add(latePatience), subject.Granted, subject.Result)
	c.judge(id, why, "the work starts", subject.Granted, e, ok, w)
	return e.Token
}

// WantEnd takes the end of the claim, within the window: the stop signal reaches
// the work, or the work ends.
func (c *Claim) WantEnd(id spec.ID, why string, w Window) time.Time {
	e, ok := c.take(w.By.Add(latePatience), subject.Lost, subject.Finished, subject.Result)
	c.judge(id, why, "the stop signal reaches the work", subject.Lost, e, ok, w)
	return e.At
}

// Ends reports whether the claim ends, for as long as WantEnd would wait, without a
// judgement. What it saw stays for WantEnd.
func (c *Claim) Ends(w Window) bool {
	_, ok := c.look(w.By.Add(latePatience+c.t.params.Patience), false, subject.Lost, subject.Finished, subject.Result)
	return ok
}

// WantFinished takes the last statement of the work, within the window.
func (c *Claim) WantFinished(id spec.ID, why string, w Window) {
	e, ok := c.take(w.By.Add(latePatience), subject.Finished, subject.Result)
	c.judge(id, why, "the work ends", subject.Finished, e, ok, w)
}

// judge judges the event that came, or that none did.
func (c *Claim) judge(id spec.ID, why, expected string, kind subject.EventKind, e said, ok bool, w Window) {
	switch {
	case !ok && c.t.Lateness(w.From) >= latePatience:
		c.t.Doubt(id, why, expected, c.who+": nothing")
	case !ok:
		c.t.Late(id, why, expected, fmt.Sprintf("%s: not within %s", c.who, span(time.Since(w.From))))
	case e.Kind != kind:
		c.t.judge(Judgement{ID: id, Verdict: failed(id), Sentence: why, Expected: expected, Actual: c.who + ": " + describeEvent(e.ClientEvent), Event: e.event})
	default:
		c.t.judgeInstant(c.who, id, why, expected, e.At, e.event, w)
	}
}

// WantResult takes the result, with one of the outcomes, and returns it.
func (c *Claim) WantResult(id spec.ID, why string, outcomes ...subject.Outcome) subject.ClientEvent {
	e, ok := c.take(time.Now().Add(resultTime), subject.Result)
	names := make([]string, len(outcomes))
	for i, o := range outcomes {
		names[i] = string(o)
	}
	expected := "result " + strings.Join(names, " or ")
	switch {
	case !ok:
		c.t.Late(id, why, expected, fmt.Sprintf("%s: no result within %v", c.who, resultTime))
	case !slices.Contains(outcomes, e.Outcome):
		c.t.judge(Judgement{ID: id, Verdict: failed(id), Sentence: why, Expected: expected, Actual: c.who + ": " + describeEvent(e.ClientEvent), Event: e.event})
	default:
		c.t.Pass(id, why)
	}
	return e.ClientEvent
}

// WantNoClaim proves that the work does not start before an instant.
func (c *Claim) WantNoClaim(id spec.ID, why string, until time.Time) bool {
	return c.wantNone(id, why, "the work does not start", until, subject.Granted)
}

// WantStillClaims proves that the claim goes on until an instant.
func (c *Claim) WantStillClaims(id spec.ID, why string, until time.Time) bool {
	return c.wantNone(id, why, "the claim goes on", until, subject.Lost, subject.Finished, subject.Result)
}

func (c *Claim) wantNone(id spec.ID, why, expected string, until time.Time, kinds ...subject.EventKind) bool {
	e, ok := c.look(until, false, kinds...)
	if ok && e.At.Before(until) {
		c.t.judge(Judgement{ID: id, Verdict: failed(id), Sentence: why, Expected: expected, Actual: c.who + ": " + describeEvent(e.ClientEvent), Event: e.event})
		return false
	}
	c.t.Pass(id, why)
	return true
}

// Next takes the next event of those kinds without a judgement.
func (c *Claim) Next(until time.Time, kinds ...subject.EventKind) (subject.ClientEvent, bool) {
	e, ok := c.take(until, kinds...)
	return e.ClientEvent, ok
}

// Glance is Next for whoever looks at several things in turn: it looks for the time d,
// also where the run has all the patience of a debugger.
func (c *Claim) Glance(d time.Duration, kinds ...subject.EventKind) (subject.ClientEvent, bool) {
	e, ok := c.look(time.Now().Add(d), true, kinds...)
	return e.ClientEvent, ok
}

// take takes the next event of those kinds. An adapter that breaks or ends without
// a result is no finding about the client.
func (c *Claim) take(until time.Time, kinds ...subject.EventKind) (said, bool) {
	return c.look(until.Add(c.t.params.Patience), true, kinds...)
}

func (c *Claim) look(until time.Time, take bool, kinds ...subject.EventKind) (said, bool) {
	e, ok := c.box.await(c.t.ctx, until, take, func(e said) bool {
		return slices.Contains(kinds, e.Kind) || e.Kind == subject.Broken
	})
	switch {
	case c.t.ctx.Err() != nil:
		c.t.quit()
	case ok && e.Kind == subject.Broken:
		c.t.missing(fmt.Errorf("the adapter: %w", e.Err))
	}
	return e, ok
}
