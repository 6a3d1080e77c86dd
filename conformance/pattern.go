package conformance

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/conformance/typo"
)

// Pattern is one word of --run or --skip: the ID of a scenario or of a
// requirement, in which `*` stands for any text, `/` included, and `?` for any
// one character.
type Pattern struct {
	text string
	expr *regexp.Regexp
}

// ParsePattern reads one pattern. Every text is one; whether it matches
// anything is for [Select] to see.
func ParsePattern(text string) Pattern {
	quoted := regexp.QuoteMeta(text)
	quoted = strings.ReplaceAll(strings.ReplaceAll(quoted, `\*`, ".*"), `\?`, ".")
	return Pattern{text: text, expr: regexp.MustCompile("^(?s:" + quoted + ")$")}
}

// Matches reports whether p names s, by its own ID or by a requirement that it
// judges.
func (p Pattern) Matches(s Scenario) bool {
	return p.expr.MatchString(s.ID) || p.matchesOne(s.Judges)
}

// finds reports whether p names s or a requirement that s notices.
func (p Pattern) finds(s Scenario) bool {
	return p.Matches(s) || p.matchesOne(s.Notices)
}

func (p Pattern) matchesOne(ids []spec.ID) bool {
	return slices.ContainsFunc(ids, func(id spec.ID) bool { return p.expr.MatchString(string(id)) })
}

// Select returns the scenarios that some pattern of run matches, all where run
// is empty, and no pattern of skip. What notices a requirement runs with it, and is
// not skipped with it, for it judges others. A pattern that matches nothing is an error
// that offers the nearest name.
func Select(all []Scenario, run, skip []string) ([]Scenario, error) {
	matchers := map[string]Pattern{}
	for _, text := range append(append([]string(nil), run...), skip...) {
		p := ParsePattern(text)
		if !matchesAny(p, all) {
			return nil, &NoMatchError{Pattern: text, Nearest: nearest(text, all)}
		}
		matchers[text] = p
	}
	var selected []Scenario
	for _, s := range all {
		named := func(text string) bool { return matchers[text].Matches(s) }
		found := func(text string) bool { return matchers[text].finds(s) }
		if (len(run) == 0 || slices.ContainsFunc(run, found)) && !slices.ContainsFunc(skip, named) {
			selected = append(selected, s)
		}
	}
	return selected, nil
}

// NoMatchError says that a pattern names nothing.
type NoMatchError struct {
	Pattern string
	Nearest string // the nearest ID, or ""
}

// Error names the pattern and what may have been meant.
func (e *NoMatchError) Error() string {
	hint := "`monolock-conform list` shows all IDs"
	if e.Nearest != "" {
		hint = fmt.Sprintf("did you mean %s? %s", e.Nearest, hint)
	}
	return fmt.Sprintf("pattern %q matches no scenario and no requirement; %s", e.Pattern, hint)
}

func matchesAny(p Pattern, all []Scenario) bool {
	return slices.ContainsFunc(all, p.Matches)
}

// nearest returns the ID of a scenario or requirement that is closest to text.
func nearest(text string, all []Scenario) string {
	if id, ok := spec.Nearest(text); ok {
		return string(id)
	}
	names := make([]string, 0, len(all))
	for _, s := range all {
		names = append(names, s.ID)
	}
	name, _ := typo.Nearest(text, names)
	return name
}
