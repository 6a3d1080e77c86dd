package wire

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// samples holds each frame with its documented bytes.
var samples = []struct {
	name  string
	frame Frame
	bytes string
}{
	{"acquire", AcquireFrame("job", 500), "\x01\x01\x00\x00\x01\xf4\x00\x03job"},
	{"acquire of another version", Frame{Type: TypeAcquire, Acquire: Acquire{Version: 9, LeaseMS: 1<<32 - 1}}, "\x01\x09\xff\xff\xff\xff\x00\x00"},
	{"heartbeat", HeartbeatFrame, "\x02"},
	{"waiting", WaitingFrame, "\x11"},
	{"acquired", AcquiredFrame(0x0102030405060708), "\x12\x01\x02\x03\x04\x05\x06\x07\x08"},
	{"error", ErrorFrame(CodeEmptyName, "no"), "\x13\x14\x02no"},
	{"error without reason", ErrorFrame(CodeShuttingDown, ""), "\x13\x01\x00"},
}

func TestAppendWritesTheDocumentedBytes(t *testing.T) {
	for _, s := range samples {
		if got := string(Bytes(s.frame)); got != s.bytes {
			t.Errorf("%s: got % x, want % x", s.name, got, s.bytes)
		}
	}
}

func TestReadGivesBackWhatWasAppended(t *testing.T) {
	for _, s := range samples {
		got, err := read(s.frame.Type, strings.NewReader(s.bytes))
		if err != nil || got != s.frame {
			t.Errorf("%s: got %v, %v, want %v", s.name, got, err, s.frame)
		}
	}
}

func TestReadTakesAFrameThatComesByteByByte(t *testing.T) {
	for _, s := range samples {
		got, err := read(s.frame.Type, iotest.OneByteReader(strings.NewReader(s.bytes)))
		if err != nil || got != s.frame {
			t.Errorf("%s: got %v, %v, want %v", s.name, got, err, s.frame)
		}
	}
}

func TestReadNeverTakesAByteMore(t *testing.T) {
	for _, s := range samples {
		rest := strings.NewReader(s.bytes + "rest")
		if _, err := read(s.frame.Type, rest); err != nil {
			t.Fatal(err)
		}
		if left, _ := io.ReadAll(rest); string(left) != "rest" {
			t.Errorf("%s: %q is left, want %q", s.name, left, "rest")
		}
	}
}

func TestReadSaysWhereTheStreamEndedInsideAFrame(t *testing.T) {
	r := NewReader(strings.NewReader("\x11\x12\x00\x00"))
	if _, err := r.ReadServer(); err != nil {
		t.Fatal(err)
	}
	_, err := r.ReadServer()
	var cut *TruncatedError
	if !errors.As(err, &cut) {
		t.Fatalf("got %v, want a *TruncatedError", err)
	}
	if cut.Type != TypeAcquired || cut.At != 1 || cut.Got != 3 || cut.Want != 9 {
		t.Errorf("got %+v, want ACQUIRED at byte 1, 3 of 9", cut)
	}
	if !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("%v does not wrap io.ErrUnexpectedEOF", err)
	}
}

func TestReadKeepsTheReasonOfABrokenStream(t *testing.T) {
	broken := errors.New("cable cut")
	r := NewReader(io.MultiReader(strings.NewReader("\x13\x01"), iotest.ErrReader(broken)))
	if _, err := r.ReadServer(); !errors.Is(err, broken) {
		t.Errorf("got %v, want it to wrap %v", err, broken)
	}
}

func TestReadNamesAnUnknownType(t *testing.T) {
	for _, b := range []byte{0x00, 0x01, 0x02, 0x03, 0x10, 0x14, 0xff} {
		_, err := NewReader(bytes.NewReader([]byte{0x11, b})).second()
		var unknown *UnknownTypeError
		if !errors.As(err, &unknown) || unknown.Byte != b || unknown.At != 1 {
			t.Errorf("0x%02x: got %v", b, err)
		}
	}
}

