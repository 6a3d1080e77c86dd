package reports

import (
	"embed"
	"fmt"
	"html/template"
	"io"
	"strings"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/spec"
)

//go:embed page
var pageFiles embed.FS

// report is the page's template. It escapes whatever a subject wrote.
var report = template.Must(template.New("report.html").Funcs(template.FuncMap{
	"badge": badgeClass, "label": label, "text": cleanBlock, "line": cleanLine,
	"millis": millisText, "plural": counted,
}).ParseFS(pageFiles, "page/report.html"))

// HTML writes a result as one page that needs no network: the conclusion first, then
// each finding with its timeline drawn, what was expected and seen and the command
// that repeats it; all requirements by topic; all scenarios with their timelines; the
// observations and the open points. It works without scripts, on a phone and on
// paper. The errors are those of w.
func HTML(w io.Writer, r Result) error {
	return report.Execute(w, newHTMLPage(r))
}

// htmlPage is what the template shows.
type htmlPage struct {
	Result
	Title, Words, State string
	Style               template.CSS
	Script              template.JS
	Early               string
	Facts               []htmlFact
	Counts              []htmlCount
	Findings            []htmlFinding
	Known               []htmlFinding
	Brief               []htmlFinding // without evidence of their own
	Topics              []htmlTopic
	Ran                 []htmlScenario
	LeftOut             []Scenario
	Handover            template.HTML
}

type htmlFact struct{ Name, Value string }

type htmlCount struct {
	Verdict conformance.Verdict
	N       int
}

type htmlFinding struct {
	Requirement
	Sentence, Sources, Reason string
	Places                    []htmlPlace
	More                      []place
}

// htmlPlace is one scenario that shows a finding.
type htmlPlace struct {
	place
	Anchor, Case, Want string
	Drawing            drawing
	Repeat             string
}

type htmlTopic struct {
	Title        string
	Requirements []htmlRequirement
}

type htmlRequirement struct {
	Requirement
	Sentence, Sources string
}

type htmlScenario struct {
	Scenario
	Drawing drawing
	Plots   template.HTML
	Events  template.HTML
	Repeat  string
}

func newHTMLPage(r Result) htmlPage {
	p := htmlPage{
		Result: r, Words: r.Words(), State: string(r.Result), Early: r.EndedEarly(),
		Title: "monolock " + string(r.Subject.Role) + ": " + strings.SplitN(r.Words(), ":", 2)[0],
		Style: template.CSS(pageFile("style.css")), Script: template.JS(pageFile("page.js")),
		Facts: htmlFacts(r), Handover: plotHandover(r.Observations),
	}
	for _, v := range conformance.Verdicts() {
		if n := r.Counts[v]; n > 0 {
			p.Counts = append(p.Counts, htmlCount{v, n})
		}
	}
	p.addFindings(r)
	for _, group := range byTopic(r) {
		p.Topics = append(p.Topics, newHTMLTopic(group))
	}
	for _, s := range r.Scenarios {
		if s.Verdict == conformance.Excluded {
			p.LeftOut = append(p.LeftOut, s)
			continue
		}
		p.Ran = append(p.Ran, newHTMLScenario(r, s))
	}
	return p
}

// pageFile is a file of the page. It is embedded, so it is there.
func pageFile(name string) string {
	data, err := pageFiles.ReadFile("page/" + name)
	if err != nil {
		panic(err)
	}
	return string(data)
}

func htmlFacts(r Result) []htmlFact {
	suite := spaced(r.Suite.Version, "commit "+cut(r.Suite.Commit, 12), fmt.Sprintf("catalogue %d", r.Suite.CatalogueVersion))
	facts := []htmlFact{
		{"Subject", spaced(r.Subject.Name, r.Subject.Version, r.Subject.Language)},
		{"Target", r.Subject.Target},
		{"Suite", suite},
		{"Started", fmt.Sprintf("%s, for %s", r.Run.Started, millisText(float64(r.Run.DurationMS)))},
		{"Seed", fmt.Sprint(r.Run.Seed)},
		{"Lease", fmt.Sprintf("%d ms", r.Run.LeaseMS)},
		{"Round trip", microsText(r.Run.RTTUS)},
		{"The suite's own delay", fmt.Sprintf("p50 %s, p99 %s, max %s", microsText(r.Run.NoiseUS.P50), microsText(r.Run.NoiseUS.P99), microsText(r.Run.NoiseUS.Max))},
	}
	if features := joinedFeatures(r.Features.Declined); features != "" {
		facts = append(facts, htmlFact{"Not offered", features})
	}
	kept := facts[:0]
	for _, f := range facts {
		if f.Value = cleanLine(f.Value); f.Value != "" {
			kept = append(kept, f)
		}
	}
	return kept
}

func spaced(words ...string) string {
	return strings.Join(strings.Fields(strings.Join(words, " ")), " ")
}

// addFindings sorts findings into those that are shown, those that are known, and
// those that have no evidence of their own.
func (p *htmlPage) addFindings(r Result) {
	for _, f := range collectFindings(r) {
		shown := newHTMLFinding(r, f)
		switch {
		case f.Verdict == conformance.KnownFail:
			p.Known = append(p.Known, shown)
		case len(shown.Places) == 0:
			p.Brief = append(p.Brief, shown)
		default:
			p.Findings = append(p.Findings, shown)
		}
	}
}

func newHTMLFinding(r Result, f finding) htmlFinding {
	requirement, _ := spec.Get(f.ID)
	shown := htmlFinding{Requirement: f.Requirement, Sentence: sentenceOf(f.ID), Sources: sources(requirement), Reason: f.reason()}
	for _, at := range f.places {
		if at.consequence() || len(shown.Places) == shownInFull {
			shown.More = append(shown.More, at)
			continue
		}
		name, want := splitCase(at.Expected)
		shown.Places = append(shown.Places, htmlPlace{
			place: at, Case: name, Want: want, Repeat: RepeatCommand(r.Run, at.scenario.ID),
			Anchor:  fmt.Sprintf("finding-%s-%d", f.ID, len(shown.Places)+1),
			Drawing: drawFinding(at),
		})
	}
	return shown
}

// Scenario is the scenario of the place, for the template.
func (p place) Scenario() Scenario { return p.scenario }

func newHTMLTopic(group topicGroup) htmlTopic {
	topic := htmlTopic{Title: group.Title}
	for _, q := range group.requirements {
		requirement, _ := spec.Get(q.ID)
		topic.Requirements = append(topic.Requirements, htmlRequirement{q, sentenceOf(q.ID), sources(requirement)})
	}
	return topic
}

func newHTMLScenario(r Result, s Scenario) htmlScenario {
	return htmlScenario{
		Scenario: s, Drawing: drawScenario(s), Plots: plots(s), Events: eventRows(s.Timeline),
		Repeat: RepeatCommand(r.Run, s.ID),
	}
}

// badgeClass is the class of a verdict's badge.
func badgeClass(v conformance.Verdict) string {
	switch v {
	case conformance.Pass, conformance.Fail, conformance.Warn, conformance.Observed:
		return string(v)
	case conformance.UnexpectedPass:
		return "fail"
	case conformance.Unsupported, conformance.Excluded, conformance.KnownFail:
		return "quiet"
	}
	return "open"
}
