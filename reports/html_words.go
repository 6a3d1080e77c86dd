package reports

import (
	"fmt"

	"github.com/monolock-dev/monolock-conform/conformance"
)

// icon tells verdicts apart without colour.
func icon(v conformance.Verdict) string {
	switch v {
	case conformance.Pass:
		return "✓"
	case conformance.Fail:
		return "✗"
	case conformance.Error:
		return "‼"
	case conformance.UnexpectedPass, conformance.Warn:
		return "!"
	case conformance.Flaky:
		return "≈"
	case conformance.Inconclusive:
		return "?"
	case conformance.KnownFail:
		return "✗"
	case conformance.Observed:
		return "◦"
	}
	return "–"
}

// word is a verdict or a conclusion as the page shows it. A result that was not read
// from a file may hold any text there.
func word(text any) string { return cleanLine(fmt.Sprint(text)) }
