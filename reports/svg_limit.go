package reports

import (
	"cmp"
	"slices"
	"strings"
)

// tooEarly begins the text of a limit before which nothing was to happen.
const tooEarly = "not before: "

// overrun is the time between a limit and what missed it.
type overrun struct {
	from, to int64
	text     string
}

// overruns pairs each limit with the finding of its sentence, where it is clear
// which belongs to which: there are as many of one as of the other, or a single
// limit stands on the right side of the finding.
func overruns(events []Event, limits []Limit) []overrun {
	var all []overrun
	for _, g := range limitGroups(limits) {
		early := strings.HasPrefix(g.what, tooEarly)
		seen := seenAt(events, g.what)
		for i, at := range seen {
			before := slices.DeleteFunc(slices.Clone(g.at), func(us int64) bool { return early != (us > at) })
			switch {
			case len(seen) == len(g.at):
				before = g.at[i : i+1]
			case len(before) != 1:
				continue
			}
			if o, ok := overrunOf(before[0], at, early); ok {
				all = append(all, o)
			}
		}
	}
	return all
}

func overrunOf(limit, seen int64, early bool) (overrun, bool) {
	switch {
	case early && seen < limit:
		return overrun{seen, limit, microsText(limit-seen) + " too early"}, true
	case !early && seen > limit:
		return overrun{limit, seen, microsText(seen-limit) + " too late"}, true
	}
	return overrun{}, false
}

// instantsOf are the times of all limits with these words.
func instantsOf(limits []Limit, what string) []int64 {
	var at []int64
	for _, l := range limits {
		if l.What == what {
			at = append(at, l.AtUS)
		}
	}
	slices.Sort(at)
	return slices.Compact(at)
}

// seenAt are the times at which a finding with a limit's sentence was seen.
func seenAt(events []Event, what string) []int64 {
	sentence := strings.TrimPrefix(what, tooEarly)
	var at []int64
	for _, e := range events {
		if e.Who == byVerdict && sentence != "" && strings.HasSuffix(e.Frame, sentence) {
			at = append(at, e.TUS)
		}
	}
	slices.Sort(at)
	return slices.Compact(at)
}

// limitGroup is one sentence with all the instants at which it was missed.
type limitGroup struct {
	what string
	at   []int64
}

// limitGroups are the limits by their words, the earliest first.
func limitGroups(limits []Limit) []limitGroup {
	var groups []limitGroup
	for _, l := range limits {
		if !slices.ContainsFunc(groups, func(g limitGroup) bool { return g.what == l.What }) {
			groups = append(groups, limitGroup{l.What, instantsOf(limits, l.What)})
		}
	}
	slices.SortStableFunc(groups, func(a, b limitGroup) int { return cmp.Compare(a.at[0], b.at[0]) })
	return groups
}

// limitText is the words of a limit with when and by how much it was missed.
func (p *picture) limitText(g limitGroup) string {
	at := make([]string, len(g.at))
	for i, us := range g.at {
		at[i] = clockText(us)
	}
	text := "limit " + strings.Join(at, ", ")
	var late []string
	for _, o := range p.overruns {
		if slices.Contains(g.at, o.from) || slices.Contains(g.at, o.to) {
			late = append(late, o.text)
		}
	}
	if len(late) > 0 {
		text += " (" + strings.Join(late, "; ") + ")"
	}
	return text + ": " + g.what
}
