package capture

import (
	"slices"
	"time"
)

// stream is one direction of a connection: its bytes in order, as far as they were
// captured.
type stream struct {
	next    uint32 // the sequence number that is due
	started bool
	pieces  []piece // out of order, sorted
	held    int     // bytes in pieces

	acked    uint32 // what the other side has acknowledged
	ackKnown bool
	waited   int // segments of the connection since a gap was noticed
	waitFrom int64
	endAt    uint32 // where its FIN stands
	endNanos int64
	ending   bool // a FIN was seen
	ended    bool // and all before it

	frames decoder
}

// piece is a segment that came before its turn.
type piece struct {
	seq   uint32
	size  int
	data  []byte
	nanos int64
}

// How long a gap is waited for: until so much stands behind it, or until the other
// side has acknowledged it and a while has passed. A capture may hold packets of the
// two directions in the wrong order, but not by much.
const (
	mostPieces  = 64
	mostHeld    = 256 << 10
	gapPatience = int64(250 * time.Millisecond)
	gapSegments = 64
)

// wildJump is a distance of sequence numbers that no window allows.
const wildJump = 1 << 26

// insert keeps a segment that came before its turn.
func (s *stream) insert(p piece) {
	if len(s.pieces) == 0 {
		s.waited, s.waitFrom = 0, p.nanos
	}
	i, twice := slices.BinarySearchFunc(s.pieces, p, func(a, b piece) int { return int(int32(a.seq - b.seq)) })
	if twice && s.pieces[i].size >= p.size {
		return
	}
	p.data = slices.Clone(p.data)
	s.held += len(p.data)
	s.pieces = slices.Insert(s.pieces, i, p)
}

// pop returns the next piece whose turn it is.
func (s *stream) pop() (piece, bool) {
	for len(s.pieces) > 0 {
		p := s.pieces[0]
		behind := int(int32(s.next - p.seq)) // bytes of it that are known already
		if behind < 0 {
			return piece{}, false
		}
		s.pieces = s.pieces[1:]
		s.held -= len(p.data)
		if behind < p.size {
			return p.from(behind), true
		}
	}
	s.pieces = nil
	return piece{}, false
}

// from is the piece without its first n bytes.
func (p piece) from(n int) piece {
	p.seq, p.size = p.seq+uint32(n), p.size-n
	p.data = p.data[min(n, len(p.data)):]
	return p
}

// end notes a FIN.
func (s *stream) end(seq uint32, nanos int64) {
	if s.ending {
		return
	}
	s.ending, s.endAt, s.endNanos = true, seq, nanos
	if len(s.pieces) == 0 {
		s.waited, s.waitFrom = 0, nanos
	}
}

// gap returns where what was seen goes on behind a gap.
func (s *stream) gap() (to uint32, some bool) {
	switch {
	case len(s.pieces) > 0:
		return s.pieces[0].seq, true
	case s.ending && !s.ended && int32(s.endAt-s.next) > 0:
		return s.endAt, true
	}
	return 0, false
}

// hopeless reports whether a gap will not be filled any more.
func (s *stream) hopeless(nanos int64) bool {
	to, some := s.gap()
	if !some {
		return false
	}
	if len(s.pieces) > mostPieces || s.held > mostHeld {
		return true
	}
	delivered := s.ackKnown && int32(s.acked-to) >= 0
	return delivered && (s.waited > gapSegments || nanos-s.waitFrom > gapPatience)
}

// unseen returns how many bytes the other side has acknowledged that were not seen.
func (s *stream) unseen() int {
	until := s.acked
	if s.ending && int32(until-s.endAt) > 0 {
		until = s.endAt // the FIN has a number, too
	}
	if n := int32(until - s.next); s.started && s.ackKnown && n > 0 && n < wildJump {
		return int(n)
	}
	return 0
}

// beyond reports whether the other side has acknowledged bytes that were not seen.
func (s *stream) beyond() bool { return s.unseen() > 0 }
