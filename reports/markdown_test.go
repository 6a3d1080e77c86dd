package reports

import (
	"regexp"
	"strings"
	"testing"

	"github.com/monolock-dev/monolock-conform/conformance"
)

// unfenced takes the fenced blocks out of Markdown, by CommonMark's rule: a block
// ends at a line of as many backticks at least, or at the end.
func unfenced(t *testing.T, text string) string {
	t.Helper()
	var kept []string
	fence := ""
	for line := range strings.Lines(text) {
		bare := strings.TrimSpace(line)
		run := bare[:len(bare)-len(strings.TrimLeft(bare, "`"))]
		switch {
		case fence == "" && len(run) >= 3 && !strings.Contains(bare[len(run):], "`"):
			fence = run
		case fence == "":
			kept = append(kept, line)
		case len(run) >= len(fence) && bare == run:
			fence = ""
		}
	}
	if fence != "" {
		t.Errorf("a block does not end:\n%.2000s", text)
	}
	return strings.Join(kept, "")
}

func TestNoTextEndsItsBlock(t *testing.T) {
	for _, text := range append(hostileTexts, "```", "x\n```\n# heading", "x\n``````\n```\n# heading", "") {
		m := &markdownPage{}
		m.fenced("text", text)
		if rest := strings.TrimSpace(unfenced(t, m.out.String())); rest != "" {
			t.Errorf("%.300q leaves its block: %.300q", text, rest)
		}
	}
}

// ownTags are the tags that the report writes itself.
var ownTags = regexp.MustCompile(`</?(details|summary|code)>`)

// entities and escapes mean nothing to Markdown any more.
var (
	entities = regexp.MustCompile(`&#[0-9]+;`)
	escapes  = regexp.MustCompile("\\\\[\\\\`*_\\[\\]|~#!]")
)

func TestHostileTextStaysInItsPlaceInMarkdown(t *testing.T) {
	for name, r := range allResults(t) {
		prose := unfenced(t, render(t, Markdown, r))
		if strings.Count(prose, "<details>") != strings.Count(prose, "</details>") || strings.Count(prose, "<code>") != strings.Count(prose, "</code>") {
			t.Errorf("%s: tags without their ends", name)
		}
		columns := 0
		for line := range strings.Lines(escapes.ReplaceAllString(prose, "")) {
			line = strings.TrimSpace(line)
			if strings.HasPrefix(line, "|") {
				if n := strings.Count(line, "|"); columns == 0 {
					columns = n
				} else if n != columns {
					t.Errorf("%s: a row of %d bars in a table of %d: %.300q", name, n, columns, line)
				}
			} else {
				columns = 0
			}
			bare := entities.ReplaceAllString(ownTags.ReplaceAllString(line, ""), "")
			if strings.ContainsAny(bare, "<&`[]@") || strings.Contains(bare, "://") || strings.Contains(strings.ToLower(bare), "www.") {
				t.Errorf("%s: a host would read more than text in %.300q", name, bare)
			}
		}
	}
}

// TestMarkdownFitsASummary: every requirement fails in many scenarios, at length.
func TestMarkdownFitsASummary(t *testing.T) {
	long := strings.Repeat("`|", 5000)
	r := New(goodRun())
	var all []Judgement
	for _, q := range r.Requirements {
		all = append(all, Judgement{ID: q.ID, Verdict: conformance.Fail, Expected: long, Actual: long})
	}
	for i := range r.Scenarios {
		r.Scenarios[i].Requirements, r.Scenarios[i].Verdict = all, conformance.Fail
	}
	for range 5000 {
		r.Observations = append(r.Observations, Observation{ID: "S-Q-12", Key: long, Value: long})
	}
	Judge(&r)
	out := render(t, Markdown, r)
	if len(out) > 512<<10 {
		t.Errorf("%d bytes", len(out))
	}
	for _, want := range []string{"no room for more evidence", "### Further findings", "### Requirements by topic", "and 5000 more", "| " + string(r.Requirements[106].ID) + " |"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is missing", want)
		}
	}
	unfenced(t, out)
}
