package certificate

import (
	"slices"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/spec"
)

// Core is the level that every certificate has: each MUST that needs no feature.
const Core = "core"

// Levels lists what the verdicts earn: core, and then the features of the role in
// the catalogue's order.
//
// A feature is earned where the subject offers it, every MUST that needs it, and no
// feature that the subject lacks, passed, and something was seen to pass.
func Levels(role spec.Role, all []Combined, offered []spec.Feature) []string {
	levels := []string{}
	if len(coreMissing(all)) == 0 {
		levels = append(levels, Core)
	}
	for _, f := range featuresOf(role) {
		if offers(offered, f) && earned(f, all, offered) {
			levels = append(levels, string(f))
		}
	}
	return levels
}

// coreMissing lists the MUSTs without a feature that did not pass. An empty list of
// verdicts lacks all of them: something must have been seen.
func coreMissing(all []Combined) []Combined {
	var missing []Combined
	seen := false
	for _, c := range all {
		r, _ := spec.Get(c.ID)
		if c.Level != spec.LevelMust || len(r.Features) > 0 {
			continue
		}
		seen = true
		if c.Verdict != conformance.Pass {
			missing = append(missing, c)
		}
	}
	if !seen {
		return []Combined{{Verdict: conformance.Inconclusive}}
	}
	return missing
}

func earned(f spec.Feature, all []Combined, offered []spec.Feature) bool {
	passed := false
	for _, c := range all {
		r, _ := spec.Get(c.ID)
		if !slices.Contains(r.Features, f) || slices.ContainsFunc(r.Features, func(f spec.Feature) bool { return !offers(offered, f) }) {
			continue
		}
		if c.Level == spec.LevelMust && c.Verdict != conformance.Pass {
			return false
		}
		passed = passed || c.Verdict == conformance.Pass
	}
	return passed
}

// offers reports whether f is among the offered features. Mutual TLS is TLS too.
func offers(offered []spec.Feature, f spec.Feature) bool {
	return slices.Contains(offered, f) || f == spec.FeatureTLS && slices.Contains(offered, spec.FeatureMTLS)
}

// featuresOf lists the features of a role, in the catalogue's order.
func featuresOf(role spec.Role) []spec.Feature {
	var all []spec.Feature
	for _, r := range spec.Of(role) {
		for _, f := range r.Features {
			if !slices.Contains(all, f) {
				all = append(all, f)
			}
		}
	}
	return all
}
