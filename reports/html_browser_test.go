package reports

import (
	"strings"
	"testing"
)

// box is where an element stands in the window.
type box struct{ X, Y, Width, Height float64 }

const boxOf = `(e => { const r = e.getBoundingClientRect(); return {X: r.x, Y: r.y, Width: r.width, Height: r.height} })`

// TestBrowserFindsTheViolatedLimit opens the page of a client that revokes too late,
// expands the scenario that fails and looks for the limit that was missed.
func TestBrowserFindsTheViolatedLimit(t *testing.T) {
	b := startBrowser(t)
	b.window(1280)
	b.show(htmlOf(t, lateClient()), "")
	const scenario = `document.getElementById("scenario-client-documented-network-stops")`
	const label = scenario + `.querySelector(".limit .limit-label")`
	if value[bool](b, label+".checkVisibility()") {
		t.Fatal("the limit of a scenario is seen, and the scenario was not opened yet")
	}
	value[any](b, scenario+`.querySelector("summary").click()`)
	if at := value[box](b, boxOf+"("+label+")"); at.Width < 100 || at.Height < 5 || !value[bool](b, label+".checkVisibility()") {
		t.Errorf("the limit's words stand at %+v, want them to be seen", at)
	}
	if text := value[string](b, label+".textContent"); !strings.Contains(text, lateSentence) {
		t.Errorf("the limit says %q, want %q in it", text, lateSentence)
	}
	line := value[box](b, boxOf+"("+scenario+`.querySelector(".limit .line"))`)
	found := value[box](b, boxOf+"("+scenario+`.querySelector("path.found"))`)
	if line.Height < 50 || found.X-line.X < 20 {
		t.Errorf("the limit's line stands at %+v and what missed it at %+v, want a long line well before it", line, found)
	}
	wantNoComplaints(t, b)
}

func TestBrowserShowsAFindingWithoutBeingAsked(t *testing.T) {
	b := startBrowser(t)
	b.call("Emulation.setScriptExecutionDisabled", map[string]any{"value": true}, nil)
	b.window(1280)
	b.show(htmlOf(t, lateClient()), "")
	if !value[bool](b, `document.querySelector("#finding-C-TO-01 .limit-label").checkVisibility()`) {
		t.Error("without the page's script the limit of the finding is not seen")
	}
	if n := value[int](b, `document.querySelectorAll("button, input").length`); n != 0 {
		t.Errorf("%d buttons and fields that do nothing without a script", n)
	}
}

func TestBrowserOpensWhatALinkNames(t *testing.T) {
	b := startBrowser(t)
	b.window(1280)
	b.show(htmlOf(t, lateClient()), "#scenario-client-heartbeats-behind-a-proxy")
	if !value[bool](b, `document.querySelector(location.hash).open`) {
		t.Error("the scenario that the address names is closed")
	}
	value[any](b, `document.querySelector("a[href='#requirement-C-HB-01']").click()`)
	open := `new Promise(done => setTimeout(() => done(document.getElementById("requirement-C-HB-01").closest("details").open), 0))`
	if !value[bool](b, open) {
		t.Error("the topic of a requirement that was linked to is closed")
	}
}

func TestBrowserNeedsNoSidewaysScrollingOnAPhone(t *testing.T) {
	b := startBrowser(t)
	b.window(390)
	for name, r := range pages() {
		b.show(htmlOf(t, r), "")
		value[any](b, `document.querySelectorAll("details").forEach(d => { d.open = true })`)
		if wide := value[int](b, "document.documentElement.scrollWidth"); wide > 390 {
			t.Errorf("%s: the page is %d wide on a phone of 390", name, wide)
		}
		if cut := value[int](b, `(e => e ? e.parentElement.scrollWidth - e.parentElement.clientWidth : 0)(document.querySelector(".summary"))`); cut > 0 {
			t.Errorf("%s: %d pixels of the verdicts by topic are cut on a phone", name, cut)
		}
		wantNoComplaints(t, b)
	}
}

func TestBrowserFiltersScenarios(t *testing.T) {
	b := startBrowser(t)
	b.show(htmlOf(t, lateClient()), "")
	shown := func(prepare string) int {
		return value[int](b, `(() => { const text = document.querySelector("input[type=search]"), bad = document.querySelector("input[type=checkbox]");`+prepare+
			`; text.dispatchEvent(new Event("input")); return document.querySelectorAll(".scenario:not([hidden])").length })()`)
	}
	if n := shown(""); n != 2 {
		t.Errorf("%d scenarios are shown, want both", n)
	}
	if n := shown(`text.value = "C-HB-01"`); n != 1 {
		t.Errorf("%d scenarios judge C-HB-01, want one", n)
	}
	if n := shown(`text.value = ""; bad.checked = true`); n != 1 {
		t.Errorf("%d scenarios did not pass, want one", n)
	}
}

func TestBrowserRunsNothingOfASubject(t *testing.T) {
	b := startBrowser(t)
	for _, attack := range attacks {
		r := lateClient()
		r.Subject.Name = attack
		r.Scenarios[0].Requirements[0].Actual = attack
		for i := range r.Scenarios[0].Timeline {
			r.Scenarios[0].Timeline[i].Frame += attack
		}
		b.show(htmlOf(t, r), "")
		wantNoComplaints(t, b)
	}
}

func wantNoComplaints(t *testing.T, b *browser) {
	t.Helper()
	for _, text := range b.complaints() {
		t.Errorf("the browser complains: %s", text)
	}
}
