package reports

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/spec"
)

// observations writes what the documents leave open.
func (p *page) observations(r Result) {
	if len(r.Observations) == 0 {
		return
	}
	p.section("Observations")
	for _, o := range r.Observations {
		p.line("  %-8s %s = %s", cleanLine(string(o.ID)), cut(cleanLine(o.Key), shownOfLine), cut(cleanLine(o.Value), shownOfLine))
	}
	p.line("")
}

// columns is the order of the summary: good, bad, the rest.
var columns = []conformance.Verdict{
	conformance.Pass, conformance.Fail, conformance.UnexpectedPass, conformance.Error, conformance.Flaky,
	conformance.Inconclusive, conformance.KnownFail, conformance.Warn, conformance.Observed,
	conformance.Unsupported, conformance.Excluded,
}

// summary writes how many requirements of each topic have which verdict. Verdicts
// that do not occur have no column.
func (p *page) summary(r Result) {
	used := usedColumns(r)
	if len(used) == 0 {
		return
	}
	rows, width := topicRows(r)
	p.section("Requirements by topic")
	head := strings.Repeat(" ", width)
	for _, v := range used {
		head += "  " + string(v)
	}
	p.line("  %s", head)
	for _, row := range rows {
		p.summaryRow(row, used, width)
	}
	p.summaryRow(topicRow{"all", r.Counts}, used, width)
	p.line("")
}

// usedColumns are the columns of verdicts that occur.
func usedColumns(r Result) []conformance.Verdict {
	return slices.DeleteFunc(slices.Clone(columns), func(v conformance.Verdict) bool { return r.Counts[v] == 0 })
}

type topicRow struct {
	title  string
	counts map[conformance.Verdict]int
}

// topicRows are the topics of the result's requirements in the catalogue's order,
// and the longest title's width.
func topicRows(r Result) (rows []topicRow, width int) {
	for _, group := range byTopic(r) {
		row := topicRow{group.Title, map[conformance.Verdict]int{}}
		for _, q := range group.requirements {
			row.counts[q.Verdict]++
		}
		rows = append(rows, row)
		width = max(width, len(group.Title))
	}
	return rows, width
}

func (p *page) summaryRow(row topicRow, used []conformance.Verdict, width int) {
	line := fmt.Sprintf("%-*s", width, row.title)
	for _, v := range used {
		number, s := "-", dim
		if n := row.counts[v]; n > 0 {
			number, s = strconv.Itoa(n), styleOf(v)
		}
		line += "  " + strings.Repeat(" ", max(len(v)-len(number), 0)) + p.paint(s, number)
	}
	p.line("  %s", line)
}

// notOffered says why something was not tested.
func (p *page) notOffered(r Result) {
	words := untestedWords(r)
	for _, text := range words {
		p.wrapped("", text, 2)
	}
	if len(words) > 0 {
		p.line("")
	}
}

// untestedWords say why something was not tested: which features would let more be
// tested, and what else stood in the way.
func untestedWords(r Result) []string {
	lacking := 0
	var reasons, words []string
	others := map[string][]string{}
	for _, q := range r.Requirements {
		switch {
		case q.Verdict != conformance.Unsupported:
		case strings.Contains(q.Detail, "the feature "):
			lacking++
		default:
			if len(others[q.Detail]) == 0 {
				reasons = append(reasons, q.Detail)
			}
			others[q.Detail] = append(others[q.Detail], string(q.ID))
		}
	}
	if lacking > 0 {
		words = append(words, fmt.Sprintf("%s not tested; this run does not offer: %s",
			counted(lacking, "requirement was", "requirements were"), joinedFeatures(r.Features.Declined)))
	}
	for _, reason := range reasons {
		words = append(words, notTestedWords(others[reason], reason))
	}
	return words
}

// namedUntested is how many requirements are named that were not tested; of a capture
// these are most of the catalogue, and the tables have them all.
const namedUntested = 12

// notTestedWords name the requirements that were not tested for one reason.
func notTestedWords(ids []string, reason string) string {
	if len(ids) == 1 {
		return cleanLine(ids[0] + " was not tested: " + reason)
	}
	named := strings.Join(ids[:min(len(ids), namedUntested)], ", ")
	if more := len(ids) - namedUntested; more > 0 {
		named += fmt.Sprintf(" and %d more", more)
	}
	return cleanLine(fmt.Sprintf("%d requirements were not tested: %s (%s)", len(ids), reason, named))
}

func joinedFeatures(features []spec.Feature) string {
	names := make([]string, len(features))
	for i, f := range features {
		names[i] = string(f)
	}
	return strings.Join(names, ", ")
}

// shownSlowest is how many of the slowest scenarios are named.
const shownSlowest = 10

// slowest names the scenarios that took longest.
func (p *page) slowest(r Result) {
	ran := slices.DeleteFunc(slices.Clone(r.Scenarios), func(s Scenario) bool { return s.Attempts == 0 })
	if len(ran) == 0 {
		return
	}
	slices.SortStableFunc(ran, func(a, b Scenario) int { return cmp.Compare(b.DurationMS, a.DurationMS) })
	p.section("Slowest scenarios")
	for _, s := range ran[:min(len(ran), shownSlowest)] {
		again := ""
		if s.Attempts > 1 {
			again = fmt.Sprintf(" (%d attempts)", s.Attempts)
		}
		p.line("  %7.3f s  %s%s", float64(s.DurationMS)/1000, cleanLine(s.ID), again)
	}
	p.line("")
}

// numbers writes what the run was and how late the suite itself was.
func (p *page) numbers(r Result) {
	if r.ofCapture() {
		p.captureNumbers(r.Scenarios[0])
		return
	}
	ran := 0
	for _, s := range r.Scenarios {
		if s.Attempts > 0 {
			ran++
		}
	}
	duration := time.Duration(r.Run.DurationMS) * time.Millisecond
	p.line("%s in %v, seed %d, lease %d ms, round trip %s", counted(ran, "scenario", "scenarios"), duration, r.Run.Seed, r.Run.LeaseMS, microsText(r.Run.RTTUS))
	if n := r.Run.NoiseUS; n != (Noise{}) {
		p.line("the suite's own delay: p50 %s, p99 %s, max %s", microsText(n.P50), microsText(n.P99), microsText(n.Max))
	}
}

// captureNumbers writes what a capture held, and what could not be seen of it.
func (p *page) captureNumbers(overall Scenario) {
	for i, e := range overall.Timeline {
		if i == 0 {
			p.line("%s", cleanLine(e.Frame))
			continue
		}
		p.wrapped("  - ", e.Frame, 4)
	}
}

func microsText(us int64) string { return millisText(float64(us) / 1000) }

// conclusion is the last line.
func (p *page) conclusion(r Result) {
	s := map[Conclusion]style{Conformant: green, NotConformant: red, Undecided: yellow}[r.Result]
	p.line("%s", p.paint(s, r.Words()))
}
