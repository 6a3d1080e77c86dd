package reports

import (
	"bytes"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// parsedPage is the HTML of a result, and its elements.
func parsedPage(t *testing.T, r Result) (string, *html.Node) {
	t.Helper()
	var out bytes.Buffer
	if err := HTML(&out, r); err != nil {
		t.Fatal(err)
	}
	node, err := html.Parse(bytes.NewReader(out.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	return out.String(), node
}

// elements counts the elements of each kind.
func elements(n *html.Node, counts map[string]int) map[string]int {
	if n.Type == html.ElementNode {
		counts[n.Data]++
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		elements(c, counts)
	}
	return counts
}

// TestHTMLShowsTheConclusionAndEachScenario: whatever the result, the page says what
// the text says.
func TestHTMLShowsTheConclusionAndEachScenario(t *testing.T) {
	for name, in := range runs() {
		r := New(in)
		text, node := parsedPage(t, r)
		if !strings.Contains(text, html.EscapeString(cleanLine(r.Words()))) {
			t.Errorf("%s: the page lacks %q", name, r.Words())
		}
		found := elements(node, map[string]int{})
		if found["h1"] != 1 || found["main"] != 1 || found["script"] != 1 {
			t.Errorf("%s: %v", name, found)
		}
		if found["link"]+found["img"]+found["iframe"] > 0 || strings.Contains(text, "http://") {
			t.Errorf("%s: the page loads something", name)
		}
	}
}

// TestHTMLIsNotObeyed: what a subject wrote stays text.
func TestHTMLIsNotObeyed(t *testing.T) {
	r := New(runs()["hostile"])
	markup := `</title></style></script><script>alert(1)</script><img src=x onerror=alert(1)>" onclick="x`
	r.Subject.Name, r.Subject.Target, r.Subject.Version = markup, markup, markup
	for i := range r.Scenarios {
		s := &r.Scenarios[i]
		s.Title, s.Trace = markup, markup
		for j := range s.Requirements {
			s.Requirements[j].Expected, s.Requirements[j].Actual = markup, markup
		}
		for j := range s.Timeline {
			s.Timeline[j].Frame, s.Timeline[j].Hex = markup, markup
		}
		s.Bands = append(s.Bands, Band{What: markup, FromUS: 0, ToUS: 5000})
		s.Limits = append(s.Limits, Limit{What: markup, AtUS: 2000})
		s.Claims = append(s.Claims, Claim{Who: "conn-1", FromUS: 0, ToUS: 4000, Token: markup})
	}
	text, node := parsedPage(t, r)
	found := elements(node, map[string]int{})
	if found["script"] != 1 || found["img"] != 0 {
		t.Errorf("a subject's markup became elements: %v", found)
	}
	if strings.ContainsAny(text, "\x1b\x00\u202e") {
		t.Error("control characters of a subject are in the page")
	}
}

// TestDrawingMarksTheMissedLimit: the picture of a finding shows the limit, the
// claim, the band and the frame that decided.
func TestDrawingMarksTheMissedLimit(t *testing.T) {
	s := Scenario{
		ID: "client/x", Timeline: []Event{
			{TUS: 0, Who: "conn-1", What: "open"}, {TUS: 100, Who: "conn-1", What: "recv", Frame: `ACQUIRE version=1 lease=1000ms name="x"`},
			{TUS: 200, Who: "conn-1", What: "send", Frame: "ACQUIRED token=7"}, {TUS: 900_000, Who: "client-1", What: "event", Frame: "lost: late"},
			{TUS: 900_000, Who: byVerdict, What: "event", Frame: "C-TO-01 fail: by 0.8 lease"},
		},
		Claims: []Claim{{Who: "client-1", FromUS: 200, ToUS: 900_000, Token: "7"}},
		Bands:  []Band{{What: "0.8 lease", FromUS: 200, ToUS: 800_200}},
		Limits: []Limit{{What: "by 0.8 lease", AtUS: 800_200}},
	}
	d := drawFinding(place{Judgement{ID: "C-TO-01", Verdict: "fail"}, s})
	for _, part := range []string{`class="limit"`, "limit 800.2 ms", `class="decision"`, `class="claim"`, `class="band share"`, "C-TO-01 is decided at 900.0 ms"} {
		if !strings.Contains(string(d.SVG), part) {
			t.Errorf("the drawing lacks %q:\n%s", part, d.SVG)
		}
	}
	if got := drawScenario(Scenario{}); got.SVG != "" {
		t.Errorf("nothing is drawn as %s", got.SVG)
	}
}
