package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/monolock-dev/monolock-conform/conformance/spec"
)

// TestListCoversTheTopics: each requirement of the topics that this version
// judges has a scenario, and of the others the list says that they come later.
func TestListCoversTheTopics(t *testing.T) {
	code, stdout, _ := conform("list", "--json")
	if code != exitConformant {
		t.Fatalf("exit %d", code)
	}
	var l listing
	if err := json.Unmarshal([]byte(stdout), &l); err != nil {
		t.Fatal(err)
	}
	covered := []string{"S-FRM", "S-ACQ", "S-HB", "S-Q", "S-TOK", "S-ROB", "S-SHUT"}
	for _, r := range l.Requirements {
		for _, topic := range covered {
			if strings.HasPrefix(string(r.ID), topic+"-") && r.ID != spec.S_SHUT_02 && len(r.Scenarios) == 0 {
				t.Errorf("%s has no scenario", r.ID)
			}
		}
	}
	_, text, _ := conform("list")
	wantText(t, text, later, "S-Q-02", "server/queue/promotion-is-pushed", "Not testable from outside")
}

// TestExplainAnswersForEveryID: none of them is left without its texts.
func TestExplainAnswersForEveryID(t *testing.T) {
	for _, r := range spec.All() {
		code, stdout, stderr := conform("explain", strings.ToLower(string(r.ID)))
		if code != exitConformant {
			t.Errorf("%s: exit %d: %s", r.ID, code, stderr)
		}
		wantText(t, stdout, string(r.ID), "Why it matters", "How it is tested", "What usually breaks it")
	}
	for _, role := range roles {
		for _, id := range scenarioIDs(role) {
			code, stdout, _ := conform("explain", id)
			if code != exitConformant {
				t.Errorf("%s: exit %d", id, code)
			}
			wantText(t, stdout, "How it tests", "Run it alone")
		}
	}
}

// TestExplainSaysHowToRunAScenario: on a subject of its kind, with words that are
// clearly to be replaced, and as it stands on the embedded one.
func TestExplainSaysHowToRunAScenario(t *testing.T) {
	for id, want := range map[string]string{
		"server/queue/first-in-first-out": "  monolock-conform --server HOST:PORT --run server/queue/first-in-first-out\n",
		"server/shutdown/tells-everyone":  "  monolock-conform --server-cmd 'YOUR-SERVER --listen {listen}' --run server/shutdown/tells-everyone\n",
		"client/documented/network-stops": "  monolock-conform --client 'YOUR-ADAPTER' --run client/documented/network-stops\n",
	} {
		code, stdout, stderr := conform("explain", id)
		if code != exitConformant {
			t.Errorf("%s: exit %d: %s", id, code, stderr)
		}
		wantText(t, stdout, want, "\n  monolock-conform --run "+id+"\n")
	}
}
