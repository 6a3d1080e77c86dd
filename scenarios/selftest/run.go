package selftest

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/spec"
)

// Options are how the wrong ones are run.
type Options struct {
	Params conformance.Params
	Jobs   int // how many at once
	// Defect returns the command, as a shell would read it, that runs a defect as a
	// process.
	Defect func(id string) string
}

// Proof is what came of one wrong server or client.
type Proof struct {
	Wrong    Wrong
	Failed   []spec.ID     // requirements that were found not to hold
	Missed   []spec.ID     // those that it breaks, and that passed
	Open     []spec.ID     // those that it breaks, and that could not be told
	Unlisted []spec.ID     // those that failed and that it does not break
	Err      error         // the subject could not be run, or the suite broke
	Took     time.Duration // of the run
}

// Refused reports whether it was found out, and for nothing else than what it
// breaks.
func (p Proof) Refused() bool {
	return p.Err == nil && len(p.Missed) == 0 && len(p.Open) == 0 && len(p.Unlisted) == 0
}

// Run runs each wrong one against the scenarios that could see it, some side by
// side, and tells of each as it is done, one at a time. What is not refused as it
// should be runs again alone at the end: many at once make each other late. It
// returns when all are told, or when ctx ends; then those that were not reached are
// not told.
func Run(ctx context.Context, all []Wrong, o Options, done func(Proof)) {
	var tell sync.Mutex
	var again []Wrong
	sideBySide(ctx, all, o, func(p Proof) {
		tell.Lock()
		defer tell.Unlock()
		if p.Refused() {
			done(p)
		} else {
			again = append(again, p.Wrong)
		}
	})
	o.Jobs = 1
	sideBySide(ctx, again, o, done)
}

// sideBySide runs them in lanes.
func sideBySide(ctx context.Context, all []Wrong, o Options, done func(Proof)) {
	queue := make(chan Wrong)
	var lanes sync.WaitGroup
	for range max(1, o.Jobs) {
		lanes.Go(func() {
			for w := range queue {
				if p := prove(ctx, w, o); ctx.Err() == nil {
					done(p)
				}
			}
		})
	}
	for _, w := range all {
		if ctx.Err() != nil {
			break
		}
		queue <- w
	}
	close(queue)
	lanes.Wait()
}

// prove runs one.
func prove(ctx context.Context, w Wrong, o Options) (p Proof) {
	started := time.Now()
	p.Wrong = w
	defer func() { p.Took = time.Since(started) }()
	target, end, err := w.stand(ctx, o)
	if err != nil {
		p.Err = err
		return p
	}
	outcome := conformance.Run(ctx, conformance.Plan{
		Scenarios: w.Scenarios(), Target: target, Params: o.Params, Jobs: scenariosAtOnce, Regardless: w.regardless,
	})
	p.judge(outcome)
	if err := end(); err != nil && p.Err == nil {
		p.Err = err
	}
	return p
}

// scenariosAtOnce is how many scenarios of one subject run side by side: a wrong
// one has few that could see it, and there are others beside it.
const scenariosAtOnce = 8

// judge sorts what failed.
func (p *Proof) judge(outcome *conformance.Outcome) {
	open := map[spec.ID]bool{}
	for _, r := range outcome.Results {
		for _, j := range r.Judgements {
			switch j.Verdict {
			case conformance.Fail, conformance.Warn:
				p.Failed = append(p.Failed, j.ID)
			case conformance.Inconclusive, conformance.Flaky:
				open[j.ID] = true
			case conformance.Error:
				p.Err = fmt.Errorf("%s in %s is an error, which only a broken suite or subject should be: %s", j.ID, r.Scenario.ID, j.Actual)
			}
		}
	}
	slices.Sort(p.Failed)
	p.Failed = slices.Compact(p.Failed)
	for _, id := range p.Wrong.Must {
		switch {
		case slices.Contains(p.Failed, id):
		case open[id]:
			p.Open = append(p.Open, id)
		default:
			p.Missed = append(p.Missed, id)
		}
	}
	for _, id := range p.Failed {
		if !slices.Contains(p.Wrong.Must, id) && !slices.Contains(p.Wrong.May, id) {
			p.Unlisted = append(p.Unlisted, id)
		}
	}
}
