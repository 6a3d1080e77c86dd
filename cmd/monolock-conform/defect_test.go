//go:build unix

package main

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/monolock-dev/monolock-conform/conformance"
	clients "github.com/monolock-dev/monolock-conform/refclient/defects"
	"github.com/monolock-dev/monolock-conform/refserver/defects"
	"github.com/monolock-dev/monolock-conform/reports"
)

// TestDefectsAsProcesses judges wrong servers for real: as processes, over TCP,
// with the clock of the wall. What only a process can show is among them.
func TestDefectsAsProcesses(t *testing.T) {
	for _, id := range []string{"lifo", "promotes-on-next-heartbeat", "lease-early", "answers-twice", "token-per-lock", "exits-out-of-descriptors"} {
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			defect, ok := defects.Get(id)
			if !ok {
				t.Fatalf("there is no defect %s", id)
			}
			path := filepath.Join(t.TempDir(), "result.json")
			cmd := process(t, asCommand, "--strict", "--json", path, "--server-cmd", self(t, "defect "+id+" --listen {listen}"))
			var out bytes.Buffer
			cmd.Stdout = &out
			cmd.Run()
			wantExit(t, cmd, exitNotConformant)
			wantFailures(t, readResult(t, path), defect.Must, defect.May)
			if t.Failed() {
				t.Log(out.String())
			}
		})
	}
}

// TestClientDefectsAsProcesses judges wrong clients for real, each against the
// scenarios of the requirements that it must fail.
func TestClientDefectsAsProcesses(t *testing.T) {
	for _, id := range []string{
		"claims-beyond-the-lease", "never-stops", "stops-early", "closes-without-telling", "token-through-a-float", "reads-after-sending",
		"no-heartbeats-while-waiting", "hot-retry", "retries-client-errors", "release-by-a-message", "child-keeps-the-connection", "sleeps-through-its-lease",
	} {
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			defect, ok := clients.Get(id)
			if !ok {
				t.Fatalf("there is no defect %s", id)
			}
			path := filepath.Join(t.TempDir(), "result.json")
			cmd := process(t, asCommand, "--strict", "--json", path, "--run", strings.Join(defect.Must, ","), "--client", self(t, "defect "+id))
			var out bytes.Buffer
			cmd.Stdout = &out
			cmd.Run()
			wantExit(t, cmd, exitNotConformant)
			wantFailures(t, readResult(t, path), defect.Must, defect.May)
			if t.Failed() {
				t.Log(out.String())
			}
		})
	}
}

// wantFailures wants every requirement of must to fail, and no other but those of
// may.
func wantFailures(t *testing.T, result reports.Result, must, may []string) {
	t.Helper()
	seen := map[string]bool{}
	for _, r := range result.Requirements {
		if r.Verdict != conformance.Fail {
			continue
		}
		seen[string(r.ID)] = true
		if !slices.Contains(must, string(r.ID)) && !slices.Contains(may, string(r.ID)) {
			t.Errorf("%s fails, and is not listed: %s", r.ID, r.Detail)
		}
	}
	for _, id := range must {
		if !seen[id] {
			t.Errorf("%s must fail, and did not", id)
		}
	}
}
