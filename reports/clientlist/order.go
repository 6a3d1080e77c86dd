package clientlist

import (
	"cmp"
	"strings"
)

// order sorts by name, newest version first.
func order(a, b Entry) int {
	return cmp.Or(
		cmp.Compare(strings.ToLower(a.Claim.Name), strings.ToLower(b.Claim.Name)),
		cmp.Compare(a.Claim.Name, b.Claim.Name),
		-compareVersions(a.Claim.Version, b.Claim.Version),
		cmp.Compare(a.Folder, b.Folder),
	)
}

// compareVersions compares as people read versions: 0.10 is after 0.9, and 1.0-rc1
// before 1.0. Any text is a version.
func compareVersions(a, b string) int {
	release, pre, isPre := strings.Cut(a, "-")
	otherRelease, otherPre, otherIsPre := strings.Cut(b, "-")
	if c := natural(release, otherRelease); c != 0 {
		return c
	}
	switch {
	case isPre && !otherIsPre:
		return -1
	case otherIsPre && !isPre:
		return 1
	}
	return cmp.Or(natural(pre, otherPre), cmp.Compare(a, b))
}

// natural compares texts, and the numbers in them as numbers.
func natural(a, b string) int {
	for a != "" && b != "" {
		x, y := digits(a), digits(b)
		if x == "" || y == "" {
			if a[0] != b[0] {
				return cmp.Compare(a[0], b[0])
			}
			a, b = a[1:], b[1:]
			continue
		}
		m, n := strings.TrimLeft(x, "0"), strings.TrimLeft(y, "0")
		if c := cmp.Or(cmp.Compare(len(m), len(n)), cmp.Compare(m, n)); c != 0 {
			return c
		}
		a, b = a[len(x):], b[len(y):]
	}
	return cmp.Compare(len(a), len(b))
}

// digits is the number that text begins with.
func digits(text string) string {
	return text[:len(text)-len(strings.TrimLeft(text, "0123456789"))]
}
