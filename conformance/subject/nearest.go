package subject

import "strings"

// nearest returns the known name that somebody who wrote name most likely
// meant. Known is not empty.
func nearest(name string, known []string) string {
	name = strings.ToLower(strings.ReplaceAll(name, "-", "_"))
	switch name {
	case "addr", "address", "port", "host", "server":
		return Listen
	}
	best, least := known[0], int(^uint(0)>>1)
	for _, candidate := range known {
		d := editDistance(name, candidate)
		if strings.Contains(candidate, name) || strings.Contains(name, candidate) {
			d = 1 // a part of the name is as good as one slip
		}
		if d < least {
			best, least = candidate, d
		}
	}
	return best
}

// editDistance counts the insertions, deletions and replacements of bytes
// that make b of a.
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
