package conformance

import (
	"cmp"
	"context"
	"errors"
	"runtime"
	"slices"
	"sync/atomic"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/conformance/subject"
)

// Plan is what [Run] is to do.
type Plan struct {
	Scenarios []Scenario
	Target    Target
	Params    Params
	Jobs      int // how many parallel scenarios at once; 0 is DefaultJobs
	Repeat    int // how often each runs; 0 is once
	// Quiet says that nothing is late, as in virtual time or where a person has all the
	// time: no canary runs, and nothing runs again to be sure.
	Quiet bool
	// Regardless says to go on when the server no longer serves, for servers
	// that never did: the suite's own defects.
	Regardless bool
	Observer   Observer // nil for none
}

// DefaultJobs is how many parallel scenarios run at once. They mostly wait, so
// the number is far above that of the processors: about as many as make the
// longest scenario, and not their sum, decide how long a run takes.
const DefaultJobs = 32

// DefaultClientJobs is how many scenarios of a client run at once. Each starts
// processes, and many at once on few cores would make each other late.
const DefaultClientJobs = 12

// Observer is told what happens in a run, in its own time. Calls come one at a
// time.
type Observer interface {
	Started(s Scenario)
	Finished(r Result)
}

// Run runs the plan's scenarios, each of the parallel class beside others, each
// of the exclusive class alone, and once more alone what the suite's own delay
// left in doubt. It returns when all that it started has ended. When ctx ends,
// or when the subject stops serving, what was not finished is inconclusive.
func Run(ctx context.Context, plan Plan) *Outcome {
	started := time.Now()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	w := &world{server: plan.Target.Server, end: cancel}
	r := &runner{
		plan: plan, observe: newTeller(plan.Observer),
		bench: bench{attempts: new(atomic.Int64), starting: make(chan struct{}, max(2, runtime.NumCPU())), target: plan.Target, params: plan.Params, world: w},
	}
	birds, still := context.WithCancel(context.WithoutCancel(ctx))
	if !plan.Quiet {
		r.canary = startCanary(birds)
	}
	watching := w.watch(ctx)
	outcome := &Outcome{Started: started, Results: r.all(ctx)}
	outcome.Ended = context.Cause(ctx)
	errors.As(w.lost(), &outcome.Gone)
	outcome.Noise = r.canary.summary()
	still()
	r.canary.wait()
	cancel(nil)
	<-watching
	outcome.Duration = time.Since(started)
	return outcome
}

// watch notices at once when a server that the suite started ends on its own.
func (w *world) watch(ctx context.Context) <-chan struct{} {
	done := make(chan struct{})
	instance, own := w.server.(subject.Instance)
	if !own {
		close(done)
		return done
	}
	go func() {
		defer close(done)
		select {
		case <-ctx.Done():
		case <-instance.Exited():
			w.exited(instance, time.Now())
		}
	}()
	return done
}

// runner carries a plan out.
type runner struct {
	bench
	plan    Plan
	observe *teller
	// live says that a scenario's first round is its last, so that its result
	// can be told as soon as it stands.
	live bool
}

// all runs every scenario as often as the plan says and sums up.
func (r *runner) all(ctx context.Context) []Result {
	rounds := max(r.plan.Repeat, 1)
	r.live = rounds == 1
	var results []Result
	for round := range rounds {
		if round > 0 && ctx.Err() != nil {
			break
		}
		once := r.round(ctx)
		if round == 0 {
			results = once
			continue
		}
		for i := range results {
			results[i] = repeated(results[i], once[i])
		}
	}
	r.blame(results)
	for _, result := range results {
		r.observe.finished(result)
	}
	return results
}

// round runs every scenario once, and the doubtful ones again alone.
func (r *runner) round(ctx context.Context) []Result {
	results := make([]Result, len(r.plan.Scenarios))
	parallel, exclusive := r.split()
	jobs := r.plan.Jobs
	if jobs < 1 {
		jobs = DefaultJobs
	}
	sideBySide(jobs, parallel, func(i int) { results[i] = r.one(ctx, i) })
	sideBySide(1, exclusive, func(i int) { results[i] = r.one(ctx, i) })
	r.settle(ctx, results)
	return results
}

