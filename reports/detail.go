package reports

import (
	"fmt"
	"strings"

	"github.com/monolock-dev/monolock-conform/conformance"
)

// detail says in one line what a verdict rests on: what was seen first, or the
// longest time that was judged and passed.
func detail(v conformance.Verdict, all []said) string {
	if v == conformance.Pass {
		return longest(all)
	}
	for _, s := range all {
		if s.Verdict != v {
			continue
		}
		if v == conformance.Excluded && s.Actual == "" {
			continue
		}
		name, rest := splitCase(s.Expected)
		if name != "" && rest != "" {
			return oneLine(caseText(name) + ": " + s.Actual)
		}
		return oneLine(s.Actual)
	}
	if v == conformance.Excluded {
		return "left out of this run"
	}
	return ""
}

func longest(all []said) string {
	most := 0.0
	for _, s := range all {
		most = max(most, s.MeasuredMS)
	}
	if most == 0 {
		return ""
	}
	return "at most " + millisText(most)
}

// millisText shows milliseconds as people read them.
func millisText(ms float64) string {
	switch {
	case ms >= 1e4:
		return fmt.Sprintf("%.1f s", ms/1e3)
	case ms >= 10:
		return fmt.Sprintf("%.1f ms", ms)
	}
	return fmt.Sprintf("%.3f ms", ms)
}

// oneLine is the first line of a text.
func oneLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return cleanLine(line)
}
