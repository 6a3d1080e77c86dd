package reports

import (
	"math"
	"slices"
	"strconv"
)

// axis places a scenario's instants on a drawing's width. A scenario that waits for
// a second does most of what it does within a millisecond, so part of the width is
// shared out by time and the rest by instants: what happens close together stays
// apart, and the order is always that of time.
type axis struct {
	instants    []int64 // sorted, each once; the first and the last are the ends
	left, width float64
}

// byTime is the share of the width that is given out by time.
const byTime = 0.58

// newAxis covers the instants, of which there may be none.
func newAxis(instants []int64, left, width float64) axis {
	instants = slices.Clone(instants)
	slices.Sort(instants)
	instants = slices.Compact(instants)
	if len(instants) == 0 {
		instants = []int64{0}
	}
	if len(instants) == 1 {
		instants = append(instants, instants[0]+1)
	}
	return axis{instants: instants, left: left, width: width}
}

func (a axis) from() int64  { return a.instants[0] }
func (a axis) until() int64 { return a.instants[len(a.instants)-1] }

// covers reports whether an instant lies on the axis.
func (a axis) covers(us int64) bool { return us >= a.from() && us <= a.until() }

// x is where an instant stands; what lies outside stands at the nearer end.
func (a axis) x(us int64) float64 {
	us = min(max(us, a.from()), a.until())
	i, exact := slices.BinarySearch(a.instants, us)
	rank := float64(i)
	if !exact {
		before, after := a.instants[i-1], a.instants[i]
		rank = float64(i-1) + float64(us-before)/float64(after-before)
	}
	time := float64(us-a.from()) / float64(a.until()-a.from())
	return a.left + a.width*(byTime*time+(1-byTime)*rank/float64(len(a.instants)-1))
}

// tick is a labelled instant of an axis.
type tick struct {
	x    float64
	text string
}

// ticks are round times that stand far enough apart to be read.
func (a axis) ticks(apart float64) []tick {
	step := roundStep(float64(a.until()-a.from()) / 8)
	var ticks []tick
	for us := ceilTo(a.from(), step); us <= a.until(); us += step {
		x := a.x(us)
		if len(ticks) > 0 && x-ticks[len(ticks)-1].x < apart {
			continue
		}
		ticks = append(ticks, tick{x, clockText(us)})
	}
	return ticks
}

// roundStep is the smallest of 1, 2, 2.5, 5, 10 ... that is not below v.
func roundStep(v float64) int64 {
	power := math.Pow(10, math.Floor(math.Log10(max(v, 1))))
	for _, factor := range []float64{1, 2, 2.5, 5} {
		if step := factor * power; step >= v && step == math.Trunc(step) {
			return int64(step)
		}
	}
	return int64(10 * power)
}

func ceilTo(us, step int64) int64 {
	floor := us / step * step
	if floor < us {
		floor += step
	}
	return floor
}

// clockText is an instant of a scenario's clock in milliseconds, as its events are
// listed, without needless zeros.
func clockText(us int64) string {
	return strconv.FormatFloat(float64(us)/1000, 'f', -1, 64) + " ms"
}
