package certificate

import (
	"fmt"
	"strings"
)

// fewNames is how many names a sentence lists.
const fewNames = 5

// some joins the first names, and counts the others.
func some[T ~string](names []T) string {
	var shown []string
	for _, name := range names[:min(len(names), fewNames)] {
		shown = append(shown, string(name))
	}
	if more := len(names) - len(shown); more > 0 {
		shown = append(shown, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(shown, ", ")
}

// counted is the number with the right form of its noun.
func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
