package monitor

import "math/bits"

// Facts are what a capture shows of matters that nobody judges.
type Facts struct {
	Intervals Spread // heartbeats: percent of the lease from one to the next
	Handovers Spread // microseconds from the end of a hold to the promotion behind it
	Drops     int    // sessions that the server ended within their lease, without an ERROR
}

// Spread is a distribution in little space: quantiles are right to an eighth.
type Spread struct {
	Count   int
	Max     int64
	buckets [64 * 8]int
}

func (s *Spread) add(value int64) {
	value = max(value, 0)
	s.Count++
	s.Max = max(s.Max, value)
	s.buckets[bucket(value)]++
}

// bucket numbers a value: its three leading bits behind the highest, and the power
// of two.
func bucket(value int64) int {
	if value < 8 {
		return int(value)
	}
	power := bits.Len64(uint64(value)) - 4
	return (power+1)*8 + int(value>>power)&7
}

// floor is the smallest value of a bucket.
func floor(bucket int) int64 {
	if bucket < 8 {
		return int64(bucket)
	}
	return int64(8+bucket%8) << (bucket/8 - 1)
}

// Quantile returns the value below which a share of all lies, from 0 to 1.
func (s *Spread) Quantile(share float64) int64 {
	rest := int(share * float64(s.Count))
	for b, n := range s.buckets {
		if rest -= n; rest < 0 {
			return floor(b)
		}
	}
	return s.Max
}

// Facts returns what was seen so far.
func (w *Watch) Facts() Facts { return *w.facts }
