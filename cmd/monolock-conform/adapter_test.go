//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestBrokenAdaptersAreUndecided: an adapter that breaks its contract is exit 3 in
// its own words, within ten seconds, and nothing of it is left running.
func TestBrokenAdaptersAreUndecided(t *testing.T) {
	const hello = `echo '{"event":"hello","client":"c","version":"1","language":"sh","lacks":["retry","cancel","fail","classify"]}'`
	for _, row := range []struct{ name, script, says string }{
		{"no-hello", "exec sleep 60", "hello"},
		{"half-a-line", `printf '{"event":"hel'; exit 0`, "no newline"},
		{"10-MB-without-newline", "head -c 10000000 /dev/zero | tr '\\0' x; sleep 60", "without a newline"},
		{"leaves-a-child", "sleep 61 & exec sleep 62", "hello"},
		{"exits-early", hello + "; exit 0", "result"},
		{"exits-with-7", hello + "; exit 7", "exited with code 7"},
		{"dies-by-a-signal", hello + "; kill -9 $$", "SIGKILL"},
		{"hello-twice", hello + "; " + hello + "; sleep 60", "hello"},
		{"unknown-outcome", hello + `; echo '{"event":"result","outcome":"fine"}'; sleep 60`, `fine`},
		{"token-no-number", hello + `; echo '{"event":"granted","token":"1.5"}'; sleep 60`, `1.5`},
		{"no-JSON", hello + `; echo '{oops'; sleep 60`, "oops"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), row.name)
			if err := os.WriteFile(path, []byte("#!/bin/sh\n"+row.script+"\n"), 0o755); err != nil {
				t.Fatal(err)
			}
			started := time.Now()
			code, stdout, _ := conform("--client", path, "--start-timeout", "3s")
			if code != exitUndecided {
				t.Errorf("exit %d, want %d", code, exitUndecided)
			}
			const most = 10 * time.Second
			if took := time.Since(started); took > most {
				t.Errorf("took %v, more than %v", took, most)
			}
			wantText(t, stdout, row.says)
			if out, _ := exec.Command("pgrep", "-f", path).Output(); len(strings.TrimSpace(string(out))) > 0 {
				t.Errorf("still running: %s", out)
			}
		})
	}
}

// TestAdapterCommandsThatCannotStart are usage errors.
func TestAdapterCommandsThatCannotStart(t *testing.T) {
	plain := filepath.Join(t.TempDir(), "plain")
	if err := os.WriteFile(plain, []byte("#!/bin/sh\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct{ command, says string }{
		{"no-such-adapter", "not found"},
		{plain, "execut"},
		{"'unclosed", "--client"},
	} {
		code, _, stderr := conform("--client", row.command)
		if code != exitUsage {
			t.Errorf("%s: exit %d, want %d", row.command, code, exitUsage)
		}
		wantText(t, stderr, row.says)
	}
}
