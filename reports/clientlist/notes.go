package clientlist

import (
	"fmt"
	"slices"
	"strings"

	"github.com/monolock-dev/monolock-conform/reports"
)

// notes says what a reader of the whole list should know. Entries are in order.
func notes(entries []Entry) []string {
	var all []string
	note := func(format string, args ...any) {
		all = append(all, reports.CleanLine(fmt.Sprintf(format, args...)))
	}
	if suites := suitesOf(entries); len(suites) > 1 {
		note("The certificates were made by different suites (%s): what a later one tests, an earlier one may not have tested.", strings.Join(suites, "; "))
	}
	if slices.ContainsFunc(entries, func(e Entry) bool { return e.Behind > 0 }) {
		note("Of a certificate by an older catalogue it cannot be told any more whether all of that catalogue was tested.")
	}
	for i := 1; i < len(entries); i++ {
		a, b := entries[i-1], entries[i]
		if a.Claim.Name != b.Claim.Name {
			continue
		}
		if a.Claim.Version == b.Claim.Version {
			note("%s %s is listed twice, from %s and %s.", a.Claim.Name, a.Claim.Version, a.Folder, b.Folder)
		}
		if a.Key != b.Key {
			note("%s %s and %s are signed by different keys, %s and %s: ask their author.", a.Claim.Name, a.Claim.Version, b.Claim.Version, a.Key, b.Key)
		}
	}
	return all
}

// suitesOf lists the suites that certified, sorted.
func suitesOf(entries []Entry) []string {
	var all []string
	for _, e := range entries {
		all = append(all, fmt.Sprintf("%s with catalogue %d %s", e.Suite.Version, e.Suite.CatalogueVersion, e.Suite.Catalogue[:min(len(e.Suite.Catalogue), len("sha256:")+12)]))
	}
	slices.Sort(all)
	return slices.Compact(all)
}
