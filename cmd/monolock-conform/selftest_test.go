//go:build unix

package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/scenarios/selftest"
)

// TestSelftest runs a few wrong ones for real: in this program, over loopback, and
// one as a process.
func TestSelftest(t *testing.T) {
	cmd := process(t, asCommand, "selftest", "lifo", "token-through-a-float", "child-keeps-*")
	var out bytes.Buffer
	cmd.Stdout = &out
	cmd.Run()
	wantExit(t, cmd, exitConformant)
	for _, says := range []string{
		"refused  server lifo", "S-Q-01", "refused  client token-through-a-float", "C-RD-04", "refused  client child-keeps-the-connection", "C-REL-03",
		"3 of 3 wrong servers and clients are refused",
	} {
		wantText(t, out.String(), says)
	}
}

func TestSelftestNamesWhatItDoesNotKnow(t *testing.T) {
	for _, row := range []struct {
		args []string
		says string
	}{
		{[]string{"selftest", "lifoo"}, "did you mean lifo?"},
		{[]string{"selftest", "--role", "proxy"}, "server or client"},
		{[]string{"selftest", "--jobs", "0"}, "at least 1"},
		{[]string{"selftest", "--role", "client", "lifo"}, "matches no wrong"},
	} {
		code, _, stderr := conform(row.args...)
		if code != exitUsage {
			t.Errorf("%v: exit %d, want %d", row.args, code, exitUsage)
		}
		wantText(t, stderr, row.says)
	}
}

func TestSelftestLists(t *testing.T) {
	code, stdout, _ := conform("selftest", "--list", "--role", "server")
	if code != exitConformant || strings.Contains(stdout, "client  ") {
		t.Errorf("exit %d, and the list of servers holds clients: %v", code, strings.Contains(stdout, "client  "))
	}
	wantText(t, stdout, "server  lifo")
}

// What is not refused as it should be is said, and decides the exit code.
func TestProofsThatAreNone(t *testing.T) {
	wrong := selftest.Wrong{Role: spec.RoleServer, ID: "w", Sentence: "It is wrong."}
	for _, row := range []struct {
		name, says string
		proof      selftest.Proof
		exit       int
	}{
		{"missed", "breaks, and passed: S-Q-02", selftest.Proof{Wrong: wrong, Missed: []spec.ID{spec.S_Q_02}}, exitNotConformant},
		{"more", "failed, and does not break: S-Q-03", selftest.Proof{Wrong: wrong, Failed: []spec.ID{spec.S_Q_03}, Unlisted: []spec.ID{spec.S_Q_03}}, exitNotConformant},
		{"open", "could not be told: S-Q-02", selftest.Proof{Wrong: wrong, Open: []spec.ID{spec.S_Q_02}}, exitUndecided},
		{"not run", "could not be run: said already", selftest.Proof{Wrong: wrong, Err: errSaid}, exitUndecided},
	} {
		t.Run(row.name, func(t *testing.T) {
			wantText(t, proofLine(row.proof), row.says)
			tally := proofTally{all: 1}
			tally.add(row.proof)
			if got := exitCode(tally.exit(t.Context())); got != row.exit {
				t.Errorf("exit %d, want %d", got, row.exit)
			}
		})
	}
}
