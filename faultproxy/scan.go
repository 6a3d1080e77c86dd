package faultproxy

import (
	"encoding/binary"

	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

// frame is one frame of a lane, as far as it is known.
type frame struct {
	typ   wire.Type
	index int64 // among all frames of the lane, from 0
	nth   int   // among the frames of its type, from 1
	start int64 // offset of its first byte in the stream
	size  int   // in bytes; 0 while the header is not complete
}

// scanner follows the frames in one direction of a connection, whatever pieces
// the bytes come in. From the first byte on that is no frame's it knows nothing.
type scanner struct {
	dir     Dir
	lost    bool // not monolock, or joined in the middle
	offset  int64
	inside  bool // part of current was passed
	current frame
	header  [wire.AcquireHeaderSize]byte
	got     int // bytes of current that were passed
	frames  int64
	counts  [4]int32 // by the type's last two bits, which differ within a direction
}

// peek returns the frame that data[0] belongs to, and how many bytes of data
// are that frame's. It reports false where there is no frame.
func (s *scanner) peek(data []byte) (f frame, n int, ok bool) {
	if s.lost || len(data) == 0 {
		return frame{}, len(data), false
	}
	f = s.current
	if !s.inside {
		t := wire.Type(data[0])
		f = frame{typ: t, index: s.frames, nth: int(s.counts[t&3]) + 1, start: s.offset}
	}
	if f.size == 0 {
		header := s.header
		have := min(s.got, len(header))
		have += copy(header[have:], data)
		if f.size = sizeOf(s.dir, header[:have]); f.size < 0 {
			return frame{}, len(data), false
		}
	}
	if f.size == 0 {
		return f, len(data), true
	}
	return f, min(len(data), f.size-s.got), true
}

// pass moves on over data.
func (s *scanner) pass(data []byte) {
	for len(data) > 0 {
		f, n, ok := s.peek(data)
		if !ok {
			s.lost = true
			s.offset += int64(len(data))
			return
		}
		s.enter(f, data[:n])
		data = data[n:]
	}
}

// enter moves on over part, which belongs to f.
func (s *scanner) enter(f frame, part []byte) {
	if !s.inside {
		s.counts[f.typ&3]++
		s.frames++
		s.inside = true
	}
	if s.got < len(s.header) {
		copy(s.header[s.got:], part)
	}
	s.current = f
	s.got += len(part)
	s.offset += int64(len(part))
	if f.size > 0 && s.got == f.size {
		s.inside, s.got, s.current = false, 0, frame{}
	}
}

// sizeOf returns the size of the frame that begins with header: 0 when more of
// it is needed to know, -1 when it is no frame of that direction.
func sizeOf(dir Dir, header []byte) int {
	t := wire.Type(header[0])
	switch {
	case dirOf(t) != dir:
		return -1
	case t == wire.TypeHeartbeat:
		return wire.HeartbeatSize
	case t == wire.TypeWaiting:
		return wire.WaitingSize
	case t == wire.TypeAcquired:
		return wire.AcquiredSize
	case t == wire.TypeAcquire && len(header) >= wire.AcquireHeaderSize:
		return wire.AcquireHeaderSize + int(binary.BigEndian.Uint16(header[wire.AcquireHeaderSize-2:]))
	case t == wire.TypeError && len(header) >= wire.ErrorHeaderSize:
		return wire.ErrorHeaderSize + int(header[wire.ErrorHeaderSize-1])
	case t == wire.TypeAcquire, t == wire.TypeError:
		return 0
	}
	return -1
}
