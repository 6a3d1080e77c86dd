package reports

import (
	"strings"
	"testing"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/spec"
)

func TestWordsOfTheBadge(t *testing.T) {
	for name, want := range map[string]string{
		"pass": "conformant", "warn": "conformant", "unsupported": "conformant",
		"excluded": "conformant in what ran", "known-fail": "conformant in what ran",
		"fail": "not conformant", "unexpected-pass": "not conformant", "gone-negative": "not conformant",
		"flaky": "undecided", "nothing": "undecided", "unreachable": "undecided", "interrupted": "undecided",
	} {
		r := New(runs()[name])
		out := render(t, Badge, r)
		if !strings.Contains(out, ">"+want+"</text>") {
			t.Errorf("%s: the badge does not say %q:\n%s", name, want, out)
		}
		if !strings.Contains(out, "<title>monolock server: "+r.Words()) {
			t.Errorf("%s: the title does not conclude:\n%s", name, out)
		}
	}
	client := Result{Subject: Subject{Role: spec.RoleClient}, Result: Undecided, Counts: map[conformance.Verdict]int{}}
	if out := render(t, Badge, client); !strings.Contains(out, ">monolock client</text>") {
		t.Errorf("%s", out)
	}
}
