package faultproxy

import (
	"errors"
	"fmt"
	"strings"
)

// unknownFault says that there is no such fault, and which one is near.
func unknownFault(name string) error {
	var names []string
	for _, f := range faultList {
		names = append(names, string(f.Fault))
	}
	return unknown("fault", name, names)
}

// chosen returns the index of word among names.
func chosen(what, word string, names []string) (int, error) {
	for i, name := range names {
		if name == word {
			return i, nil
		}
	}
	return 0, unknown(what, word, names)
}

// unknown says that word is none of names, and names the nearest or all.
func unknown(what, word string, names []string) error {
	if len(names) == 0 {
		return fmt.Errorf("there is no %s %q here", what, word)
	}
	best, distance := "", max(1, len(word)/2)+1
	for _, name := range names {
		if d := typos(strings.ToLower(word), strings.ToLower(name)); d < distance {
			best, distance = name, d
		}
	}
	if best != "" {
		return fmt.Errorf("there is no %s %q; did you mean %q?", what, word, best)
	}
	return errors.New("there is no " + what + " " + fmt.Sprintf("%q", word) + "; there are " + strings.Join(names, ", "))
}

// longestWord bounds the words that are compared, in bytes.
const longestWord = 32

// typos counts the letters that are wrong, missing, too many or swapped.
func typos(a, b string) int {
	if len(a) > longestWord {
		return longestWord
	}
	var d [longestWord + 1][longestWord + 1]int
	for i := 0; i <= len(a); i++ {
		for j := 0; j <= len(b); j++ {
			switch {
			case i == 0 || j == 0:
				d[i][j] = i + j
				continue
			case a[i-1] == b[j-1]:
				d[i][j] = d[i-1][j-1]
			default:
				d[i][j] = d[i-1][j-1] + 1
			}
			d[i][j] = min(d[i][j], d[i-1][j]+1, d[i][j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d[i][j] = min(d[i][j], d[i-2][j-2]+1)
			}
		}
	}
	return d[len(a)][len(b)]
}
