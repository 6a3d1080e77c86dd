package reports

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance"
)

// checkParts reports why the parts are not all of one run. It fills in when each
// began.
func checkParts(parts []part) error {
	if err := checkStarts(parts); err != nil {
		return err
	}
	if err := checkSame(parts); err != nil {
		return err
	}
	if err := checkShards(parts); err != nil {
		return err
	}
	return checkScenarios(parts)
}

func checkStarts(parts []part) error {
	var faults []error
	for i := range parts {
		started, err := time.Parse(time.RFC3339, parts[i].Run.Started)
		if err != nil {
			faults = append(faults, fmt.Errorf("%s: its start %q is no time as in RFC 3339", parts[i].name, cut(cleanLine(parts[i].Run.Started), shownOfLine)))
		}
		parts[i].started = started
	}
	return errors.Join(faults...)
}

// checkSame compares every part with the first in all that one run has once.
func checkSame(parts []part) error {
	var faults []error
	for _, p := range parts[1:] {
		before := attributes(parts[0].Result)
		for i, now := range attributes(p.Result) {
			if now.value != before[i].value {
				faults = append(faults, fmt.Errorf("these are not parts of one run: %s is %q in %s and %q in %s",
					now.name, cut(cleanLine(before[i].value), shownOfLine), parts[0].name, cut(cleanLine(now.value), shownOfLine), p.name))
			}
		}
	}
	return errors.Join(faults...)
}

// attribute is something that all the parts of one run share.
type attribute struct{ name, value string }

func attributes(r Result) []attribute {
	return []attribute{
		{"the schema", r.Schema},
		{"the suite's version", r.Suite.Version},
		{"the suite's commit", r.Suite.Commit},
		{"the catalogue", r.Suite.Catalogue},
		{"the catalogue's version", fmt.Sprint(r.Suite.CatalogueVersion)},
		{"the subject's role", string(r.Subject.Role)},
		{"the subject's name", r.Subject.Name},
		{"the subject's version", r.Subject.Version},
		{"the subject's target", r.Subject.Target},
		{"what the subject lacks", sortedWords(r.Subject.Lacks)},
		{"the seed", fmt.Sprint(r.Run.Seed)},
		{"the lease in ms", fmt.Sprint(r.Run.LeaseMS)},
		{"--strict", fmt.Sprint(r.Filters.Strict)},
		{"--run", sortedWords(r.Filters.Run)},
		{"--skip", sortedWords(r.Filters.Skip)},
		{"--label-filter", r.Filters.Labels},
		{"what is offered", sortedWords(r.Features.Offered)},
		{"--baseline", strings.Join(flagValues(r.Run.Args, "baseline"), " ")},
	}
}

func sortedWords[T cmp.Ordered](words []T) string {
	sorted := slices.Sorted(slices.Values(words))
	return strings.TrimSuffix(strings.TrimPrefix(fmt.Sprint(sorted), "["), "]")
}

// checkShards reports parts that are none, that occur twice, and that are missing.
func checkShards(parts []part) error {
	var faults []error
	holder := map[int]string{}
	total, from := 0, ""
	for _, p := range parts {
		i, n, err := conformance.ParseShard(p.Filters.Shard)
		switch {
		case p.Filters.Shard == "":
			faults = append(faults, fmt.Errorf("%s is no part of a run: it was run without --shard", p.name))
		case err != nil:
			faults = append(faults, fmt.Errorf("%s: its shard %w", p.name, err))
		case total != 0 && n != total:
			faults = append(faults, fmt.Errorf("%s is a part of %d, and %s one of %d", from, total, p.name, n))
		case holder[i] != "":
			faults = append(faults, fmt.Errorf("%s and %s are both part %d/%d", holder[i], p.name, i, n))
		default:
			holder[i], total, from = p.name, n, p.name
		}
	}
	if err := errors.Join(faults...); err != nil {
		return err
	}
	return missingParts(holder, total)
}

// shownMissing is how many missing parts or scenarios are named.
const shownMissing = 10

func missingParts(holder map[int]string, total int) error {
	var missing []string
	for i := 1; i <= total && len(missing) <= shownMissing; i++ {
		if holder[i] == "" {
			missing = append(missing, fmt.Sprintf("%d/%d", i, total))
		}
	}
	if len(missing) == 0 {
		return nil
	}
	return fmt.Errorf("not all parts are there: %s given, missing: %s", counted(len(holder), "part was", "parts were"), named(missing))
}

// named joins names, and says where there are more.
func named(names []string) string {
	if len(names) <= shownMissing {
		return strings.Join(names, ", ")
	}
	return strings.Join(names[:shownMissing], ", ") + " and more"
}

// checkScenarios reports scenarios that two parts ran, that a part does not know,
// and, where no filter left anything out, that none ran.
func checkScenarios(parts []part) error {
	var faults []error
	ran := map[string]string{} // scenario to the part that ran it; "" for none yet
	for _, p := range parts {
		seen := map[string]bool{}
		for _, s := range p.Scenarios {
			before, there := ran[s.ID]
			switch {
			case seen[s.ID]:
				faults = append(faults, fmt.Errorf("%s lists %s twice", p.name, cleanLine(s.ID)))
			case s.Verdict == conformance.Excluded:
				ran[s.ID] = before
			case there && before != "":
				faults = append(faults, fmt.Errorf("%s ran in %s and in %s; one part has it, each", cleanLine(s.ID), before, p.name))
			default:
				ran[s.ID] = p.name
			}
			seen[s.ID] = true
		}
	}
	for _, p := range parts {
		faults = append(faults, p.knowsAll(ran))
	}
	faults = append(faults, ranSomewhere(ran, parts[0].Result))
	return errors.Join(faults...)
}

// knowsAll reports scenarios of other parts that p does not list, not even as left out.
func (p part) knowsAll(ran map[string]string) error {
	lacking := map[string]bool{}
	for id := range ran {
		lacking[id] = true
	}
	for _, s := range p.Scenarios {
		delete(lacking, s.ID)
	}
	if len(lacking) == 0 {
		return nil
	}
	return fmt.Errorf("%s does not list what other parts do: %s", p.name, named(sortedKeys(lacking)))
}

// ranSomewhere reports what no part ran though nothing was filtered.
func ranSomewhere(ran map[string]string, r Result) error {
	if len(r.Filters.Run) > 0 || len(r.Filters.Skip) > 0 || r.Filters.Labels != "" {
		return nil // what the filters left out, nobody ran
	}
	missing := map[string]bool{}
	for id, by := range ran {
		if by == "" {
			missing[id] = true
		}
	}
	if len(missing) == 0 {
		return nil
	}
	return fmt.Errorf("%s in none of the parts: %s", counted(len(missing), "scenario ran", "scenarios ran"), named(sortedKeys(missing)))
}

func sortedKeys(set map[string]bool) []string {
	var keys []string
	for key := range set {
		keys = append(keys, cleanLine(key))
	}
	slices.Sort(keys)
	return keys
}
