//go:build unix

package main

import (
	"bufio"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance"
)

// TestInterruptWritesTheResultOfWhatRan sends SIGINT in the middle of a run.
func TestInterruptWritesTheResultOfWhatRan(t *testing.T) {
	path := filepath.Join(t.TempDir(), "result.json")
	cmd := process(t, asCommand, "--role", "server", "--json", path)
	inTheMiddle(t, cmd, func() { cmd.Process.Signal(os.Interrupt) })
	wantExit(t, cmd, exitInterrupted)
	result := readResult(t, path)
	if result.Complete || result.Counts[conformance.Pass] == 0 || result.Counts[conformance.Inconclusive] == 0 {
		t.Errorf("complete %v, %v: want an incomplete result with some that passed and some undecided", result.Complete, result.Counts)
	}
}

// TestServerKilledInMidRunIsUndecided ends the server as the kernel would.
func TestServerKilledInMidRunIsUndecided(t *testing.T) {
	address := freeAddress(t)
	server := process(t, asReference, address)
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	awaitListener(t, address)
	cmd := process(t, asCommand, "--server", address)
	var out strings.Builder
	cmd.Stdout = &out
	var killed time.Time
	inTheMiddle(t, cmd, func() {
		killed = time.Now()
		server.Process.Kill()
		server.Wait()
	})
	wantExit(t, cmd, exitUndecided)
	const seconds = 8 * time.Second
	if took := time.Since(killed); took > seconds {
		t.Errorf("the run ended %v after the server, want at most %v", took, seconds)
	}
	wantText(t, out.String(), "went away", "undecided")
}

// TestStartedServerKilledInMidRunIsUndecided kills a server that the suite
// started; nobody blames a negative case.
func TestStartedServerKilledInMidRunIsUndecided(t *testing.T) {
	pidFile := filepath.Join(t.TempDir(), "pid")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	script := filepath.Join(t.TempDir(), "server")
	text := "#!/bin/sh\n[ -e " + pidFile + " ] || echo $$ >" + pidFile + "\nexec env " + asKey + "=" + asReference + " " + self + " \"$1\"\n"
	if err := os.WriteFile(script, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
	cmd := process(t, asCommand, "--server-cmd", script+" {listen}")
	var out strings.Builder
	cmd.Stdout = &out
	inTheMiddle(t, cmd, func() {
		pid, err := os.ReadFile(pidFile)
		if err != nil {
			t.Fatal(err)
		}
		exec.Command("kill", "-9", strings.TrimSpace(string(pid))).Run()
	})
	wantExit(t, cmd, exitUndecided)
	wantText(t, out.String(), "SIGKILL", "undecided")
}

// inTheMiddle starts a run, does something once most of it is done, and waits for
// its end. By then the negative cases, which are short, are over: a server that
// dies during one is to blame for it.
func inTheMiddle(t *testing.T, cmd *exec.Cmd, act func()) {
	t.Helper()
	progress, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	acted := false
	for lines := bufio.NewScanner(progress); lines.Scan(); {
		var done, all int
		if n, _ := fmt.Sscanf(lines.Text(), "%d/%d", &done, &all); !acted && n == 2 && done > all*2/3 {
			acted = true
			act()
		}
	}
	if !acted {
		t.Error("the run showed no progress to act upon")
	}
	cmd.Wait()
}

func wantExit(t *testing.T, cmd *exec.Cmd, code int) {
	t.Helper()
	if got := cmd.ProcessState.ExitCode(); got != code {
		t.Errorf("exit %d, want %d", got, code)
	}
}

// freeAddress is an address of this host that nobody listens on.
func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// awaitListener dials until somebody listens.
func awaitListener(t *testing.T, address string) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); {
		conn, err := net.Dial("tcp", address)
		if err == nil {
			conn.Close()
			return
		}
		if !errors.Is(err, syscall.ECONNREFUSED) {
			t.Fatal(err)
		}
		time.Sleep(10 * time.Millisecond) // polling a process that is not ours to wait for
	}
	t.Fatalf("nobody listens on %s", address)
}
