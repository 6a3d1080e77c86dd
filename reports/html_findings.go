package reports

import (
	"html/template"
	"slices"
	"strconv"
	"strings"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/spec"
)

// openFindings is how many findings are shown without being asked for.
const openFindings = 4

// htmlFinding is a requirement that does not hold, or whose verdict is in doubt.
type htmlFinding struct {
	Anchor, ID, RequirementAnchor string
	Open                          bool
	Verdict                       conformance.Verdict
	Level                         string
	Sentence, Source, Why, Breaks string
	Known                         string // why the baseline lists it, or ""
	Places                        []htmlPlace
	Also                          []htmlAlso
}

// htmlPlace is one scenario that shows a finding, with its evidence.
type htmlPlace struct {
	ScenarioAnchor, Scenario, Title string
	Verdict                         conformance.Verdict // "" where it is the finding's
	Case, Expected, Actual          string
	Measured                        string
	Picture                         htmlPicture
	Events                          htmlEvents
	Repeat                          string
}

// htmlAlso is a further scenario, in one line.
type htmlAlso struct {
	ScenarioAnchor, Scenario string
	Verdict                  conformance.Verdict
	Actual                   string
}

type htmlNotJudged struct {
	ID, Level, Scenario, ScenarioAnchor, Why string
	Verdict                                  conformance.Verdict
}

// addFindings adds what the text report shows, in its order.
func (page *htmlReport) addFindings(r Result, a anchors) {
	var bare []string
	for _, f := range collectFindings(r) {
		switch {
		case len(f.places) == 0:
			bare = append(bare, string(f.ID))
		case !f.evident():
			at := f.places[0]
			page.NotJudged = append(page.NotJudged, htmlNotJudged{
				ID: cleanLine(string(f.ID)), Level: cleanLine(string(f.Level)), Verdict: f.Verdict,
				Scenario: cleanLine(at.scenario.ID), ScenarioAnchor: a.scenario(at.scenario.ID), Why: oneLine(at.Actual),
			})
		default:
			page.Findings = append(page.Findings, newHTMLFinding(r, f, a, len(page.Findings)))
		}
	}
	if len(bare) > 0 {
		page.Bare = cleanLine(noScenario + ": " + strings.Join(bare, ", "))
	}
}

// evident reports whether any place of a finding shows it.
func (f finding) evident() bool {
	return slices.ContainsFunc(f.places, func(at place) bool { return !at.consequence() })
}

func newHTMLFinding(r Result, f finding, a anchors, number int) htmlFinding {
	requirement, _ := spec.Get(f.ID)
	shown := htmlFinding{
		Anchor: findingAnchor(string(f.ID)), ID: cleanLine(string(f.ID)), RequirementAnchor: requirementAnchor(string(f.ID)),
		Open: number < openFindings, Verdict: f.Verdict, Level: cleanLine(string(f.Level)),
		Sentence: cleanLine(sentenceOf(f.ID)), Known: cleanLine(f.reason()), Source: sources(requirement), Why: requirement.Why, Breaks: requirement.Breaks,
	}
	full := min(len(f.places), shownInFull)
	if f.Verdict == conformance.KnownFail || f.Verdict == conformance.UnexpectedPass {
		full = 0 // no news, and nothing to see
	}
	for i, at := range f.places {
		if i < full && !at.consequence() {
			id := "f" + strconv.Itoa(number) + "-" + strconv.Itoa(i)
			one := newHTMLPlace(r, at, a, id)
			if one.Verdict == f.Verdict {
				one.Verdict = ""
			}
			shown.Places = append(shown.Places, one)
			continue
		}
		shown.Also = append(shown.Also, htmlAlso{a.scenario(at.scenario.ID), cleanLine(at.scenario.ID), at.Verdict, oneLine(at.Actual)})
	}
	return shown
}

func newHTMLPlace(r Result, at place, a anchors, id string) htmlPlace {
	name, expected := splitCase(at.Expected)
	shown := htmlPlace{
		ScenarioAnchor: a.scenario(at.scenario.ID), Scenario: cleanLine(at.scenario.ID), Title: cleanLine(at.scenario.Title),
		Verdict: at.Verdict, Case: cleanLine(name), Expected: cleanBlock(expected), Actual: cleanBlock(at.Actual),
		Picture: newHTMLPicture(placePicture(r.Subject.Role, at), id), Events: aroundEvents(at),
		Repeat: cleanLine(RepeatCommand(r.Run, at.scenario.ID)),
	}
	if at.MeasuredMS > 0 {
		shown.Measured = millisText(at.MeasuredMS)
	}
	return shown
}

// htmlPicture is a drawn timeline with what it leaves out.
type htmlPicture struct {
	Drawing template.HTML
	Limits  []string
	Notes   []string
}

func newHTMLPicture(p *picture, id string) htmlPicture {
	shown := htmlPicture{Drawing: p.drawn(id)}
	if p.empty() {
		return shown
	}
	for _, g := range limitGroups(p.limits) {
		shown.Limits = append(shown.Limits, cleanLine(p.limitText(g)))
	}
	if p.omitted > 0 {
		shown.Notes = append(shown.Notes, counted(p.omitted, "event", "events")+" farther away, or of other connections, are not drawn here")
	}
	if missing := p.missing(); len(missing) > 0 {
		shown.Notes = append(shown.Notes, "the events that were kept hold nothing of "+cleanLine(strings.Join(missing, ", ")))
	}
	if p.hidden > 0 {
		shown.Notes = append(shown.Notes, counted(p.hidden, "lane is", "lanes are")+" not drawn for want of room")
	}
	if outside := len(p.scenario.Limits) - len(p.limits); outside > 0 {
		shown.Notes = append(shown.Notes, counted(outside, "limit lies", "limits lie")+" outside of what is drawn")
	}
	return shown
}
