package conformance

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// ParseShard reads a part of a run, "I/N": the I-th of N, counted from 1. The error
// says what is wrong with another text.
func ParseShard(text string) (i, n int, err error) {
	first, second, _ := strings.Cut(text, "/")
	i, errI := strconv.Atoi(first)
	n, errN := strconv.Atoi(second)
	if errI != nil || errN != nil || text != fmt.Sprintf("%d/%d", i, n) {
		return 0, 0, fmt.Errorf("%q is no part of a run: I/N, such as 1/3 for the first of three", text)
	}
	if n < 1 || i < 1 || i > n {
		return 0, 0, fmt.Errorf("%q is no part of a run: parts count from 1/%d to %d/%d", text, max(n, 1), max(n, 1), max(n, 1))
	}
	return i, n, nil
}

// overhead is what each scenario costs beside its waiting, so that parts also have
// about as many of the short ones.
const overhead = 100 * time.Millisecond

// Shard returns the i-th of n parts of scenarios, counted from 1, in their order;
// nothing for an i that is none. The parts are disjoint, hold everything together
// and take about equally long. Which part a scenario falls into depends on the
// other scenarios and their lengths alone, and on no flag.
func Shard(scenarios []Scenario, i, n int) []Scenario {
	if n < 1 || i < 1 || i > n {
		return nil
	}
	part := shards(scenarios, n)
	var chosen []Scenario
	for _, s := range scenarios {
		if part[s.ID] == i-1 {
			chosen = append(chosen, s)
		}
	}
	return chosen
}

// shards gives each scenario its part: the exclusive ones first, since their times
// add up, then the others; of each the longest first, to the part that has least.
func shards(scenarios []Scenario, n int) map[string]int {
	weight := func(s Scenario) time.Duration { return s.length(DefaultParams()) + overhead }
	ordered := slices.Clone(scenarios)
	slices.SortFunc(ordered, func(a, b Scenario) int {
		return cmp.Or(cmp.Compare(b.Class, a.Class), cmp.Compare(weight(b), weight(a)), cmp.Compare(a.ID, b.ID))
	})
	part := make(map[string]int, len(ordered))
	load := make([]time.Duration, n)
	for _, s := range ordered {
		least := slices.Index(load, slices.Min(load))
		part[s.ID] = least
		load[least] += weight(s)
	}
	return part
}