// second reads two server frames and returns the second.
func (r *Reader) second() (Frame, error) {
	if f, err := r.ReadServer(); err != nil {
		return f, err
	}
	return r.ReadServer()
}

func TestEndBeforeAFrameIsEOF(t *testing.T) {
	if _, err := NewReader(strings.NewReader("")).ReadServer(); err != io.EOF {
		t.Errorf("got %v, want io.EOF", err)
	}
}

func TestAppendCutsWhatItsLengthFieldCannotSay(t *testing.T) {
	if got := len(Bytes(ErrorFrame(CodeEmptyName, strings.Repeat("x", 300)))); got != 3+255 {
		t.Errorf("ERROR has %d bytes, want 258", got)
	}
	if got := len(Bytes(AcquireFrame(strings.Repeat("x", 70000), 1))); got != 8+65535 {
		t.Errorf("ACQUIRE has %d bytes, want 65543", got)
	}
}

func TestCheckFindsEachFault(t *testing.T) {
	good := Acquire{Version: 1, LeaseMS: 1, Name: "job"}
	rows := []struct {
		why    string
		change func(*Acquire)
		code   Code
	}{
		{"version 0", func(a *Acquire) { a.Version = 0 }, CodeUnsupportedVersion},
		{"lease 0", func(a *Acquire) { a.LeaseMS = 0 }, CodeLeaseNotPositive},
		{"empty name", func(a *Acquire) { a.Name = "" }, CodeEmptyName},
		{"256 bytes", func(a *Acquire) { a.Name = strings.Repeat("x", 256) }, CodeNameTooLong},
		{"86 characters of 3 bytes", func(a *Acquire) { a.Name = strings.Repeat("€", 86) }, CodeNameTooLong},
		{"a surrogate", func(a *Acquire) { a.Name = "\xed\xa0\x80" }, CodeNameNotUTF8},
	}
	for _, row := range rows {
		a := good
		row.change(&a)
		if code, ok := a.Check(); ok || code != row.code {
			t.Errorf("%s: got %v, %v, want %v", row.why, code, ok, row.code)
		}
	}
	for _, name := range []string{"x", strings.Repeat("€", 85), "\x00", " \ufeff\n"} {
		good.Name = name
		if code, ok := good.Check(); !ok {
			t.Errorf("%q: refused with %v", name, code)
		}
	}
}

func TestCodesGoByRange(t *testing.T) {
	for c := range 256 {
		if got, want := Code(c).IsClientError(), c >= 0x10; got != want {
			t.Errorf("0x%02x: client error is %v, want %v", c, got, want)
		}
	}
}

func TestStringEscapesForeignText(t *testing.T) {
	for _, f := range []Frame{ErrorFrame(0x7f, "\x1b[31mred\nline"), AcquireFrame("\x1b]0;title\a", 1)} {
		for _, c := range []byte(f.String()) {
			if c < 0x20 || c > 0x7e {
				t.Errorf("%q holds the raw byte 0x%02x", f.String(), c)
			}
		}
	}
}

func TestHotPathsDoNotAllocate(t *testing.T) {
	dst := make([]byte, 0, 64)
	stream := bytes.NewReader(Bytes(AcquiredFrame(7)))
	r := NewReader(stream)
	allocs := testing.AllocsPerRun(100, func() {
		dst = Append(dst[:0], AcquiredFrame(7))
		stream.Reset(dst)
		if _, err := r.ReadServer(); err != nil {
			t.Fatal(err)
		}
	})
	if allocs != 0 {
		t.Errorf("%v allocations a frame, want none", allocs)
	}
}

// read reads one frame in the direction that the type t goes.
func read(t Type, from io.Reader) (Frame, error) {
	if t == TypeAcquire || t == TypeHeartbeat {
		return NewReader(from).ReadClient()
	}
	return NewReader(from).ReadServer()
}
