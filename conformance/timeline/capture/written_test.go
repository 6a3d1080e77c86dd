package capture_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/conformance/subject"
	"github.com/monolock-dev/monolock-conform/conformance/timeline/capture"
	"github.com/monolock-dev/monolock-conform/conformance/virtual"
	"github.com/monolock-dev/monolock-conform/refserver"
	"github.com/monolock-dev/monolock-conform/scenarios"
)

// Timelines of real scenarios, with all that a server is made to suffer, become
// captures that tshark takes without a complaint. One of five will do; a run with
// MONOLOCK_CAPTURES=all takes all.
func TestTsharkTakesTheTimelinesOfScenarios(t *testing.T) {
	program, err := exec.LookPath("tshark")
	if err != nil {
		t.Skip("tshark is not installed: what it says of our captures is not tested here")
	}
	step := 5
	if os.Getenv("MONOLOCK_CAPTURES") == "all" {
		step = 1
	}
	for i, s := range scenarios.All(spec.RoleServer) {
		if i%step != 0 || s.NeedsProcess {
			continue
		}
		t.Run(s.ID, func(t *testing.T) {
			t.Parallel()
			var result conformance.Result
			t.Run("play", func(t *testing.T) {
				result = virtual.Server(t, s, conformance.DefaultParams(), false, func() subject.Running { return refserver.New(refserver.Config{}) })
			})
			var file bytes.Buffer
			if err := capture.Write(&file, result.Started, result.Events, capture.About{Scenario: s.ID}); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(t.TempDir(), "scenario.pcapng")
			if err := os.WriteFile(path, file.Bytes(), 0o600); err != nil {
				t.Fatal(err)
			}
			lua := filepath.Join(t.TempDir(), "monolock.lua")
			if err := os.WriteFile(lua, []byte(capture.Dissector), 0o600); err != nil {
				t.Fatal(err)
			}
			said, err := exec.Command(program, "-X", "lua_script:"+lua, "-n", "-r", path, "-o", "tcp.check_checksum:TRUE", "-o", "ip.check_checksum:TRUE", "-V", "-Y",
				`_ws.malformed || tcp.checksum.status == "Bad" || ip.checksum.status == "Bad" || tcp.analysis.flags`).Output()
			if err != nil {
				t.Fatal(err)
			}
			if complaint := strings.TrimSpace(string(said)); complaint != "" {
				t.Errorf("tshark complains:\n%s", complaint[:min(len(complaint), 5000)])
			}
		})
	}
}
