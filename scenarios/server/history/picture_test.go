package history

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
)

var good = []Claim{
	{Client: 0, Who: "conn-1", Lock: "job", Asked: 1 * ms, Granted: 2 * ms, End: 10 * ms, Token: 1},
	{Client: 1, Who: "conn-2", Lock: "job", Asked: 3 * ms, Waiting: 4 * ms, Granted: 11 * ms, End: 20 * ms, Token: 2},
}

var twoHolders = []Claim{
	{Client: 0, Who: "conn-1", Lock: "job", Asked: 1 * ms, Granted: 2 * ms, End: 10 * ms, Token: 1},
	{Client: 1, Who: "conn-2", Lock: "job", Asked: 3 * ms, Granted: 4 * ms, End: 20 * ms, Token: 2},
}

// loads matches what a browser would fetch from elsewhere.
var loads = regexp.MustCompile(`(?i)(src|href)\s*=\s*["']?\s*(https?:)?//|@import|url\(\s*["']?(https?:)?//`)

// The picture matters most where something is wrong: it is drawn for every
// history, and shows without a network.
func TestPicture(t *testing.T) {
	for _, test := range []struct {
		name   string
		claims []Claim
		shows  string
	}{
		{"good", good, "conn-2 takes, token 2"},
		{"two holders", twoHolders, "conn-2 takes, token 2"},
		{"empty", nil, ""},
		{"nobody granted", []Claim{{Who: "conn-1", Lock: "job", Asked: 1, Waiting: 2, End: 3}}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			page := Picture(test.claims)
			if !bytes.Contains(page, []byte("<html")) || !bytes.Contains(page, []byte("</html>")) {
				t.Fatalf("no whole page: %.200s", page)
			}
			if !bytes.Contains(page, []byte(test.shows)) {
				t.Errorf("the page does not say %q", test.shows)
			}
			if outside := loads.Find(page); outside != nil {
				t.Errorf("the page loads something from elsewhere: %s", outside)
			}
		})
	}
}

// Only the locks are drawn that the problems are about, and the page says what is wrong
// and how to read it.
func TestPictureOfAProblem(t *testing.T) {
	claims := append([]Claim{{Client: 2, Who: "conn-10", Lock: "other", Asked: 1 * ms, Granted: 2 * ms, End: 9 * ms, Token: 0}}, twoHolders...)
	problems := Check(claims)
	page := string(Picture(claims, problems...))
	for _, want := range []string{"S-Q-10 does not hold", problems[0].Actual, "of the 2 on the locks", "3 in all", "conn-1 takes, token 1", "gives back"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	if strings.Contains(page, "conn-10") {
		t.Error("a claim of another lock is drawn, whose connection's name begins as that of one that is named")
	}
}

// A name is the server's or the user's text, and must not become markup.
func TestPictureOfHostileNames(t *testing.T) {
	const hostile = "</script><script>alert(1)</script>"
	claims := []Claim{{Who: hostile, Lock: hostile, Asked: 1, Granted: 2, End: 3, Token: 1}}
	page := Picture(claims, Problem{Sentence: hostile, Actual: hostile})
	if bytes.Contains(page, []byte(hostile)) {
		t.Error("the name stands in the page as markup")
	}
}
