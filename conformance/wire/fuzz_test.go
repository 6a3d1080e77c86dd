package wire

import (
	"bytes"
	"errors"
	"io"
	"testing"
)

// FuzzDecode reads any bytes as frames of either direction. It never panics,
// and what it took for frames encodes to the bytes that were read.
func FuzzDecode(f *testing.F) {
	for _, s := range samples {
		f.Add([]byte(s.bytes), s.frame.Type == TypeAcquire)
	}
	f.Add([]byte("HTTP/1.1 400 Bad Request\r\n"), false)
	f.Fuzz(func(t *testing.T, data []byte, fromClient bool) {
		frames, taken, err := decodeAll(bytes.NewReader(data), fromClient)
		if err == nil {
			t.Fatal("the end of the stream gave no error")
		}
		var again []byte
		for _, frame := range frames {
			again = Append(again, frame)
		}
		if !bytes.Equal(again, data[:len(again)]) {
			t.Errorf("decoded and encoded again: % x, want % x", again, data[:len(again)])
		}
		if errors.Is(err, io.EOF) && taken != int64(len(data)) {
			t.Errorf("a clean end after %d of %d bytes", taken, len(data))
		}
	})
}

// FuzzEncode checks decode(encode(x)) = x for every frame that fits the wire.
func FuzzEncode(f *testing.F) {
	f.Add(byte(TypeAcquire), byte(1), uint32(500), uint64(7), []byte("job"))
	f.Add(byte(TypeError), byte(0x15), uint32(0), uint64(0), []byte("too long"))
	f.Fuzz(func(t *testing.T, kind, small byte, lease uint32, token uint64, text []byte) {
		want, ok := frameOf(Type(kind), small, lease, token, string(text))
		if !ok {
			return
		}
		got, err := read(want.Type, bytes.NewReader(Bytes(want)))
		if err != nil || got != want {
			t.Errorf("got %v, %v, want %v", got, err, want)
		}
	})
}

// FuzzSplit checks that a stream cut anywhere reads as the whole one does.
func FuzzSplit(f *testing.F) {
	for i, s := range samples {
		f.Add([]byte(s.bytes+s.bytes), i, s.frame.Type == TypeAcquire)
	}
	f.Fuzz(func(t *testing.T, data []byte, cut int, fromClient bool) {
		cut = min(max(cut, 0), len(data))
		whole, _, wholeErr := decodeAll(bytes.NewReader(data), fromClient)
		pieces := io.MultiReader(bytes.NewReader(data[:cut]), bytes.NewReader(data[cut:]))
		split, _, splitErr := decodeAll(pieces, fromClient)
		if len(whole) != len(split) || wholeErr.Error() != splitErr.Error() {
			t.Fatalf("whole: %v, %v; cut at %d: %v, %v", whole, wholeErr, cut, split, splitErr)
		}
		for i := range whole {
			if whole[i] != split[i] {
				t.Errorf("frame %d: whole %v, cut at %d %v", i, whole[i], cut, split[i])
			}
		}
	})
}

// decodeAll reads frames until the first error and tells how far it came.
func decodeAll(from io.Reader, fromClient bool) ([]Frame, int64, error) {
	r, frames := NewReader(from), []Frame(nil)
	next := r.ReadServer
	if fromClient {
		next = r.ReadClient
	}
	for {
		frame, err := next()
		if err != nil {
			return frames, r.Offset(), err
		}
		frames = append(frames, frame)
	}
}

// frameOf builds a frame of type t out of fuzzed parts; ok is false where no
// such frame fits the wire.
func frameOf(t Type, small byte, lease uint32, token uint64, text string) (Frame, bool) {
	switch t {
	case TypeAcquire:
		a := Acquire{Version: small, LeaseMS: lease, Name: text}
		return Frame{Type: t, Acquire: a}, len(text) <= 0xffff
	case TypeHeartbeat, TypeWaiting:
		return Frame{Type: t}, true
	case TypeAcquired:
		return AcquiredFrame(token), true
	case TypeError:
		return ErrorFrame(Code(small), text), len(text) <= MaxReasonLen
	}
	return Frame{}, false
}
