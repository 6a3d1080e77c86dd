package reports

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/spec"
)

// Merge joins the results of the parts of one run (--shard) into the result of the
// whole, judged anew. Scenarios stand in the order of their IDs, those left out
// last. The run lasts from the earliest start to the latest end; round trip, jobs
// and noise are the largest of any part. What a baseline says is decided now, since
// what passes in one part may fail in another. Packet captures keep their relative paths.
//
// It refuses what is not all the parts of one run, and says which result differs
// in what, counting from 1 as they were given: see [MergeNamed] for other names.
// The result shares memory with the parts and changes none of them.
func Merge(results []Result) (Result, error) {
	names := make([]string, len(results))
	for i := range results {
		names[i] = fmt.Sprintf("result %d", i+1)
	}
	return MergeNamed(names, results)
}

// MergeNamed is [Merge] with a name for each result, such as its file's, for the
// errors.
func MergeNamed(names []string, results []Result) (Result, error) {
	if len(results) == 0 {
		return Result{}, errors.New("nothing to merge: give the results of all parts of a run")
	}
	parts := make([]part, len(results))
	for i, r := range results {
		parts[i] = part{Result: r, name: cleanLine(names[i])}
	}
	if err := checkParts(parts); err != nil {
		return Result{}, err
	}
	return joinParts(parts), nil
}

// part is a result with its name and the time at which its run began.
type part struct {
	Result
	name    string
	started time.Time
}

func joinParts(parts []part) Result {
	first := parts[0]
	for _, p := range parts[1:] {
		if p.started.Before(first.started) {
			first = p
		}
	}
	r := first.Result
	r.Filters.Shard = ""
	r.Run.Args = withoutFlag(r.Run.Args, "shard")
	r.Scenarios = joinScenarios(parts, first.started)
	r.Observations = nil
	for _, p := range parts {
		sinceFirst := p.started.Sub(first.started).Milliseconds()
		r.Run.DurationMS = max(r.Run.DurationMS, sinceFirst+p.Run.DurationMS)
		r.Run.Jobs, r.Run.RTTUS = max(r.Run.Jobs, p.Run.Jobs), max(r.Run.RTTUS, p.Run.RTTUS)
		r.Run.NoiseUS = r.Run.NoiseUS.larger(p.Run.NoiseUS)
		r.Observations = append(r.Observations, p.Observations...)
	}
	r.Observations = distinct(r.Observations)
	r.know(markedKnown(r.Scenarios))
	Judge(&r)
	return r
}

// joinScenarios takes each scenario from the part that ran it.
func joinScenarios(parts []part, started time.Time) []Scenario {
	joined := map[string]Scenario{}
	for _, p := range parts {
		for _, s := range p.Scenarios {
			if before, there := joined[s.ID]; there && before.Verdict != conformance.Excluded {
				continue
			}
			if s.Verdict != conformance.Excluded {
				s.StartMS += p.started.Sub(started).Milliseconds()
			}
			s.Requirements = slices.Clone(s.Requirements) // a baseline may change them
			joined[s.ID] = s
		}
	}
	scenarios := make([]Scenario, 0, len(joined))
	for _, s := range joined {
		scenarios = append(scenarios, s)
	}
	slices.SortFunc(scenarios, func(a, b Scenario) int {
		return cmp.Or(compareExcluded(a, b), strings.Compare(a.ID, b.ID))
	})
	return scenarios
}

// compareExcluded puts what was left out behind the others.
func compareExcluded(a, b Scenario) int {
	left := func(s Scenario) int {
		if s.Verdict == conformance.Excluded {
			return 1
		}
		return 0
	}
	return left(a) - left(b)
}

// markedKnown are the reasons of the baseline that the parts were run with, as far as
// any of them had to do with it.
func markedKnown(scenarios []Scenario) Baseline {
	reasons := Baseline{}
	for _, s := range scenarios {
		for _, j := range s.Requirements {
			if reason := j.knownReason(); reason != "" {
				reasons[j.ID] = reason
			}
		}
	}
	return reasons
}

func (n Noise) larger(other Noise) Noise {
	return Noise{P50: max(n.P50, other.P50), P99: max(n.P99, other.P99), Max: max(n.Max, other.Max)}
}

// distinct lists each fact once, in the catalogue's order.
func distinct(observations []Observation) []Observation {
	once := []Observation{}
	for _, fact := range observations {
		if !slices.Contains(once, fact) {
			once = append(once, fact)
		}
	}
	position := map[spec.ID]int{}
	for i, r := range spec.All() {
		position[r.ID] = i
	}
	slices.SortStableFunc(once, func(a, b Observation) int { return position[a.ID] - position[b.ID] })
	return once
}
