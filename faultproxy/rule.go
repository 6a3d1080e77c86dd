package faultproxy

import (
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

// ID names a rule of one proxy. IDs count up from 1 and are never used again.
type ID int64

// Rule is one fault and where it acts. It is a value: what was added to a
// proxy does not change, it is removed. Its text form is that of [ParseRule],
// its JSON form an object with the same keys.
//
// Which fields count depends on the fault; [Faults] lists them, and Add refuses
// a rule that sets others.
type Rule struct {
	Fault Fault

	// Dir is the direction that is disturbed. With On it may be left at its
	// zero value: faults that act on frames go where the frames go.
	Dir Dir
	// Conn selects connections by their number, in the order of acceptance.
	Conn Nth

	// On makes the rule wait for frames of that type; 0: it acts at once.
	On wire.Type
	// N selects among the frames of that type, counted from the beginning of
	// the connection. The zero value means each of them.
	N Nth
	// At is the byte at which the fault begins: counted from the frame's first
	// byte with On, and otherwise from the beginning of the connection, in
	// that direction. 0 is before the first byte.
	At int64
	// After puts the fault behind the frame's last byte instead.
	After bool
	// Chance is the probability that a selected frame is met; 0 means 1.
	Chance float64

	Delay  time.Duration // delay: from receipt to release
	Jitter time.Duration // delay: each frame differs by up to this much, either way
	Sizes  []Span        // fragment: the pieces' sizes, from the first again after the last
	Pause  time.Duration // fragment: between two pieces
	Size   int           // coalesce: bytes that are gathered
	Wait   time.Duration // coalesce: how long they are waited for, from the first one's receipt
	Rate   int64         // bandwidth: bytes a second
	Len    int64         // lose: how many bytes; 0 means all from At on
	Xor    uint8         // corrupt: flips these bits; 0 without Byte means 0xff
	Byte   *uint8        // corrupt: the byte becomes this one
	Side   Side          // cut, reset: which connection; the zero value means both
}

// Span is a range of sizes in bytes, both ends included.
type Span struct{ Min, Max int }

// rule is a Rule that a proxy has taken in.
type rule struct {
	Rule
	id   ID
	text string
	hits counter
}

// atOnce reports whether the rule waits for nothing: no frame and no byte.
func (r *rule) atOnce() bool { return r.On == 0 && r.At == 0 }

// concerns reports whether the rule has to do with a lane: it disturbs it, or
// waits for one of its frames.
func (r *rule) concerns(conn int, dir Dir) bool {
	return faultTable[r.Fault].lane && r.Conn.Has(conn) && (r.Dir.covers(dir) || r.On != 0 && dirOf(r.On) == dir)
}

// framed reports whether the rule needs to know where frames begin.
func (r *rule) framed() bool { return r.On != 0 || r.Jitter != 0 }

// meets reports whether the rule's trigger selects f.
func (r *rule) meets(f frame, k key) bool {
	if r.On == 0 || f.typ != r.On || !r.N.Has(f.nth) {
		return false
	}
	return r.Chance == 0 || r.Chance >= 1 || k.draw(r.id, drawChance, f.index).unit() < r.Chance
}

// place returns where in the stream the fault begins for the frame f that it
// met, and whether that is known already.
func (r *rule) place(f frame) (offset int64, known bool) {
	if !r.After {
		return f.start + r.At, true
	}
	return f.start + int64(f.size), f.size > 0
}
