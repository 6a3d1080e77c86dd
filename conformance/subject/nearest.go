package subject

import (
	"strings"

	"github.com/monolock-dev/monolock-conform/conformance/typo"
)

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
		d := typo.Distance(name, candidate)
		if strings.Contains(candidate, name) || strings.Contains(name, candidate) {
			d = 1 // a part of the name is as good as one slip
		}
		if d < least {
			best, least = candidate, d
		}
	}
	return best
}
