package faultproxy

import (
	"bytes"
	"testing"

	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

// FuzzScan cuts any bytes anywhere: the frames that the scanner sees are those
// that the reader of the protocol sees.
func FuzzScan(f *testing.F) {
	f.Add([]byte(acquire+heartbeat+heartbeat), uint8(3), true)
	f.Add([]byte(waiting+acquired+refusal), uint8(1), false)
	f.Add([]byte(waiting+"GET /"), uint8(2), false)
	f.Fuzz(func(t *testing.T, data []byte, cut uint8, up bool) {
		dir := Down
		if up {
			dir = Up
		}
		want := read(data, dir)
		s := scanner{dir: dir}
		var got []frame
		for rest := data; len(rest) > 0; {
			f, n, ok := s.peek(rest)
			if !ok {
				break
			}
			n = min(n, int(cut)+1)
			s.pass(rest[:n])
			rest = rest[n:]
			if !s.inside {
				f.size = int(s.offset - f.start)
				got = append(got, f)
			}
		}
		if len(got) != len(want) {
			t.Fatalf("%d frames, want %d", len(got), len(want))
		}
		for i, f := range got {
			if f.typ != want[i].typ || f.start != want[i].start || f.size != want[i].size || f.index != int64(i) {
				t.Errorf("frame %d is %+v, want %+v", i, f, want[i])
			}
		}
	})
}

// read returns the frames that are whole.
func read(data []byte, dir Dir) (frames []frame) {
	r := wire.NewReader(bytes.NewReader(data))
	for {
		next := r.ReadServer
		if dir == Up {
			next = r.ReadClient
		}
		start := r.Offset()
		f, err := next()
		if err != nil {
			return frames
		}
		frames = append(frames, frame{typ: f.Type, start: start, size: int(r.Offset() - start)})
	}
}

func TestFramesOfATypeAreCountedFromOne(t *testing.T) {
	s := scanner{dir: Down}
	s.pass([]byte(waiting + acquired + acquired[:2]))
	f, n, ok := s.peek([]byte(acquired[2:] + waiting))
	if !ok || f.nth != 2 || f.index != 2 || f.start != 10 || n != 7 {
		t.Errorf("%+v, %d, %v, want the second ACQUIRED, third frame, 7 bytes to come", f, n, ok)
	}
}
