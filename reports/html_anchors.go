package reports

import (
	"strconv"
	"strings"
)

// anchors are the page's names for what is linked to. They hold nothing but ASCII
// letters, digits and hyphens, whatever the result calls its scenarios.
type anchors struct{ scenarios map[string]string }

func newAnchors(r Result) anchors {
	a := anchors{map[string]string{}}
	taken := map[string]bool{}
	for _, s := range r.Scenarios {
		if a.scenarios[s.ID] != "" {
			continue
		}
		base := "scenario-" + slug(s.ID)
		name := base
		for n := 2; taken[name]; n++ {
			name = base + "-" + strconv.Itoa(n)
		}
		taken[name], a.scenarios[s.ID] = true, name
	}
	return a
}

func (a anchors) scenario(id string) string { return a.scenarios[id] }

func requirementAnchor(id string) string { return "requirement-" + slug(id) }
func findingAnchor(id string) string     { return "finding-" + slug(id) }

func slug(text string) string {
	return strings.Trim(strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}, text), "-")
}