// enoughConfirmed is how many missed times in a row must be missed again by a
// scenario that runs alone, until those that are left are believed: a server that
// is slow in all it does should not be waited for again and again.
const enoughConfirmed = 5

// split sorts the plan's scenarios by class; the longest parallel one first, so
// that none starts late and makes the run long.
func (r *runner) split() (parallel, exclusive []int) {
	for i, s := range r.plan.Scenarios {
		if s.Class == Exclusive || s.RestartSuffices && r.plan.Target.Launcher == nil {
			exclusive = append(exclusive, i)
		} else {
			parallel = append(parallel, i)
		}
	}
	slices.SortStableFunc(parallel, func(a, b int) int {
		return cmp.Compare(r.plan.Scenarios[b].length(r.plan.Params), r.plan.Scenarios[a].length(r.plan.Params))
	})
	return parallel, exclusive
}

// one runs a scenario, and asks whether the server still serves when it did
// not pass: what a server that is gone does not do is no finding.
func (r *runner) one(ctx context.Context, i int) Result {
	s := r.plan.Scenarios[i]
	if ctx.Err() != nil {
		return r.skipped(s, context.Cause(ctx))
	}
	r.observe.started(s)
	result := r.try(ctx, s)
	if result.Verdict.Settled() || usesOwnServer(s, r.target) || r.plan.Regardless || r.target.Client != nil {
		return r.told(result)
	}
	if gone := r.world.check(ctx, r.params.LockPrefix+r.params.Nonce+shortHash(s.ID)+"/alive", lastEnd(result)); gone != nil {
		return r.voided(result, gone)
	}
	return r.told(result)
}

// told tells the observer, unless the result may yet change.
func (r *runner) told(result Result) Result {
	if r.live && !doubtful(result) && !r.mayBeLate(result) {
		r.observe.finished(result)
	}
	return result
}

func usesOwnServer(s Scenario, target Target) bool {
	return slices.Contains(s.Needs, spec.FeatureControl) && target.Launcher != nil
}

// skipped is the result of a scenario that was not run.
func (r *runner) skipped(s Scenario, cause error) Result {
	now := time.Now()
	return r.voided(Result{Scenario: s, Started: now, Zero: now, Ended: now}, cause)
}

// voided takes back what a scenario judged, since the run ended under it.
func (r *runner) voided(result Result, cause error) Result {
	result.Judgements = nil
	for _, id := range result.Scenario.Judges {
		result.Judgements = append(result.Judgements, Judgement{
			ID: id, Verdict: Inconclusive, Expected: "a run that goes on to its end",
			Actual: NotDecided + escapeLines(cause.Error()), Event: -1,
		})
	}
	result.Verdict = Inconclusive
	return result
}

// blame gives S-ROB-01 the verdict that a negative case earned by ending the server.
func (r *runner) blame(results []Result) {
	var gone *Gone
	if !errors.As(r.world.lost(), &gone) || gone.Negative == "" {
		return
	}
	for i := range results {
		if results[i].Scenario.ID == gone.Scenario {
			results[i].Judgements = append(results[i].Judgements, Judgement{
				ID: spec.S_ROB_01, Verdict: Fail, Sentence: "the server still serves after a negative case",
				Expected: "a server that goes on serving", Actual: escapeLines(gone.Error()), Event: len(results[i].Events) - 1,
			})
			results[i].Verdict = verdictOf(results[i].Judgements)
		}
	}
}

// lastEnd is the best sign in a timeline of when the server went away: when it last
// ended a session, or else the end of the attempt.
func lastEnd(r Result) time.Time {
	for _, e := range slices.Backward(r.Events) {
		if e.By == "subject" && (e.What == "fin" || e.What == "rst") {
			return r.Zero.Add(e.At)
		}
	}
	return r.Ended
}

// inRound is what one round says of a requirement. A monitor that found nothing
// is silent, so a round that accuses nobody passes what it did not speak of.
func inRound(r Result, id spec.ID) Verdict {
	if v := find(r, id); v != "" || !r.Verdict.Settled() {
		return v
	}
	return Pass
}

// find returns the verdict of one requirement, or "" where it was not judged.
func find(r Result, id spec.ID) Verdict {
	for _, j := range r.Judgements {
		if j.ID == id {
			return j.Verdict
		}
	}
	return ""
}
