// Package typo guesses what somebody meant to write.
package typo

import "strings"

// Nearest returns the known name that is closest to word, and false where none
// is near: at most one mistake for every three characters, and a part of a name
// counts as one mistake.
func Nearest(word string, known []string) (string, bool) {
	word = strings.ToLower(word)
	nearest, best := "", max(len(word)/3, 1)+1
	for _, name := range known {
		d := Distance(word, strings.ToLower(name))
		if len(word) > 2 && strings.Contains(strings.ToLower(name), word) {
			d = min(d, 1)
		}
		if d < best {
			nearest, best = name, d
		}
	}
	return nearest, nearest != ""
}

// Distance counts the single mistakes between a and b: a byte inserted,
// deleted, replaced, or swapped with its neighbour.
func Distance(a, b string) int {
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
