package main

import (
	"path/filepath"
	"testing"
)

// TestMistakesAreUsageErrors: a user's mistake is exit 2 and a sentence that says
// what is wrong and what may have been meant.
func TestMistakesAreUsageErrors(t *testing.T) {
	for _, row := range []struct {
		args []string
		says []string
	}{
		{[]string{"--sevrer", "x"}, []string{"unknown flag --sevrer", "did you mean --server?"}},
		{[]string{"lsit"}, []string{`unknown command "lsit"`, "did you mean list?"}},
		{[]string{"list", "--jsno"}, []string{"--jsno", "did you mean --json?"}},
		{[]string{"explain"}, []string{"explain takes one ID"}},
		{[]string{"explain", "S-Q-99"}, []string{"did you mean S-Q-09?"}},
		{[]string{"explain", "server/queue/ownr-closes"}, []string{"did you mean server/queue/owner-closes?"}},
		{[]string{"--run", "S-Q-0x"}, []string{`"S-Q-0x" matches no scenario`, "did you mean S-Q-0"}},
		{[]string{"--skip", "nothing*"}, []string{`"nothing*" matches no scenario`}},
		{[]string{"--client", "cat", "--run", "S-Q-02"}, []string{`"S-Q-02" names scenarios for a server, and this run tests a client`, "--server"}},
		{[]string{"--role", "server", "--skip", "client/loss/*"}, []string{`"client/loss/*" names scenarios for a client`, "--client"}},
		{[]string{"--run", "documented-4"}, []string{`"documented-4" is a label`, "--label-filter documented-4"}},
		{[]string{"--run", "must"}, []string{"--label-filter MUST"}},
		{[]string{"--run", "S-TLS-01"}, []string{"S-TLS-01 is a requirement, but no scenario of this version judges it"}},
		{[]string{"--run", "S-Q-01", "--skip", "*"}, []string{"leave no scenario"}},
		{[]string{"--label-filter", "queue &&"}, []string{"label filter", "Unexpected EOF"}},
		{[]string{"--label-filter", "nobody"}, []string{"leave no scenario"}},
		{[]string{"--server", "nowhere"}, []string{`--server "nowhere": HOST:PORT`}},
		{[]string{"--server", "host:70700"}, []string{"port must be a number from 1 to 65535"}},
		{[]string{"--server", "a:1", "--server-cmd", "x {listen}"}, []string{"more than one subject"}},
		{[]string{"--restart-cmd", "x"}, []string{"--restart-cmd goes with --server"}},
		{[]string{"--server-cmd", "no-such-program {listen}"}, []string{`"no-such-program" was not found`}},
		{[]string{"--server-cmd", "true"}, []string{"lacks {listen}"}},
		{[]string{"--server-cmd", "true {lisen}"}, []string{"did you mean {listen}?"}},
		{[]string{"--lease", "fast"}, []string{"--lease"}},
		{[]string{"--lease", "1ms", "--jobs", "-1"}, []string{"--lease 1ms", "--jobs -1"}},
		{[]string{"--server", ""}, []string{"--server was given without a value"}},
		{[]string{"--server-cmd", "", "--run", ""}, []string{"--server-cmd was given", "--run was given"}},
		{[]string{"--json", "x.json"}, []string{"add --role"}},
		{[]string{"--role", "sever"}, []string{"did you mean server?"}},
		{[]string{"--client", "x", "--server", "a:1"}, []string{"--server and --client name more than one subject"}},
		{[]string{"--repeat", "1001"}, []string{"from 1 to 1000"}},
		{[]string{"--color", "alway"}, []string{"did you mean always?"}},
		{[]string{"--format", "xml"}, []string{`--format "xml": one of text`}},
		{[]string{"--lock-prefix", "\xff"}, []string{"valid UTF-8"}},
		{[]string{"--role", "server", "--json", filepath.Join(t.TempDir(), "no", "result.json")}, []string{"--json", "does the folder exist"}},
		{[]string{"--role", "server", "--json", t.TempDir()}, []string{"is a folder"}},
		{[]string{"defect", "lifoo"}, []string{"did you mean lifo?"}},
	} {
		code, _, stderr := conform(row.args...)
		if code != exitUsage {
			t.Errorf("%q: exit %d, want %d", row.args, code, exitUsage)
		}
		wantText(t, stderr, row.says...)
	}
}

// TestFullDiskIsFoundBeforeTheRun uses the device that is always full.
func TestFullDiskIsFoundBeforeTheRun(t *testing.T) {
	if matches, _ := filepath.Glob("/dev/full"); len(matches) == 0 {
		t.Skip("this system has no /dev/full")
	}
	code, _, stderr := conform("--role", "server", "--json", "/dev/full")
	if code != exitUsage {
		t.Errorf("exit %d, want %d", code, exitUsage)
	}
	wantText(t, stderr, "no space left on device")
}
