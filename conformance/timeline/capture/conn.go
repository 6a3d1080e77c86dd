package capture

import (
	"net/netip"
	"time"
)

// Conn is a connection that speaks monolock.
type Conn struct {
	Who            string // "conn-17"
	Client, Server netip.AddrPort
	// Started says that its beginning was captured.
	Started bool
	// ClientWay and ServerWay are how long the handshake took from the place of the
	// capture to either end and back, where WaysKnown.
	WaysKnown            bool
	ClientWay, ServerWay time.Duration
	// Note is for whoever reads: the reader leaves it alone.
	Note any
}

// follow is a connection of any kind that is followed.
type follow struct {
	key   pairKey
	ends  [2]endpoint // that of each stream's sender
	kind  kind
	sure  bool // it speaks monolock beyond doubt
	conn  *Conn
	start handshake

	clientKnown bool
	client      int // which stream is the client's
	streams     [2]stream
	hints       [2]hint
	strikes     int

	newer, older *follow // in the order of use
}

type kind uint8

const (
	undecided kind = iota
	speaks
	foreign
)

// hint is what a direction of a connection that began before the capture looks like.
type hint uint8

const (
	noHint hint = iota
	likeClient
	likeServer
)

// pairKey names a connection, whichever end speaks. It has no gaps, so that it
// hashes fast.
type pairKey struct{ aHigh, aLow, bHigh, bLow, ports uint64 }

// keyOf returns the key of a segment's connection, and whether its sender is the
// first of the pair.
func keyOf(s *segment) (key pairKey, first bool) {
	a, b := s.from, s.to
	if first = a.less(b); !first {
		a, b = b, a
	}
	return pairKey{a.high, a.low, b.high, b.low, uint64(a.port)<<16 | uint64(b.port)}, first
}

// handshake takes the times of a connection's beginning.
type handshake struct {
	seen             bool // a SYN
	syn, answer, ack int64
	isn              uint32
	repeated         bool
}

// ways returns how long the ways to the ends and back took. A repeated SYN or answer
// makes them unknown.
func (h handshake) ways() (client, server time.Duration, known bool) {
	if h.syn == 0 || h.answer == 0 || h.ack == 0 || h.repeated || h.answer < h.syn || h.ack < h.answer {
		return 0, 0, false
	}
	return time.Duration(h.ack - h.answer), time.Duration(h.answer - h.syn), true
}

// note takes a segment of the handshake.
func (h *handshake) note(s *segment) {
	switch s.flags & (flagSYN | flagACK) {
	case flagSYN:
		h.repeated = h.repeated || h.syn != 0
		h.seen, h.syn, h.isn = true, s.nanos, s.seq
	case flagSYN | flagACK:
		h.repeated = h.repeated || h.answer != 0
		h.seen, h.answer = true, s.nanos
	case flagACK:
		if h.ack == 0 && h.answer != 0 {
			h.ack = s.nanos
		}
	}
}

// table holds the connections, the least used last.
type table struct {
	byKey          map[pairKey]*follow
	newest, oldest *follow
}

// mostConns bounds the connections that are followed at once.
const mostConns = 1 << 16

func (t *table) add(c *follow) {
	t.byKey[c.key] = c
	t.toFront(c)
}

func (t *table) toFront(c *follow) {
	c.older, c.newer = t.newest, nil
	if t.newest != nil {
		t.newest.newer = c
	} else {
		t.oldest = c
	}
	t.newest = c
}

func (t *table) use(c *follow) {
	if c != t.newest {
		t.unlink(c)
		t.toFront(c)
	}
}

func (t *table) unlink(c *follow) {
	if c.newer != nil {
		c.newer.older = c.older
	} else {
		t.newest = c.older
	}
	if c.older != nil {
		c.older.newer = c.newer
	} else {
		t.oldest = c.newer
	}
}

func (t *table) remove(c *follow) {
	t.unlink(c)
	delete(t.byKey, c.key)
}
