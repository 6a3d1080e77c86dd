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
	offset int64 // of the first byte of rest
	rest   []byte
}

// push takes the next bytes of the stream, at the time of their arrival.
func (f *framer) push(data []byte, at time.Time) {
	if f == nil || len(data) == 0 {
		return
	}
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
			f.emit(data[:size], f.decode(data[:size]), at, "")
			data = data[size:]
		}
	}
	f.flush(data, at)
}

// flush emits what is no frame, or never became one.
func (f *framer) flush(data []byte, at time.Time) {
	if len(data) > 0 {
		f.emit(data, nil, at, "")
	}
	f.rest = f.rest[:0]
}

// end emits what is left of a frame, and the ending.
func (f *framer) end(e ending, at time.Time) {
	if f == nil {
		return
	}
	f.flush(f.rest, at)
	f.emit(nil, nil, at, e.String())
}

func (f *framer) emit(data []byte, frame *wire.Frame, at time.Time, ending string) {
	f.event(Event{At: at, What: f.what, Conn: f.conn, Dir: f.dir, Offset: f.offset, Bytes: data, Frame: frame, Ending: ending})
	f.offset += int64(len(data))
}

// decode reads data, which are one frame.
func (f *framer) decode(data []byte) *wire.Frame {
	r := wire.NewReader(bytes.NewReader(data))
	read := r.ReadServer
	if f.dir == Up {
		read = r.ReadClient
	}
	frame, err := read()
	if err != nil {
		return nil
	}
	return &frame
}
