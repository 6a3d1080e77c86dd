package reports

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/monolock-dev/monolock-conform/conformance"
)

// pages are all kinds of results, by name.
func pages() map[string]Result {
	all := map[string]Result{"late-client": lateClient()}
	for name, in := range runs() {
		all[name] = New(in)
	}
	return all
}

func TestHTMLIsSoundForEveryKindOfRun(t *testing.T) {
	for name, r := range pages() {
		t.Run(name, func(t *testing.T) {
			doc := parsed(t, r)
			wantHeadings(t, doc)
			wantAnchors(t, doc)
			wantNamedDrawings(t, doc)
			wantSelfContained(t, doc)
			for _, landmark := range []atom.Atom{atom.Header, atom.Nav, atom.Main, atom.Footer, atom.H1} {
				if n := len(elements(doc, landmark)); n != 1 {
					t.Errorf("%d elements <%s>, want one", n, landmark)
				}
			}
			for _, d := range elements(doc, atom.Details) {
				if first := firstElement(d); first == nil || first.DataAtom != atom.Summary {
					t.Error("a <details> does not begin with its <summary>")
				}
			}
		})
	}
}

func TestHTMLBeginsWithTheWordsOfTheText(t *testing.T) {
	for name, r := range pages() {
		if got := textIn(elements(parsed(t, r), atom.H1)[0]); !strings.Contains(got, r.Words()) {
			t.Errorf("%s: the first heading is %q, want the words %q", name, got, r.Words())
		}
	}
}

func TestHTMLNamesEveryVerdictInWords(t *testing.T) {
	for _, v := range conformance.Verdicts() {
		r := lateClient()
		r.Requirements[0].Verdict = v
		r.Counts[v]++
		page := htmlOf(t, r)
		if want := fmt.Sprintf(`<span class="badge %s"><span aria-hidden="true">%s</span> %s</span>`, v, icon(v), v); !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
}

func TestHTMLShowsWhatAFindingRestsOn(t *testing.T) {
	doc := parsed(t, lateClient())
	finding := byID(t, doc, "finding-C-TO-01")
	text := textIn(finding)
	for _, want := range []string{
		"C-TO-01", "MUST", "writing a client", "client/documented/network-stops", "the stop signal by 0.8 lease",
		"client-1 was stopped 1001 ms after its last confirmation", "1001.0 ms",
		"limit 1550 ms (201.0 ms too late): " + lateSentence, "found here: C-TO-01", "claim, token 7", "0.8 lease", "silence",
		"monolock-conform --client './slow --quick' --run client/documented/network-stops --seed 1",
		"000003e8", "lease 1000 ms", "HEARTBEAT 250.0",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the finding lacks %q:\n%s", want, text)
		}
	}
	if attributeOf(finding, "open") != "open" {
		t.Error("the finding is not open")
	}
}

func TestHTMLSaysWhyARunEndedEarly(t *testing.T) {
	for name, want := range map[string]string{
		"unreachable": "The run did not begin", "interrupted": "The run ended early", "gone": "its process ended",
	} {
		if page := htmlOf(t, New(runs()[name])); !strings.Contains(page, want) {
			t.Errorf("%s: the page lacks %q", name, want)
		}
	}
	if words := textIn(elements(parsed(t, New(unreachable())), atom.H1)[0]); strings.Contains(words, "above") {
		t.Errorf("the page begins with %q, and nothing stands above it", words)
	}
}

func TestHTMLOfACaptureSaysWhatItHeld(t *testing.T) {
	r := lateClient()
	r.Scenarios = []Scenario{{
		ID: traceOverall, Title: "all of it", Verdict: conformance.Pass, Attempts: 1,
		Timeline: []Event{{Who: bySuite, What: "event", Frame: "8 frames of 1 connection"}, {Who: bySuite, What: "event", Frame: "2 segments were sent again"}},
	}}
	text := textIn(parsed(t, r))
	for _, want := range []string{"The capture", "8 frames of 1 connection", "2 segments were sent again"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if strings.Contains(text, "seed") {
		t.Error("the page names the seed of a capture")
	}
}

func TestHTMLShowsWhyAFailureIsKnown(t *testing.T) {
	r := lateClient()
	j := &r.Scenarios[0].Requirements[0]
	j.Verdict = conformance.KnownFail
	j.expectKnown("it is mended in 1.3 <b>")
	Judge(&r)
	finding := byID(t, parsed(t, r), "finding-C-TO-01")
	if text := textIn(finding); !strings.Contains(text, "it is mended in 1.3 <b>") {
		t.Errorf("the finding lacks the baseline's reason:\n%s", text)
	}
}

func TestHTMLOfAnEmptyTimelineHasNoPicture(t *testing.T) {
	r := lateClient()
	for i := range r.Scenarios {
		s := &r.Scenarios[i]
		s.Timeline, s.Claims, s.Bands, s.Limits = nil, nil, nil, nil
	}
	if drawings := elements(parsed(t, r), atom.Svg); len(drawings) > 0 {
		t.Errorf("%d drawings of nothing", len(drawings))
	}
}

func TestHTMLIsAFunctionOfItsResult(t *testing.T) {
	if a, b := htmlOf(t, lateClient()), htmlOf(t, lateClient()); a != b {
		t.Error("two pages of one result differ")
	}
}

func TestHTMLStaysSmall(t *testing.T) {
	r := New(goodRun())
	for i := range 78 {
		s := crowd(60, keptOfPass)
		s.ID = fmt.Sprintf("server/load/crowd-%d", i)
		r.Scenarios = append(r.Scenarios, s)
	}
	const most = 3 << 20
	if size := len(htmlOf(t, r)); size > most {
		t.Errorf("78 full scenarios make %d bytes, more than %d", size, most)
	}
}

func TestHTMLTellsAWriteThatFails(t *testing.T) {
	want := errors.New("no space")
	if err := HTML(failingWriter{want}, lateClient()); !errors.Is(err, want) {
		t.Errorf("got %v, want %v", err, want)
	}
}

type failingWriter struct{ err error }

func (w failingWriter) Write([]byte) (int, error) { return 0, w.err }

func htmlOf(t *testing.T, r Result) string {
	t.Helper()
	var out bytes.Buffer
	if err := HTML(&out, r); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func parsed(t *testing.T, r Result) *html.Node {
	t.Helper()
	doc, err := html.Parse(strings.NewReader(htmlOf(t, r)))
	if err != nil {
		t.Fatal(err)
	}
	return doc
}
