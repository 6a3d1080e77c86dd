//go:build linux

package reports_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/monitor"
	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/conformance/subject"
	"github.com/monolock-dev/monolock-conform/conformance/timeline/capture"
	"github.com/monolock-dev/monolock-conform/refserver"
	"github.com/monolock-dev/monolock-conform/refserver/defects"
	"github.com/monolock-dev/monolock-conform/reports"
	"github.com/monolock-dev/monolock-conform/scenarios"
)

// tcpdump captures one port of the loopback until stop, which returns the capture.
// Where it is not installed or may not capture, the test is skipped. The snap length
// is small so that the kernel has room for many packets.
func tcpdump(t *testing.T, address string) (stop func() []byte) {
	t.Helper()
	program, err := exec.LookPath("tcpdump")
	if err != nil {
		t.Skip("tcpdump is not installed: a capture of a real run is not compared here")
	}
	_, port, _ := net.SplitHostPort(address)
	path := filepath.Join(t.TempDir(), "run.pcap")
	cmd := exec.Command(program, "-i", "lo", "-s", "2048", "-U", "--immediate-mode", "-B", "65536", "-Z", "root", "-w", path, "tcp", "port", port)
	said, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(said)
	for listening := false; !listening; listening = strings.Contains(lines.Text(), "listening on") {
		if !lines.Scan() {
			err := cmd.Wait()
			t.Skipf("tcpdump may not capture on the loopback here (%v): a capture of a real run is not compared", err)
		}
	}
	drained := make(chan struct{})
	go func() {
		defer close(drained)
		for lines.Scan() {
		}
	}()
	t.Cleanup(func() { cmd.Process.Kill() })
	return func() []byte {
		fence(t, address, path)
		cmd.Process.Signal(syscall.SIGINT)
		<-drained
		cmd.Wait()
		file, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return file
	}
}

// fence makes a connection of its own and waits until the capture holds it: then it
// holds all that was before.
func fence(t *testing.T, address, path string) {
	t.Helper()
	conn, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	conn.Write([]byte{1, 1, 0, 0, 0, 100, 0, 5, 'f', 'e', 'n', 'c', 'e'})
	mine := conn.LocalAddr().String()
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); {
		file, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		seen := false
		capture.Read(bytes.NewReader(file), capture.Options{Begin: func(c *capture.Conn) { seen = seen || c.Client.String() == mine }})
		if seen {
			conn.Close()
			return
		}
	}
	t.Fatal("the capture never showed the last connection")
}

// The capture of a real run shows what the run's own monitors found, requirement by
// requirement, and nothing else.
func TestTraceFindsWhatTheRunFinds(t *testing.T) {
	some := []string{
		"server/heartbeat/answered", "server/heartbeat/one-answer-each", "server/queue/never-back-to-waiting", "server/queue/promotion-is-pushed",
		"server/token/one-a-session", "server/token/grows-on-one-lock", "server/token/grows-over-locks", "server/framing/*", "server/load/random-clients",
	}
	for _, id := range []string{"", "token-changes", "promotion-has-another-token", "token-falls", "token-falls-on-one-lock", "answers-twice", "waiting-after-acquired"} {
		t.Run("defect "+id, func(t *testing.T) {
			launcher := subject.InProcess{Listen: subject.ListenLoopback, ListenOnly: true, New: func() subject.Running {
				if defect, wrong := defects.Get(id); wrong {
					return defect.New(refserver.Config{})
				}
				return refserver.New(refserver.Config{})
			}}
			server, err := launcher.Launch(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			defer server.Close()
			stop := tcpdump(t, server.Target())
			outcome := runSome(t, server, some)
			file := stop()
			run, traced := foundByRun(outcome), foundByTrace(t, file, server.Target())
			if !slices.Equal(run, traced) {
				t.Errorf("the run's monitors found %v, the capture shows %v", run, traced)
			}
			if wrong := id != ""; wrong != (len(run) > 0) {
				t.Errorf("the run's monitors found %v", run)
			}
		})
	}
}

func runSome(t *testing.T, server subject.Server, patterns []string) *conformance.Outcome {
	t.Helper()
	selected, err := conformance.Select(scenarios.All(spec.RoleServer), patterns, nil)
	if err != nil {
		t.Fatal(err)
	}
	params := conformance.DefaultParams()
	params.Nonce = conformance.NewNonce()
	return conformance.Run(context.Background(), conformance.Plan{
		Scenarios: selected, Params: params, Regardless: true, Target: conformance.Target{Server: server},
	})
}

// foundByRun lists the requirements that the monitors of a run find violated.
func foundByRun(outcome *conformance.Outcome) (ids []string) {
	for _, result := range outcome.Results {
		for _, f := range monitor.Server(result.Events) {
			if f.Violated() > 0 {
				ids = append(ids, string(f.ID))
			}
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// foundByTrace lists those that the capture shows to be violated, of those that
// monitors of a run speak for.
func foundByTrace(t *testing.T, file []byte, address string) (ids []string) {
	t.Helper()
	_, port, _ := net.SplitHostPort(address)
	number := uint16(0)
	fmt.Sscan(port, &number)
	found, err := reports.NewTrace(bytes.NewReader(file), reports.TraceInput{Roles: []spec.Role{spec.RoleServer}, Port: number})
	if err != nil {
		t.Fatal(err)
	}
	if found.Summary.Holes > 0 || found.Summary.Frames < 100 {
		t.Errorf("the capture is not whole: %+v", found.Summary)
	}
	monitored := monitor.Server(nil)
	for _, q := range found.Results[0].Requirements {
		violated := q.Verdict == conformance.Fail || q.Verdict == conformance.Warn
		if violated && slices.ContainsFunc(monitored, func(f monitor.Finding) bool { return f.ID == q.ID }) {
			ids = append(ids, string(q.ID))
		}
		if violated {
			t.Logf("%s %s: %s", q.ID, q.Verdict, q.Detail)
		}
	}
	slices.Sort(ids)
	return ids
}
