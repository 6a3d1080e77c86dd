package reports

import (
	"html/template"
	"strings"

	"github.com/monolock-dev/monolock-conform/conformance"
)

// htmlReport is all that the page's template shows, in the page's order. All texts
// are clean; the template escapes them.
type htmlReport struct {
	Title        string
	Policy       string
	Style        template.CSS
	Script       template.JS
	Conclusion   Conclusion
	Words        string
	Subject      string
	Chips        []htmlChip
	Facts        []htmlFact
	Capture      []string // what the capture held, where the result is of one
	Ending       *htmlEnding
	Findings     []htmlFinding
	NotJudged    []htmlNotJudged
	Bare         string // requirements that no scenario of the run is about
	Summary      htmlSummary
	Topics       []htmlTopic
	NotOffered   []string
	Groups       []htmlGroup
	Figures      []htmlFigure
	Observations []htmlObservation
	OpenPoints   []string
	Schema       string
	Catalogue    string
}

// htmlChip counts the requirements with a verdict.
type htmlChip struct {
	Verdict conformance.Verdict
	Count   int
}

type htmlFact struct{ Name, Text string }

type htmlEnding struct{ Title, Seen, So string }

type htmlObservation struct{ ID, Key, Value string }

func newHTMLReport(r Result) htmlReport {
	a := newAnchors(r)
	page := htmlReport{
		Policy: contentPolicy(), Style: template.CSS(htmlStyle), Script: template.JS(htmlScript),
		Conclusion: r.Result, Words: r.Words(), Subject: subjectWords(r.Subject),
		Chips: htmlChips(r.Counts), Facts: htmlFacts(r), Ending: newHTMLEnding(r), Capture: captureWords(r),
		Summary: newHTMLSummary(r), Topics: htmlTopics(r, a), NotOffered: untestedWords(r),
		Groups: htmlGroups(r, a), Figures: htmlFigures(r), Schema: Schema, Catalogue: cleanLine(r.Suite.Catalogue),
	}
	page.Title = cleanLine(string(r.Result) + ": " + string(r.Subject.Role) + " " + joined(r.Subject.Name, r.Subject.Target))
	page.addFindings(r, a)
	for _, o := range r.Observations {
		page.Observations = append(page.Observations, htmlObservation{cleanLine(string(o.ID)), cleanLine(o.Key), cleanLine(o.Value)})
	}
	for _, point := range r.OpenPoints {
		page.OpenPoints = append(page.OpenPoints, cleanLine(point))
	}
	return page
}

// subjectWords says what was tested.
func subjectWords(s Subject) string {
	name := strings.TrimSpace(s.Name + " " + s.Version)
	if s.Language != "" {
		name = strings.TrimSpace(name + " (" + s.Language + ")")
	}
	if name == "" {
		return cleanLine(string(s.Role) + " " + s.Target)
	}
	return cleanLine(string(s.Role) + " " + name + ", " + s.Target)
}

func htmlChips(counts map[conformance.Verdict]int) []htmlChip {
	var chips []htmlChip
	for _, v := range columns {
		if n := counts[v]; n > 0 {
			chips = append(chips, htmlChip{v, n})
		}
	}
	return chips
}

func newHTMLEnding(r Result) *htmlEnding {
	why := r.EndedEarly()
	if why == "" {
		return nil
	}
	ending := &htmlEnding{Title: r.endingTitle(), Seen: cleanBlock(why)}
	if open := r.undecidedByEnd(); open > 0 {
		ending.So = counted(open, "requirement was", "requirements were") + " not decided"
	}
	return ending
}
