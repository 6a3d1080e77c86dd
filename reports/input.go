package reports

import (
	"math"
	"slices"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/spec"
)

// Input is all that a [Result] is made of.
type Input struct {
	// Suite needs its Version and Commit only; New knows the catalogue.
	Suite   Suite
	Subject Subject
	Params  conformance.Params
	Jobs    int
	Args    []string // the words after the program's name
	Filters Filters  // Filters.Strict is --strict
	Offered []spec.Feature

	// Outcome is nil where the run did not begin: then Preflight says why, and
	// Selected are the scenarios that would have run, and Started is when.
	Outcome   *conformance.Outcome
	Preflight error
	Selected  []conformance.Scenario
	Started   time.Time

	// Traces are the packet captures, by the scenario's ID: paths as the result
	// is to name them.
	Traces map[string]string

	// Excluded are the scenarios of the subject's role that the user left out.
	Excluded []conformance.Scenario
}

// New makes the result of a run. It is a function of its input alone and shares
// no memory with it. Texts of the subject are escaped and cut to a bearable length.
func New(in Input) Result {
	r := Result{
		Schema:       Schema,
		Suite:        in.Suite,
		Subject:      cleanSubject(in.Subject),
		Run:          newRun(in),
		Filters:      in.Filters,
		Features:     newFeatures(in.Subject.Role, in.Offered),
		Scenarios:    newScenarios(in),
		Observations: newObservations(in.Outcome),
		OpenPoints:   spec.OpenPoints(),
	}
	r.Suite.Catalogue, r.Suite.CatalogueVersion = spec.Hash(), spec.CatalogueVersion
	r.Filters.Run, r.Filters.Skip = copied(in.Filters.Run), copied(in.Filters.Skip)
	Judge(&r)
	return r
}

func cleanSubject(s Subject) Subject {
	s.Name, s.Version, s.Language, s.Target = cleanLine(s.Name), cleanLine(s.Version), cleanLine(s.Language), cleanLine(s.Target)
	s.Lacks = copied(s.Lacks)
	for i := range s.Lacks {
		s.Lacks[i] = cleanLine(s.Lacks[i])
	}
	return s
}

func newRun(in Input) Run {
	run := Run{
		Seed: in.Params.Seed, Jobs: in.Jobs, LeaseMS: in.Params.Lease.Milliseconds(),
		RTTUS: in.Params.RTT.Microseconds(), Args: copied(in.Args),
	}
	started := in.Started
	if o := in.Outcome; o != nil {
		started = o.Started
		run.DurationMS = o.Duration.Milliseconds()
		run.NoiseUS = Noise{P50: o.Noise.P50.Microseconds(), P99: o.Noise.P99.Microseconds(), Max: o.Noise.Max.Microseconds()}
	}
	run.Started = started.UTC().Format(time.RFC3339)
	return run
}

// newFeatures sorts the role's features into those offered and the others, in
// the catalogue's order.
func newFeatures(role spec.Role, offered []spec.Feature) Features {
	f := Features{Offered: copied(offered), Declined: []spec.Feature{}}
	for _, r := range spec.Of(role) {
		for _, feature := range r.Features {
			if !offers(offered, feature) && !slices.Contains(f.Declined, feature) {
				f.Declined = append(f.Declined, feature)
			}
		}
	}
	return f
}

// offers reports whether a subject that offers these can be judged where f is
// needed. Mutual TLS is TLS too.
func offers(offered []spec.Feature, f spec.Feature) bool {
	return slices.Contains(offered, f) || f == spec.FeatureTLS && slices.Contains(offered, spec.FeatureMTLS)
}

// newObservations lists each fact once, in the catalogue's order.
func newObservations(o *conformance.Outcome) []Observation {
	observations := []Observation{}
	if o == nil {
		return observations
	}
	for _, result := range o.Results {
		for _, seen := range result.Observations {
			observations = append(observations, Observation{ID: seen.ID, Key: cleanLine(seen.Key), Value: cleanLine(seen.Value)})
		}
	}
	return distinct(observations)
}

// milliseconds has three decimals.
func milliseconds(d time.Duration) float64 { return math.Round(float64(d)/1e3) / 1e3 }

// copied is a copy of s that is never nil.
func copied[T any](s []T) []T { return append([]T{}, s...) }
