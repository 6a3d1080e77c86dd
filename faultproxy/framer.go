package faultproxy

import (
	"bytes"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

// framer cuts one direction of a connection into events: one a frame when its
// last byte is there, and one a read for bytes that are no frame's.
type framer struct {
	event  func(Event)
	conn   int
	dir    Dir
	what   What
	lost   bool
	offset int64  // of the first byte of rest
	rest   []byte // of a frame that is not complete
	last   time.Time
}

// push takes the next bytes of the stream, at the time of their arrival.
func (f *framer) push(data []byte, at time.Time) {
	if f == nil || len(data) == 0 {
		return
	}
	f.last = at
	if len(f.rest) > 0 {
		f.rest = append(f.rest, data...)
		data = f.rest
	}
	for len(data) > 0 && !f.lost {
		size := sizeOf(f.dir, data)
		if size < 0 {
			f.lost = true
		} else if size == 0 || size > len(data) {
			f.rest = append(f.rest[:0], data...)
			return
		} else {
			f.emit(data[:size], wholeFrame(f.dir, data[:size]), at, "")
			data = data[size:]
		}
	}
	f.flush(data, at)
}

// flush emits data that are no frame, or never became one.
func (f *framer) flush(data []byte, at time.Time) {
	if len(data) > 0 {
		f.emit(data, nil, at, "")
	}
	f.rest = f.rest[:0]
}

// stop emits what is left of a frame, as of when it came: there is no more.
func (f *framer) stop() {
	if f != nil {
		f.flush(f.rest, f.last)
	}
}

// end emits the ending, and what is left of a frame before it.
func (f *framer) end(e ending, at time.Time) {
	if f != nil {
		f.stop()
		f.emit(nil, nil, at, e.String())
	}
}

func (f *framer) emit(data []byte, frame *wire.Frame, at time.Time, ending string) {
	f.event(Event{At: at, What: f.what, Conn: f.conn, Dir: f.dir, Offset: f.offset, Bytes: data, Frame: frame, Ending: ending})
	f.offset += int64(len(data))
}

// wholeFrame returns the frame that data are, or nil where they are not exactly
// one of that direction.
func wholeFrame(dir Dir, data []byte) *wire.Frame {
	if sizeOf(dir, data) != len(data) {
		return nil
	}
	r := wire.NewReader(bytes.NewReader(data))
	read := r.ReadServer
	if dir == Up {
		read = r.ReadClient
	}
	frame, err := read()
	if err != nil {
		return nil
	}
	return &frame
}
