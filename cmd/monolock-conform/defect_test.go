//go:build unix

package main

import (
	"bytes"
	"path/filepath"
	"slices"
	"testing"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/refserver/defects"
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
			seen := map[string]bool{}
			for _, r := range readResult(t, path).Requirements {
				if r.Verdict != conformance.Fail {
					continue
				}
				seen[string(r.ID)] = true
				if !slices.Contains(defect.Must, string(r.ID)) && !slices.Contains(defect.May, string(r.ID)) {
					t.Errorf("%s fails %s, which it does not list: %s", id, r.ID, r.Detail)
				}
			}
			for _, must := range defect.Must {
				if !seen[must] {
					t.Errorf("%s must fail %s, and did not", id, must)
				}
			}
			if t.Failed() {
				t.Log(out.String())
			}
		})
	}
}
