package faultproxy

import (
	"fmt"
	"strconv"
	"strings"
)

// Nth selects by number, counted from 1. Its zero value selects all; {N: 3}
// the third alone; {N: 3, Onward: true} the third and all that follow.
type Nth struct {
	N      int
	Onward bool
}

// Only selects the n-th alone.
func Only(n int) Nth { return Nth{N: n} }

// From selects the n-th and all that follow.
func From(n int) Nth { return Nth{N: n, Onward: true} }

// Has reports whether number i is selected.
func (n Nth) Has(i int) bool { return n.N == 0 || i == n.N || n.Onward && i > n.N }

// String returns "all", "3" or "3+".
func (n Nth) String() string {
	switch {
	case n.N == 0:
		return "all"
	case n.Onward:
		return strconv.Itoa(n.N) + "+"
	}
	return strconv.Itoa(n.N)
}

func parseNth(text string) (Nth, error) {
	if text == "all" {
		return Nth{}, nil
	}
	digits, onward := strings.CutSuffix(text, "+")
	n, err := strconv.ParseUint(digits, 10, 31)
	if err != nil || n == 0 {
		return Nth{}, fmt.Errorf(`%q is no number from 1 on, such as "3", "3+" (from the third on) or "all"`, text)
	}
	return Nth{N: int(n), Onward: onward}, nil
}
