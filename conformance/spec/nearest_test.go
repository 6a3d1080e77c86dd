package spec

import (
	"strings"
	"testing"
)

func TestNearest(t *testing.T) {
	tests := []struct {
		word string
		want ID // "": nothing is near
	}{
		{"S-Q-02", S_Q_02},
		{"s-q-2", S_Q_02},
		{"sq2", S_Q_02},
		{"S_Q_02", S_Q_02},
		{" S-Q-002 ", S_Q_02},
		{"s-shut02", S_SHUT_02},
		{"C-TO-1", C_TO_01},
		{"c-loss-3", C_LOSS_03},
		{"S-AQC-03", S_ACQ_03},     // two letters swapped
		{"S-ACQQ-24", S_ACQ_24},    // one too many
		{"S-SHT-02", S_SHUT_02},    // one missing
		{"S-TOC-04", S_TOK_04},     // one wrong
		{"S-Q-O2", S_Q_02},         // the letter O for a zero
		{"S-ACQUI-24", S_ACQ_24},   // two mistakes
		{"heartbeat", ""},          // a topic is no ID
		{"documented-4", ""},       // nor is this
		{"server/queue/reset", ""}, // nor a scenario
		{"S-", ""},                 // too short to tell
		{"", ""},                   //
		{"\u00e9\u00e9\u00e9", ""}, // no letters that an ID could have
		{"S-Q-99999999999999999999", ""},
		{strings.Repeat("S-Q-02", 1000), ""},
	}
	for _, test := range tests {
		got, found := Nearest(test.word)
		if got != test.want || found != (test.want != "") {
			t.Errorf("Nearest(%.40q) = %q, %v, want %q", test.word, got, found, test.want)
		}
	}
}

func TestNearestKnowsEveryIDInEverySpelling(t *testing.T) {
	spellings := []func(string) string{
		func(s string) string { return s },
		strings.ToLower,
		func(s string) string { return strings.ReplaceAll(s, "-", "_") },
		func(s string) string { return strings.ReplaceAll(s, "-", "") },
		func(s string) string { return strings.ReplaceAll(s, "-0", "-") },
		func(s string) string {
			return strings.ToLower(strings.ReplaceAll(strings.ReplaceAll(s, "-0", "-"), "-", ""))
		},
	}
	for _, r := range All() {
		for _, spell := range spellings {
			word := spell(string(r.ID))
			if got, found := Nearest(word); got != r.ID || !found {
				t.Errorf("Nearest(%q) = %q, %v, want %s", word, got, found, r.ID)
			}
		}
	}
}
