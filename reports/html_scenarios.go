package reports

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/monolock-dev/monolock-conform/conformance"
)

// htmlGroup is the scenarios of one topic, by the middle of their IDs.
type htmlGroup struct {
	Title     string
	Scenarios []htmlScenario
}

type htmlScenario struct {
	Anchor, ID, Title string
	Verdict           conformance.Verdict
	Took              string
	Facts             []htmlFact
	Judgements        []htmlJudgement
	Picture           htmlPicture
	Figures           []htmlFigure
	Spans             []htmlSpan
	Events            htmlEvents
	Repeat            string
	Trace             string // a link, or ""
	TraceText         string
}

type htmlJudgement struct {
	ID, Anchor, Expected, Actual, Measured string
	Verdict                                conformance.Verdict
}

// htmlSpan is a claim, a band or a limit, in words.
type htmlSpan struct{ What, Who, From, To string }

func htmlGroups(r Result, a anchors) []htmlGroup {
	var groups []htmlGroup
	index := map[string]int{}
	for i, s := range r.Scenarios {
		title := scenarioTopic(s.ID)
		at, seen := index[title]
		if !seen {
			at = len(groups)
			index[title] = at
			groups = append(groups, htmlGroup{Title: title})
		}
		groups[at].Scenarios = append(groups[at].Scenarios, newHTMLScenario(r, s, a, i))
	}
	return groups
}

// scenarioTopic is "queue" for "server/queue/owner-closes".
func scenarioTopic(id string) string {
	if strings.HasPrefix(id, traceScenarios) {
		return "capture"
	}
	parts := strings.Split(id, "/")
	if len(parts) < 3 {
		return "other"
	}
	return cleanLine(parts[1])
}

func newHTMLScenario(r Result, s Scenario, a anchors, number int) htmlScenario {
	id := "s" + strconv.Itoa(number)
	shown := htmlScenario{
		Anchor: a.scenario(s.ID), ID: cleanLine(s.ID), Title: cleanLine(s.Title), Verdict: s.Verdict,
		Facts: scenarioFacts(s), Picture: newHTMLPicture(wholePicture(r.Subject.Role, s), id),
		Figures: scenarioFigures(r, s, id), Spans: htmlSpans(s), Events: allEvents(s),
	}
	if s.Attempts > 0 {
		shown.Took = fmt.Sprintf("%.2f s", float64(s.DurationMS)/1000)
		shown.Repeat = cleanLine(RepeatCommand(r.Run, s.ID))
	}
	if s.Trace != "" {
		shown.TraceText, shown.Trace = cleanLine(s.Trace), localLink(s.Trace)
	}
	for _, j := range s.Requirements {
		shown.Judgements = append(shown.Judgements, newHTMLJudgement(j))
	}
	return shown
}

func scenarioFacts(s Scenario) []htmlFact {
	if s.Attempts == 0 {
		return nil
	}
	var facts []htmlFact
	if s.LeaseMS > 0 {
		facts = append(facts, htmlFact{"lease", strconv.FormatInt(s.LeaseMS, 10) + " ms"})
	}
	if s.StartMS > 0 || s.LeaseMS > 0 {
		facts = append(facts, htmlFact{"began", fmt.Sprintf("%.2f s after the run", float64(s.StartMS)/1000)})
	}
	if s.Attempts > 1 {
		facts = append(facts, htmlFact{"attempts", strconv.Itoa(s.Attempts) + "; this is the one that decided"})
	}
	return facts
}

func newHTMLJudgement(j Judgement) htmlJudgement {
	shown := htmlJudgement{
		ID: cleanLine(string(j.ID)), Anchor: requirementAnchor(string(j.ID)), Verdict: j.Verdict,
		Expected: cleanBlock(j.Expected), Actual: cleanBlock(j.Actual),
	}
	if j.MeasuredMS > 0 {
		shown.Measured = millisText(j.MeasuredMS)
	}
	return shown
}

// shownSpans bounds the table of claims, bands and limits.
const shownSpans = 60

// htmlSpans says in words what the picture shows as bars and lines.
func htmlSpans(s Scenario) []htmlSpan {
	var spans []htmlSpan
	for _, l := range s.Limits {
		spans = append(spans, htmlSpan{What: "limit missed: " + cleanLine(l.What), From: clockText(l.AtUS)})
	}
	for _, c := range s.Claims {
		spans = append(spans, htmlSpan{"claim, token " + cleanLine(c.Token), cleanLine(c.Who), clockText(c.FromUS), clockText(c.ToUS)})
	}
	for _, b := range s.Bands {
		what, who := splitBand(b.What)
		spans = append(spans, htmlSpan{cleanLine(what), cleanLine(who), clockText(b.FromUS), clockText(b.ToUS)})
	}
	if more := len(spans) - shownSpans; more > 0 {
		spans = append(slices.Clip(spans[:shownSpans]), htmlSpan{What: fmt.Sprintf("… %d more", more)})
	}
	return spans
}

// localLink is a link to a file beside the result, and "" for any path that leads
// elsewhere.
func localLink(path string) string {
	if strings.ContainsAny(path, `\:`) || strings.HasPrefix(path, "/") || slices.Contains(strings.Split(path, "/"), "..") {
		return ""
	}
	return (&url.URL{Path: path}).String()
}
