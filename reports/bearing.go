package reports

import (
	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/spec"
)

// bearing is what the verdict on a requirement means for the conclusion. Formats
// that know fewer words than the suite has verdicts write this. The zero value is
// no success.
type bearing int

const (
	staysOpen    bearing = iota // keeps the run undecided
	doesNotHold                 // makes it not conformant
	failsAsKnown                // as the baseline says
	decidesNothing
	isAdvice // a SHOULD that does not hold
	doesHold
)

// bearingOf agrees with [conclude]: a run with a broken requirement is not
// conformant, one with an open requirement is not decided.
func bearingOf(q Requirement) bearing {
	switch q.Verdict {
	case conformance.Fail, conformance.UnexpectedPass:
		return doesNotHold
	case conformance.KnownFail:
		return failsAsKnown
	case conformance.Unsupported, conformance.Excluded:
		return decidesNothing
	case conformance.Warn:
		return isAdvice
	case conformance.Pass, conformance.Observed:
		return doesHold
	case conformance.Flaky, conformance.Inconclusive:
		if q.Level == spec.LevelObserve {
			return decidesNothing
		}
	}
	return staysOpen
}

// blamesNone reports whether an undecided run has no open requirement to show for
// it: nothing was examined.
func blamesNone(r Result) bool {
	for _, q := range r.Requirements {
		if b := bearingOf(q); b == staysOpen || b == doesNotHold {
			return false
		}
	}
	return r.Result != Conformant
}

// because is the verdict with what it rests on, on one line.
func because(q Requirement) string { return cleanLine(joined(string(q.Verdict), q.Detail)) }
