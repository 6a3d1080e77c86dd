package spec

import (
	"fmt"
	"strconv"
	"strings"
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
		if d := distance(wanted, id); d < best {
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

// distance counts the single mistakes between a and b: a byte inserted,
// deleted, replaced, or swapped with its neighbour.
func distance(a, b string) int {
	// rows[i][j] is the distance between the first i bytes of a and j of b.
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			replaced := rows[i-1][j-1]
			if a[i-1] != b[j-1] {
				replaced++
			}
			rows[i][j] = min(replaced, rows[i-1][j]+1, rows[i][j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return rows[len(a)][len(b)]
}
