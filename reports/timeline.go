package reports

import (
	"cmp"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/conformance/timeline"
)

// How many entries the timeline of a scenario keeps. The whole of it is in the
// packet capture.
const (
	keptOfPass    = 200
	keptOfFinding = 400
	keptOutput    = 20  // lines of the output of a scenario's own server
	keptOfLine    = 300 // bytes of each
)

// The parts of the suite that write entries of their own.
const (
	bySuite   = "suite"   // what was left out
	byVerdict = "verdict" // a finding, behind the event that shows it
	byOutput  = "output"  // what the scenario's own server wrote
)

// newTimeline is the timeline of a scenario with its findings. Entries that are
// far from a finding are left out where there are too many.
func newTimeline(result conformance.Result) []Event {
	findings := findingsByEvent(result)
	var entries []Event
	var marks []foundIn
	for i, e := range result.Events {
		entries = append(entries, newEvent(e))
		for _, j := range findings[i] {
			marks = append(marks, foundIn{len(entries), j.Expected + " " + j.Actual})
			entries = append(entries, verdictEvent(e, j))
		}
	}
	if accuses(result.Verdict) {
		entries = append(entries, outputEvents(result)...)
		return trimmed(entries, marks, keptOfFinding)
	}
	return trimmed(entries, marks, keptOfPass)
}

// accuses reports whether a verdict calls for evidence.
func accuses(v conformance.Verdict) bool {
	switch v {
	case conformance.Pass, conformance.Observed, conformance.Unsupported, conformance.Excluded:
		return false
	}
	return true
}

func findingsByEvent(result conformance.Result) map[int][]conformance.Judgement {
	findings := map[int][]conformance.Judgement{}
	for _, j := range result.Judgements {
		if accuses(j.Verdict) && j.Event >= 0 && !strings.HasPrefix(j.Actual, notReached) {
			findings[j.Event] = append(findings[j.Event], j)
		}
	}
	return findings
}

func newEvent(e timeline.Event) Event {
	text := e.Text()
	for _, sign := range []string{"-> ", "<- ", string(e.What)} {
		text = strings.TrimPrefix(text, sign)
	}
	return Event{
		TUS: e.At.Microseconds(), Who: cleanLine(e.Who), What: string(e.What),
		Frame: cleanLine(strings.TrimSpace(text)), Hex: hex.EncodeToString(e.Bytes),
	}
}

func verdictEvent(e timeline.Event, j conformance.Judgement) Event {
	text := fmt.Sprintf("%s %s: %s", j.ID, j.Verdict, joined(caseText(j.Case), j.Sentence))
	return Event{TUS: e.At.Microseconds(), Who: byVerdict, What: string(timeline.Remark), Frame: cleanLine(strings.TrimSuffix(text, ": "))}
}

// marks reports whether e is the finding on that requirement.
func (e Event) marks(id spec.ID) bool {
	return e.Who == byVerdict && strings.HasPrefix(e.Frame, string(id)+" ")
}

// outputEvents are the last lines that the scenario's own server wrote.
func outputEvents(result conformance.Result) []Event {
	output := strings.TrimRight(result.Output, "\r\n")
	if output == "" {
		return nil
	}
	lines := strings.Split(output, "\n")
	var entries []Event
	for _, line := range lines[max(0, len(lines)-keptOutput):] {
		entries = append(entries, Event{
			TUS: result.Ended.Sub(result.Zero).Microseconds(), Who: byOutput, What: string(timeline.Remark),
			Frame: cut(cleanLine(strings.TrimSuffix(line, "\r")), keptOfLine),
		})
	}
	return entries
}

// foundIn is a finding's place among the entries of a timeline, and its words.
type foundIn struct {
	at    int
	words string
}

// trimmed keeps at most limit entries: around the findings where there are some,
// else the first and the last ones. An entry stands for those left out.
func trimmed(entries []Event, marks []foundIn, limit int) []Event {
	if len(entries) <= limit {
		return append([]Event{}, entries...)
	}
	keep := make([]bool, len(entries))
	const minSpan = 8 // a finding with less around it says little
	marks = marks[:min(len(marks), limit/minSpan)]
	if len(marks) == 0 {
		half := (limit - 1) / 2
		keepRange(keep, 0, half)
		keepRange(keep, len(entries)-half, len(entries))
	}
	for _, mark := range marks {
		keepAround(keep, entries, mark, limit/len(marks)-2) // and an entry on either side
	}
	return withGaps(entries, keep)
}

func keepRange(keep []bool, from, to int) {
	for i := max(from, 0); i < min(to, len(keep)); i++ {
		keep[i] = true
	}
}

// keepAround keeps span entries around a finding. Those of the lanes that it is about
// are kept from farther away, each with an entry for the gap before it.
func keepAround(keep []bool, entries []Event, mark foundIn, span int) {
	window := func(span int) (from, to int) {
		from = min(max(mark.at-span*3/4, 0), len(entries)-span)
		return from, from + span
	}
	var far []int
	from, to := window(span)
	for _, i := range concerned(entries, mark, span/8) {
		if (i < from || i >= to) && len(far) < span/4 {
			far = append(far, i)
		}
	}
	from, to = window(span - 2*len(far))
	keepRange(keep, from, to)
	for _, i := range far {
		keep[i] = true
	}
}

// concerned are the entries that a finding is about, the nearest first.
func concerned(entries []Event, mark foundIn, most int) []int {
	decisive := lastEvent(entries[:mark.at])
	if decisive < 0 {
		return nil
	}
	var all []int
	for i, kept := range newFocus(entries, entries[decisive], mark.words).around(entries, decisive, most, most/2) {
		if kept {
			all = append(all, i)
		}
	}
	slices.SortStableFunc(all, func(a, b int) int { return cmp.Compare(max(a-decisive, decisive-a), max(b-decisive, decisive-b)) })
	return all
}

func withGaps(entries []Event, keep []bool) []Event {
	kept := []Event{}
	for i := 0; i < len(entries); i++ {
		if keep[i] {
			kept = append(kept, entries[i])
			continue
		}
		gap := slices.Index(keep[i:], true)
		if gap < 0 {
			gap = len(keep) - i
		}
		kept = append(kept, Event{
			TUS: entries[i].TUS, Who: bySuite, What: string(timeline.Remark), Frame: fmt.Sprintf("… %d events left out", gap),
		})
		i += gap - 1
	}
	return kept
}
