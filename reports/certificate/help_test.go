package certificate_test

import "slices"

func sorted(words []string) []string { return slices.Sorted(slices.Values(words)) }
