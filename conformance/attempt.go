package conformance

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/monitor"
	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/conformance/subject"
	"github.com/monolock-dev/monolock-conform/conformance/timeline"
)

// bench is what an attempt runs on.
type bench struct {
	attempts *atomic.Int64 // counts them
	starting chan struct{} // see clientSide
	target   Target
	params   Params
	world    *world
	canary   *canary
}

// try runs a scenario once and returns what came of it. It returns when all
// that the attempt started has ended.
func (b bench) try(ctx context.Context, s Scenario) Result {
	started := time.Now()
	result := Result{Scenario: s, Attempts: 1, Started: started, Zero: started}
	a := &attempt{
		number: b.next(), scenario: s, params: b.params, server: b.target.Server, world: b.world, canary: b.canary,
		tl: timeline.New(started),
		clientSide: clientSide{
			starting: b.starting, client: b.target.Client, listen: b.target.Listen, dialServer: b.target.Dial, features: b.target.Offers(),
		},
	}
	if why := b.lacks(s); why != "" {
		a.unsupported(why)
	} else {
		b.run(ctx, a)
	}
	result.Judgements = merge(a.verdicts)
	result.Verdict = verdictOf(result.Judgements)
	result.Observations, result.Attachments = a.observed, a.kept
	result.Events = a.tl.Events()
	result.Ended = time.Now()
	result.noise = max(a.canary.since(started), a.starved())
	a.marks(&result)
	if a.instance != nil {
		result.Output = a.instance.Output()
	}
	return result
}

// next numbers an attempt.
func (b bench) next() int64 {
	if b.attempts == nil {
		return 1
	}
	return b.attempts.Add(1)
}

// lacks says which feature the subject lacks for a scenario, or "".
func (b bench) lacks(s Scenario) string {
	for _, f := range s.Needs {
		restart := s.RestartSuffices && b.target.Restart != nil
		if !slices.Contains(b.target.Offers(), f) && !(f == spec.FeatureControl && restart) {
			return fmt.Sprintf("the subject does not offer the feature %s", f)
		}
	}
	return ""
}

func (a *attempt) unsupported(why string) {
	for _, id := range a.scenario.Judges {
		a.add(Judgement{ID: id, Verdict: Unsupported, Actual: why, Event: -1})
	}
}

// run gives the attempt its server and its time, and sums up.
func (b bench) run(ctx context.Context, a *attempt) {
	ctx, cancel := context.WithTimeoutCause(ctx, a.scenario.budget(b.params), errBudget)
	defer cancel()
	a.ctx = ctx
	if err := b.provide(a); err != nil {
		if ctx.Err() != nil {
			a.conclude(context.Cause(ctx))
			return
		}
		a.broken(err)
		return
	}
	a.perform()
	a.outside()
	if a.absent == nil && ctx.Err() == nil {
		a.surprises()
	}
	cause := context.Cause(ctx) // before the attempt's own end becomes one
	a.hangUp(cancel)
	a.monitors()
	a.conclude(cause)
	if a.instance != nil {
		a.instance.Close()
	}
}

var errBudget = errors.New("the scenario did not end within its budget")

// provide starts the scenario's own server where it needs one.
func (b bench) provide(a *attempt) error {
	switch {
	case a.scenario.Role == spec.RoleClient:
		if _, inProcess := b.target.Client.(subject.InProcessClient); a.scenario.NeedsProcess && inProcess {
			a.unsupported("only a client that runs as a process can show this")
		}
	case !slices.Contains(a.scenario.Needs, spec.FeatureControl):
	case b.target.Launcher != nil:
		instance, err := b.target.Launcher.Launch(a.ctx)
		if err != nil {
			return fmt.Errorf("the scenario's own server: %w", err)
		}
		a.instance, a.server, a.world = instance, instance, nil
		if _, ok := instance.(subject.Process); a.scenario.NeedsProcess && !ok {
			a.unsupported("only a server that runs as a process can show this")
			return instance.Close()
		}
	default:
		a.restart = b.target.Restart
	}
	return nil
}

// perform runs the scenario's function in a goroutine of its own, since a
// judgement may end it at any point.
func (a *attempt) perform() {
	if len(a.verdicts) > 0 {
		return
	}
	done := make(chan struct{})
	t := &T{attempt: a, Lease: a.params.Lease, Rand: seeded(a.params.Seed, a.scenario.ID)}
	a.start(t, a.scenario.Run, func() { close(done) })
	<-done
}

// outside takes back what was judged of the scenario's own server when somebody
// else ended it meanwhile.
func (a *attempt) outside() {
	if a.instance == nil || a.disturbed {
		return
	}
	select {
	case <-a.instance.Exited():
	default:
		return
	}
	if how := a.instance.Exit(); killedFromOutside(how) {
		a.mu.Lock()
		a.verdicts, a.aborted = nil, true
		a.absent = fmt.Errorf("the scenario's own server ended in the middle: %s", how)
		a.mu.Unlock()
	}
}

