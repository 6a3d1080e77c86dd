package timeline

import (
	"bytes"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

func TestText(t *testing.T) {
	acquired := wire.AcquiredFrame(7)
	for _, test := range []struct {
		name  string
		event Event
		want  string
	}{
		{"sent frame", Event{What: Send, Frame: &wire.HeartbeatFrame}, "-> HEARTBEAT"},
		{"received frame", Event{What: Recv, Frame: &acquired}, "<- ACQUIRED token=7"},
		{"frame with a note", Event{What: Recv, Frame: &acquired, Note: "late"}, "<- ACQUIRED token=7 (late)"},
		{"bytes", Event{What: Send, Bytes: []byte{0, 0x1b, 0xff}, Size: 3}, "-> 00 1b ff"},
		{"bytes with a note", Event{What: Send, Bytes: []byte{1}, Size: 1, Note: "a piece"}, "-> 01 (a piece)"},
		{"open", Event{What: Open, By: Suite}, "open by the suite"},
		{"fin", Event{What: FIN, By: Subject}, "fin by the subject"},
		{"rst", Event{What: RST, By: Suite}, "rst by the suite"},
		{"remark", Event{What: Remark, By: Suite, Note: "SIGTERM sent"}, "event SIGTERM sent"},
		{"fault", Event{What: Fault, By: Suite, Note: "partition"}, "fault partition"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := test.event.Text(); got != test.want {
				t.Errorf("Text is %q; want %q", got, test.want)
			}
		})
	}
}

func TestLine(t *testing.T) {
	for _, test := range []struct {
		at   time.Duration
		want string
	}{
		{12345 * time.Microsecond, "    12.345 ms  conn-3   event x"},
		{0, "     0.000 ms  conn-3   event x"},
		{-time.Millisecond, "    -1.000 ms  conn-3   event x"},
		{time.Hour, "3600000.000 ms  conn-3   event x"},
	} {
		if got := (Event{At: test.at, Who: "conn-3", What: Remark, Note: "x"}).Line(); got != test.want {
			t.Errorf("Line is %q; want %q", got, test.want)
		}
	}
}

// hostile is text that a terminal, a log or a page would obey.
var hostile = map[string]string{
	"ANSI":          "\x1b[31mred\x1b[0m \x1b]0;title\a",
	"C1 control":    "\u009b31m \xc2\x9d",
	"NUL":           "a\x00b",
	"lines":         "one\ntwo\r\nthree\u2028four\u0085five",
	"backspace":     "pass\b\b\b\bfail\x7f",
	"invalid UTF-8": "\xff\xfe\xc0\xaf\xed\xa0\x80",
	"bidi":          "\u202egnp.exe\u2066\u200b\ufeff",
}

// Whatever a subject writes, a line stays one line and obeys nobody.
func TestHostileText(t *testing.T) {
	for name, text := range hostile {
		reason := wire.ErrorFrame(wire.CodeEmptyName, text)
		lock := wire.AcquireFrame(text, 1)
		for _, e := range []Event{
			{What: Remark, Note: text},
			{What: Recv, Frame: &reason},
			{What: Send, Frame: &lock, Note: text},
			{What: Recv, Bytes: []byte(text), Size: len(text), Note: text},
			{What: FIN, By: Subject, Note: text},
		} {
			t.Run(name+" in "+string(e.What), func(t *testing.T) {
				wantHarmless(t, e.Line())
			})
		}
	}
}

func wantHarmless(t *testing.T, line string) {
	t.Helper()
	if !utf8.ValidString(line) {
		t.Errorf("%q is no valid UTF-8", line)
	}
	for _, r := range line {
		if !unicode.IsGraphic(r) {
			t.Errorf("%q holds %U, which a terminal may obey", line, r)
		}
	}
}

func TestEscapedTextStaysReadable(t *testing.T) {
	for _, test := range []struct{ note, want string }{
		{`he said "no"`, `event he said "no"`},
		{"\x1b[31m", `event \x1b[31m`},
		{"a\x00b", `event a\x00b`},
		{"\xff", `event \xff`},
		{"two\nlines", `event two\nlines`},
	} {
		if got := (Event{What: Remark, Note: test.note}).Text(); got != test.want {
			t.Errorf("Text is %q; want %q", got, test.want)
		}
	}
}

func TestHex(t *testing.T) {
	for _, test := range []struct {
		name string
		b    []byte
		size int
		want string
	}{
		{"nothing", nil, 0, ""},
		{"one", []byte{0xa}, 1, "0a"},
		{"as many as are shown", bytes.Repeat([]byte{1}, 32), 32, strings.Repeat("01 ", 31) + "01"},
		{"one more", bytes.Repeat([]byte{1}, 33), 33, strings.Repeat("01 ", 31) + "01 … (33 bytes)"},
		{"more than were kept", []byte{1, 2}, 4096, "01 02 … (4096 bytes)"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := Hex(test.b, test.size); got != test.want {
				t.Errorf("Hex is %q; want %q", got, test.want)
			}
		})
	}
}

// The bytes of a frame that was cut are not kept, only their number.
func TestHexOfBytesThatWereNotKept(t *testing.T) {
	if got := Hex(nil, 5); strings.HasPrefix(got, " ") {
		t.Errorf("Hex of 5 bytes that were not kept begins with a blank: %q", got)
	}
}

// A line may hold any graphic character, and no other.
func TestLineIsGraphic(t *testing.T) {
	line := Event{What: Send, Bytes: bytes.Repeat([]byte{1}, 33), Size: 33, Note: "\u00fcber\x1b\n\u202e"}.Line()
	for _, r := range line {
		if !unicode.IsGraphic(r) {
			t.Errorf("%q holds %q", line, r)
		}
	}
}
