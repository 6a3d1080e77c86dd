package conformance

import (
	"context"
	"slices"
)

// settle runs again, alone, what lateness left in doubt, what missed a time that a
// busy machine may miss, and what failed while the suite or a client's process was late.
func (r *runner) settle(ctx context.Context, results []Result) {
	confirmed := 0
	for i, result := range results {
		if ctx.Err() == nil && doubtful(result) {
			result = again(result, r.one(ctx, i))
		}
		if r.mayBeLate(result) && confirmed < enoughConfirmed || ctx.Err() != nil {
			var believed bool
			if result, believed = r.confirm(ctx, i, result); believed {
				confirmed++
			}
		}
		results[i] = result
	}
}

// confirm runs a scenario again that failed where lateness may explain it, and reports
// whether it failed again. An attempt that was itself late proves little: then it must
// fail a third time.
func (r *runner) confirm(ctx context.Context, i int, result Result) (Result, bool) {
	const most = 2
	for range most {
		if ctx.Err() != nil {
			return r.unconfirmed(result, context.Cause(ctx)), false
		}
		next := r.one(ctx, i)
		switch {
		case ctx.Err() != nil:
			return r.unconfirmed(result, context.Cause(ctx)), false
		case next.Verdict == result.Verdict:
			result = again(result, next)
		case result.Verdict == Fail:
			return repeated(result, next), false
		default:
			return again(result, next), false
		}
		if !r.wasLate(result) {
			break
		}
	}
	return result, true
}

// mayBeLate reports whether lateness may explain what does not hold, outside of
// virtual time: only times were missed, or the suite itself or a client's process was
// so late that what it meant to do in time was not done in time.
func (r *runner) mayBeLate(result Result) bool {
	if r.plan.Quiet || result.Verdict != Fail && result.Verdict != Warn {
		return false
	}
	return r.wasLate(result) || onlyTimesMissed(result)
}

// wasLate reports whether the suite or a client's process was so late that nothing
// needs to have been done in time.
func (r *runner) wasLate(result Result) bool {
	return result.noise >= r.params.Lease/machineLateShare
}

func onlyTimesMissed(result Result) bool {
	return !slices.ContainsFunc(result.Judgements, func(j Judgement) bool {
		return (j.Verdict == Fail || j.Verdict == Warn) && !j.Timing
	})
}

// unconfirmed takes back what lateness may explain, where the run ended before the
// scenario could show it again alone: it accuses nobody.
func (r *runner) unconfirmed(result Result, cause error) Result {
	if !r.mayBeLate(result) {
		return result
	}
	result.Judgements = slices.Clone(result.Judgements)
	for i := range result.Judgements {
		if j := &result.Judgements[i]; j.Verdict == Fail || j.Verdict == Warn {
			j.Verdict, j.Actual = Inconclusive, NotDecided+escapeLines(cause.Error())
		}
	}
	result.Verdict = verdictOf(result.Judgements)
	return result
}

// doubtful reports whether lateness may have decided a result that
// no certain failure decided anyway.
func doubtful(r Result) bool {
	if r.Verdict != Inconclusive {
		return false
	}
	return slices.ContainsFunc(r.Judgements, func(j Judgement) bool { return j.Doubt })
}

// again joins a doubtful first attempt with the second, which decides.
func again(first, second Result) Result {
	second.Attempts += first.Attempts
	second.Started = first.Started
	return second
}

// repeated joins the results of two rounds: what failed in one and passed in
// the other is flaky.
func repeated(a, b Result) Result {
	joined := b
	if Worst(a.Verdict, b.Verdict) == a.Verdict {
		joined = a
	}
	joined.Attempts = a.Attempts + b.Attempts
	joined.Started = a.Started
	joined.Observations = b.Observations
	joined.Judgements = slices.Clone(joined.Judgements)
	for _, j := range slices.Concat(a.Judgements, b.Judgements) {
		if find(joined, j.ID) == "" { // a monitor found it in one round only
			joined.Judgements = append(joined.Judgements, j)
		}
	}
	for i := range joined.Judgements {
		j := &joined.Judgements[i]
		one, two := inRound(a, j.ID), inRound(b, j.ID)
		j.Verdict = Worst(one, two)
		if one != two && (one == Fail || two == Fail) && (one == Pass || two == Pass) || one == Flaky || two == Flaky {
			j.Verdict = Flaky
		}
	}
	joined.Verdict = verdictOf(joined.Judgements)
	return joined
}
