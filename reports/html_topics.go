package reports

import (
	"strings"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/spec"
)

// htmlSummary counts verdicts by topic.
type htmlSummary struct {
	Verdicts []conformance.Verdict
	Rows     []htmlSummaryRow
	All      []int
}

type htmlSummaryRow struct {
	Title, Anchor string
	Counts        []int
}

func newHTMLSummary(r Result) htmlSummary {
	s := htmlSummary{Verdicts: usedColumns(r)}
	rows, _ := topicRows(r)
	for _, row := range rows {
		s.Rows = append(s.Rows, htmlSummaryRow{row.title, topicAnchor(row.title), s.counts(row.counts)})
	}
	s.All = s.counts(r.Counts)
	return s
}

func (s htmlSummary) counts(of map[conformance.Verdict]int) []int {
	counts := make([]int, len(s.Verdicts))
	for i, v := range s.Verdicts {
		counts[i] = of[v]
	}
	return counts
}

// htmlTopic is a topic with its requirements.
type htmlTopic struct {
	Title, Anchor string
	Chips         []htmlChip
	Open          bool
	Requirements  []htmlRequirement
}

type htmlRequirement struct {
	Anchor, ID, Level, Sentence, Source, Detail string
	Verdict                                     conformance.Verdict
	Finding                                     string // the anchor of it, or ""
	Scenarios                                   []htmlLink
}

type htmlLink struct{ Anchor, Text string }

func topicAnchor(title string) string { return "topic-" + slug(strings.ToLower(title)) }

// htmlTopics are the requirements by topic, in the catalogue's order.
func htmlTopics(r Result, a anchors) []htmlTopic {
	evident := map[spec.ID]bool{}
	for _, f := range collectFindings(r) {
		evident[f.ID] = f.evident()
	}
	var topics []htmlTopic
	for _, group := range byTopic(r) {
		topic := htmlTopic{Title: group.Title, Anchor: topicAnchor(group.Title)}
		for _, q := range group.requirements {
			topic.Open = topic.Open || accuses(q.Verdict)
			topic.Requirements = append(topic.Requirements, newHTMLRequirement(q, a, evident[q.ID]))
		}
		topic.Chips = chipsOf(topic.Requirements)
		topics = append(topics, topic)
	}
	return topics
}

func chipsOf(requirements []htmlRequirement) []htmlChip {
	counts := map[conformance.Verdict]int{}
	for _, q := range requirements {
		counts[q.Verdict]++
	}
	return htmlChips(counts)
}

func newHTMLRequirement(q Requirement, a anchors, finding bool) htmlRequirement {
	requirement, _ := spec.Get(q.ID)
	shown := htmlRequirement{
		Anchor: requirementAnchor(string(q.ID)), ID: cleanLine(string(q.ID)), Level: cleanLine(string(q.Level)), Verdict: q.Verdict,
		Sentence: cleanLine(sentenceOf(q.ID)), Source: sources(requirement), Detail: cleanLine(q.Detail),
	}
	if finding {
		shown.Finding = findingAnchor(string(q.ID))
	}
	for _, id := range q.Scenarios {
		shown.Scenarios = append(shown.Scenarios, htmlLink{a.scenario(id), cleanLine(id)})
	}
	return shown
}
