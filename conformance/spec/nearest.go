package spec

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/monolock-dev/monolock-conform/conformance/typo"
)

// maxTypos is how many mistakes a word may hold and still mean an ID. A third
// one turns most short IDs into others.
const maxTypos = 2

// Nearest returns the ID that word most probably means, for a "did you mean".
// Case, dashes and leading zeros do not count: "s-q-2" and "sq2" are S-Q-02.
// A letter too many, missing, wrong or swapped with its neighbour is one
// mistake; at most two are forgiven, and at most one for every two characters.
// Among equals the first in the catalogue's order wins.
// It reports false where nothing is near.
func Nearest(word string) (ID, bool) {
	wanted := squeeze(word)
	allowed := min(maxTypos, len(wanted)/2)
	var nearest ID
	best := allowed + 1
	for _, r := range catalogue {
		id := squeeze(string(r.ID))
		if len(wanted) > len(id)+allowed {
			continue // too long for any number of forgiven mistakes
		}
		if d := typo.Distance(wanted, id); d < best {
			nearest, best = r.ID, d
		}
	}
	return nearest, best <= allowed
}

// squeeze keeps the ASCII letters and digits of word, in upper case, and
// writes a number at its end with two digits at least.
func squeeze(word string) string {
	kept := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z':
			return r - 'a' + 'A'
		case r >= 'A' && r <= 'Z', r >= '0' && r <= '9':
			return r
		}
		return -1
	}, word)
	letters := strings.TrimRight(kept, "0123456789")
	number, err := strconv.ParseUint(kept[len(letters):], 10, 32)
	if err != nil { // no number, or one that no ID has
		return kept
	}
	return fmt.Sprintf("%s%02d", letters, number)
}
