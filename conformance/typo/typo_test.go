package typo

import "testing"

func TestDistance(t *testing.T) {
	tests := []struct {
		a, b string
		want int
	}{
		{"", "", 0},
		{"", "SQ02", 4},
		{"SQ02", "", 4},
		{"SQ02", "SQ02", 0},
		{"SQ02", "SQ03", 1},
		{"SQ02", "Q02", 1},
		{"SQ02", "SXQ02", 1},
		{"SQ02", "QS02", 1},
		{"SQ02", "QS03", 2},
	}
	for _, test := range tests {
		if got := Distance(test.a, test.b); got != test.want {
			t.Errorf("Distance(%q, %q) = %d, want %d", test.a, test.b, got, test.want)
		}
		if got := Distance(test.b, test.a); got != test.want {
			t.Errorf("Distance(%q, %q) = %d, want %d", test.b, test.a, got, test.want)
		}
	}
}

func TestNearest(t *testing.T) {
	known := []string{"--server", "--server-cmd", "--seed", "server/queue/first-in-first-out"}
	for _, row := range []struct{ word, want string }{
		{"--sevrer", "--server"}, {"--sed", "--seed"}, {"first-in-first-out", "server/queue/first-in-first-out"}, {"SERVER/QUEUE/first-in-frist-out", "server/queue/first-in-first-out"}, {"zzzzzz", ""},
	} {
		if got, ok := Nearest(row.word, known); got != row.want || ok != (row.want != "") {
			t.Errorf("Nearest(%q) = %q, %v, want %q", row.word, got, ok, row.want)
		}
	}
}