// surprises judges sessions that the server ended although the suite kept its
// side and nobody waited for the end.
func (a *attempt) surprises() {
	if a.aborted {
		return
	}
	for _, s := range a.sessions {
		if d, ended := s.dropped(); ended && s.holdsUntil(d.at) {
			a.add(Judgement{
				ID: spec.S_HB_06, Verdict: Fail, Event: d.event, Timing: s.leaseMatters(),
				Sentence: "a session that is not silent for its lease goes on",
				Expected: fmt.Sprintf("%s goes on: its lease is %v", s.who, s.lease),
				Actual:   fmt.Sprintf("%s %v after its last message", endText(d.end), span(d.at.Sub(s.Last().Before))),
			})
			return
		}
	}
}

// dropped tells how the server ended a session that should have gone on.
func (s *Session) dropped() (end arrival, ended bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	expendable := s.hostile || s.restarter || s.t.disturbed || s.closed || s.taken
	if s.ended == nil || expendable || s.state != waiting && s.state != holding || isGarbage(s.ended.end) {
		return arrival{}, false
	}
	return *s.ended, true
}

// hangUp ends every session and waits for the attempt's goroutines.
func (a *attempt) hangUp(cancel context.CancelFunc) {
	for _, s := range a.sessions {
		if !s.closed {
			s.Close()
		}
		s.conn.Close()
	}
	a.mu.Lock()
	ends := a.ends
	a.mu.Unlock()
	for _, end := range ends {
		end()
	}
	cancel()
	a.workers.Wait()
}

// monitors judges the timeline. What a monitor finds counts in any scenario;
// that it held counts where the scenario is about it.
func (a *attempt) monitors() {
	check := monitor.Server
	if a.scenario.Role == spec.RoleClient {
		check = monitor.Client
	}
	for _, f := range check(a.tl.Events()) {
		for _, v := range f.Violations {
			a.add(Judgement{
				ID: f.ID, Verdict: failed(f.ID), Sentence: "monitor: " + v.Expected,
				Expected: v.Expected, Actual: v.Actual, Event: v.Event,
			})
		}
		if f.Held() && slices.Contains(a.scenario.Judges, f.ID) {
			a.add(Judgement{ID: f.ID, Verdict: Pass, Sentence: "monitor", Event: -1})
		}
	}
}

// conclude gives every requirement that was promised and not judged a verdict,
// so that none is forgotten.
func (a *attempt) conclude(cause error) {
	a.mu.Lock()
	judged := map[spec.ID]bool{}
	for _, j := range a.verdicts {
		judged[j.ID] = true
	}
	absent, aborted := a.absent, a.aborted
	a.mu.Unlock()
	for _, id := range a.scenario.Judges {
		switch {
		case absent != nil:
			a.undecided(id, Error, a.needs(), escapeLines(absent.Error()))
		case errors.Is(cause, errBudget):
			a.undecided(id, Error, "a scenario that ends in its time", cause.Error())
		case cause != nil:
			a.undecided(id, Inconclusive, "a run that goes on to its end", NotReached+escapeLines(cause.Error()))
		case judged[id]:
		case aborted:
			a.undecided(id, Inconclusive, "a scenario that comes to this point", NotReached+"something before it did not hold")
		default:
			a.undecided(id, Error, "a judgement on "+string(id), "the scenario ended without one, which is a fault of the suite")
		}
	}
}

// needs is what a scenario cannot do without.
func (a *attempt) needs() string {
	if a.scenario.Role == spec.RoleClient {
		return "an adapter that runs and keeps to its contract"
	}
	return "a server that can be reached"
}

func (a *attempt) undecided(id spec.ID, v Verdict, expected, actual string) {
	a.add(Judgement{ID: id, Verdict: v, Expected: expected, Actual: actual, Event: a.tl.Len() - 1})
}

// broken records that the harness could not run the scenario at all.
func (a *attempt) broken(err error) {
	for _, id := range a.scenario.Judges {
		a.undecided(id, Error, "a server to test", escapeLines(err.Error()))
	}
}

// verdictOf is the worst of several judgements.
func verdictOf(judgements []Judgement) Verdict {
	worst := Verdict("")
	for _, j := range judgements {
		worst = Worst(worst, j.Verdict)
	}
	return worst
}

// escapeLines makes text that may hold a subject's words fit for one line.
func escapeLines(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return ' '
		case r < 0x20 || r == 0x7f || r >= 0x80 && r < 0xa0:
			return '�'
		}
		return r
	}, text)
}
