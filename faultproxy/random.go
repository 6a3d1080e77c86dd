package faultproxy

import "time"

// key is what every random decision of a lane is drawn from, beside the rule
// and the frame. A decision is a pure function of them: asking twice gives the
// same answer, whatever else happens and whenever.
type key struct {
	seed uint64
	conn int
	dir  Dir
}

// What is drawn, so that two decisions of one rule are independent.
const (
	drawChance = iota
	drawJitter
	drawSize
)

// drawn is a drawn number, uniform over 64 bits.
type drawn uint64

// draw returns the number for one decision of one rule about the frame (or the
// receipt, or the fragment) of that index.
func (k key) draw(rule ID, what int, index int64) drawn {
	h := k.seed
	for _, part := range []uint64{uint64(rule), uint64(k.conn), uint64(k.dir), uint64(what), uint64(index)} {
		h = mix(h ^ part)
	}
	return drawn(h)
}

// mix is one step of SplitMix64.
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// unit maps the number to [0, 1).
func (n drawn) unit() float64 { return float64(n>>11) / (1 << 53) }

// spread maps the number to [-d, d].
func (n drawn) spread(d time.Duration) time.Duration {
	return time.Duration((2*n.unit() - 1) * float64(d))
}

// in maps the number to the span.
func (n drawn) in(s Span) int { return s.Min + int(uint64(n)%uint64(s.Max-s.Min+1)) }
