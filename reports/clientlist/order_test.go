package clientlist

import (
	"slices"
	"testing"
)

func TestVersionsAreReadAsPeopleReadThem(t *testing.T) {
	want := []string{"", "0.9", "0.10-alpha", "0.10-rc2", "0.10-rc10", "0.10", "0.10.1", "1", "1.0", "1.0a", "2024-01", "v1"}
	got := slices.Clone(want)
	slices.Reverse(got)
	slices.SortFunc(got, compareVersions)
	if !slices.Equal(got, want) {
		t.Errorf("sorted %q, want %q", got, want)
	}
	for _, a := range want {
		for _, b := range want {
			if compareVersions(a, b) != -compareVersions(b, a) {
				t.Errorf("%q and %q have no order", a, b)
			}
		}
	}
}
