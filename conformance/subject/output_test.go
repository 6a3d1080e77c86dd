package subject

import (
	"strings"
	"testing"
)

func TestTailKeepsTheEnd(t *testing.T) {
	for _, chunk := range []int{1, 999, outputKept, 5*outputKept + 3} {
		var whole strings.Builder
		var kept tail
		for i := 0; whole.Len() < 3*outputKept; i++ {
			part := strings.Repeat(string(rune('a'+i%26)), chunk)
			whole.WriteString(part)
			if n, err := kept.Write([]byte(part)); n != chunk || err != nil {
				t.Fatalf("Write = %d, %v", n, err)
			}
		}
		if want := whole.String()[whole.Len()-outputKept:]; kept.String() != want {
			t.Errorf("in chunks of %d the tail is not the last %d bytes", chunk, outputKept)
		}
	}
}

func TestQuoteTail(t *testing.T) {
	long := strings.Repeat("y", lineBytesShown+1)
	for _, test := range []struct{ output, want string }{
		{"\r\n\n", "it wrote nothing"},
		{"a\r\n\x1b[2J\n", "its last output:\n  \"a\"\n  \"\\x1b[2J\""},
		{"\u202eabc", "its last output:\n  \"\\u202eabc\""},
		{long, "its last output:\n  \"" + long[1:] + "\"…"},
	} {
		if got := quoteTail(test.output); got != test.want {
			t.Errorf("quoteTail(%q) = %q, want %q", test.output, got, test.want)
		}
	}
	if got := strings.Count(quoteTail(strings.Repeat("z\n", 100)), "\n"); got != linesShown {
		t.Errorf("%d lines shown, want %d", got, linesShown)
	}
}

func TestReservationsAreDistinctAndOutOfTheWay(t *testing.T) {
	seen := map[int]bool{}
	for range 100 {
		r, err := reserve()
		if err != nil {
			t.Fatal(err)
		}
		defer r.release()
		if seen[r.port] || r.port < firstPort || r.port > lastPort {
			t.Errorf("port %d: twice, or outside %d..%d", r.port, firstPort, lastPort)
		}
		seen[r.port] = true
	}
}
