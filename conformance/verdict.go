package conformance

import "slices"

// Verdict is a judgement's outcome. The zero value is no verdict: what was
// never judged did not pass.
type Verdict string

// The verdicts, in the words of the result.
const (
	Pass           Verdict = "pass"
	Fail           Verdict = "fail"
	Warn           Verdict = "warn"         // a SHOULD that does not hold
	Observed       Verdict = "observed"     // the documents leave it open
	Inconclusive   Verdict = "inconclusive" // could not be told
	Flaky          Verdict = "flaky"        // failed, and passed when repeated
	Unsupported    Verdict = "unsupported"  // the subject lacks the feature
	Excluded       Verdict = "excluded"     // the user left it out
	KnownFail      Verdict = "known-fail"
	Error          Verdict = "error" // the harness or the adapter broke
	UnexpectedPass Verdict = "unexpected-pass"
)

// precedence tells which of several verdicts counts: the first in this order.
var precedence = []Verdict{
	Fail, UnexpectedPass, Error, Flaky, Inconclusive, KnownFail, Warn, Unsupported, Excluded, Observed, Pass,
}

// Settled reports whether what was run accuses nobody.
func (v Verdict) Settled() bool { return v == Pass || v == Observed || v == Unsupported }

// Verdicts returns all verdicts, the one that weighs most first.
func Verdicts() []Verdict { return slices.Clone(precedence) }

// Worst returns the verdict that counts among several, and "" for none.
func Worst(verdicts ...Verdict) Verdict {
	worst, rank := Verdict(""), len(precedence)
	for _, v := range verdicts {
		if r := slices.Index(precedence, v); r >= 0 && r < rank {
			worst, rank = v, r
		}
	}
	return worst
}
