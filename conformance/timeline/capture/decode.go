package capture

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

// decoder turns the bytes of one direction into frames. It holds the beginning of at
// most one frame.
type decoder struct {
	fromClient bool
	part       []byte
	// lost says that bytes are missing, so that where a frame begins is not known;
	// regained, that it once was and is known again.
	lost, regained bool
	broken         bool // bytes came that are no frame; nothing is read behind them
	good           int  // segments in a row that are whole frames, since it was lost
	turn           bool // the other side spoke since the last of them
	token          uint64
	tokenKnown     bool
}

// frameReader takes frames off bytes that were captured.
type frameReader struct {
	bytes *bytes.Reader
	wire  *wire.Reader
}

func newFrameReader() frameReader {
	b := bytes.NewReader(nil)
	return frameReader{b, wire.NewReader(b)}
}

// read takes the frame that begins data, all of which is there.
func (r frameReader) read(data []byte, fromClient bool) (wire.Frame, error) {
	r.bytes.Reset(data)
	if fromClient {
		return r.wire.ReadClient()
	}
	return r.wire.ReadServer()
}

// belongs reports whether a byte begins a frame of the direction.
func belongs(b byte, fromClient bool) bool {
	switch wire.Type(b) {
	case wire.TypeAcquire, wire.TypeHeartbeat:
		return fromClient
	case wire.TypeWaiting, wire.TypeAcquired, wire.TypeError:
		return !fromClient
	}
	return false
}

// lose notes that bytes are missing.
func (d *decoder) lose() {
	d.part, d.lost, d.good, d.turn, d.tokenKnown = nil, true, 0, false, false
}

// next cuts the next frame off data, together with what was kept of it before. It
// returns the whole frame's bytes, or nil where its rest is still to come, or how
// many bytes begin with none.
func (d *decoder) next(data []byte) (frame, rest []byte, stray bool) {
	if len(d.part) == 0 {
		if !belongs(data[0], d.fromClient) {
			return data, nil, true
		}
		if size, whole := wire.Size(data); whole {
			return data[:size], data[size:], false
		}
	}
	// A header first, for it tells the size; so no byte is copied twice.
	for len(data) > 0 {
		size, _ := wire.Size(d.part)
		if size == 0 {
			size = 1
		}
		n := min(size-len(d.part), len(data))
		d.part, data = append(d.part, data[:n]...), data[n:]
		if _, whole := wire.Size(d.part); whole {
			frame, d.part = d.part, nil
			return frame, data, false
		}
	}
	return nil, nil, false
}

// enoughGood is how many segments in a row must be whole frames until a direction
// that was lost is read again.
const enoughGood = 3

// regain looks at a segment of a lost direction. It is read again when enough
// segments in a row were whole frames of the kind that flows in the middle of a
// session, with one token, and the other side spoke before each. The pieces of a frame
// do not wait for each other so, and whoever writes in pieces is never regained.
func (d *decoder) regain(data []byte) (now bool) {
	if !d.inMidSession(data) {
		d.good, d.tokenKnown = 0, false
		return false
	}
	if !d.turn {
		return false
	}
	d.turn = false
	if d.good++; d.good < enoughGood {
		return false
	}
	d.lost, d.regained = false, true
	return true
}

func (d *decoder) inMidSession(data []byte) bool {
	for len(data) > 0 {
		if !belongs(data[0], d.fromClient) || data[0] == byte(wire.TypeAcquire) || data[0] == byte(wire.TypeError) {
			return false
		}
		size, whole := wire.Size(data)
		if !whole {
			return false
		}
		if size == wire.AcquiredSize && !d.sameToken(binary.BigEndian.Uint64(data[1:])) {
			return false
		}
		data = data[size:]
	}
	return true
}

// sameToken reports whether tokens of a lost direction agree in their upper half: a
// server whose tokens change, which is to be found, still counts on in small steps.
func (d *decoder) sameToken(token uint64) bool {
	if d.tokenKnown && d.token>>32 != token>>32 {
		return false
	}
	d.token, d.tokenKnown = token, true
	return true
}

// cutText says what was left of a frame when its direction ended.
func (d *decoder) cutText() string {
	size, _ := wire.Size(d.part)
	return fmt.Sprintf("%v cut after %d of %d bytes", wire.Type(d.part[0]), len(d.part), size)
}

// onlyHeartbeats reports whether data is HEARTBEAT bytes and nothing else.
func onlyHeartbeats(data []byte) bool {
	return !slices.ContainsFunc(data, func(b byte) bool { return b != byte(wire.TypeHeartbeat) })
}
