package defects

import (
	"math"
	"math/bits"
	"net"

	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

// tokens do not reach the work as they were sent.
func tokens() []Defect {
	return []Defect{
		{
			ID:       "token-through-a-float",
			Sentence: "It keeps the token in a float.",
			Must:     ids("C-RD-04"),
			May:      ids("C-RD-02"),
			New:      tokenAs(func(t uint64) uint64 { return uint64(float64(t)) }),
		},
		{
			ID:       "token-of-32-bits",
			Sentence: "It keeps the lower half of the token.",
			Must:     ids("C-RD-04"),
			May:      ids("C-RD-02"),
			New:      tokenAs(func(t uint64) uint64 { return t & (1<<32 - 1) }),
		},
		{
			ID:       "token-signed",
			Sentence: "It keeps the token in a signed number, which ends at 2^63-1.",
			Must:     ids("C-RD-04"),
			New:      tokenAs(func(t uint64) uint64 { return min(t, math.MaxInt64) }),
		},
		{
			ID:       "token-little-endian",
			Sentence: "It reads the token as a little endian number.",
			Must:     ids("C-RD-04 C-TOK-01"),
			May:      ids("C-RD-02"),
			New:      tokenAs(bits.ReverseBytes64),
		},
		{
			ID:       "token-of-its-own",
			Sentence: "It gives the work a number of its own instead of the token.",
			Must:     ids("C-TOK-01"),
			May:      ids("C-RD-02 C-RD-04"),
			New: func(cfg config) client {
				own := uint64(1000)
				return calls(cfg, func(do call) call {
					return do.withToken(func(uint64) uint64 { own++; return own })
				})
			},
		},
	}
}

// tokenAs makes a client that misreads every token in the same way.
func tokenAs(misread func(uint64) uint64) func(config) client {
	return conns(each(func(nc net.Conn) net.Conn {
		return edited(nc, func(f frame) []byte {
			f.Token = misread(f.Token)
			return wire.Bytes(f)
		})
	}))
}
