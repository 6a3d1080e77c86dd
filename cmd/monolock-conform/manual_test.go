//go:build unix

package main

import (
	"bufio"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// TestManual plays the person at the debugger: it starts the adapter by hand with
// the environment and the pipes that the suite prints.
func TestManual(t *testing.T) {
	cmd := process(t, asCommand, "--manual", "client/connect/lease-zero")
	var out strings.Builder
	cmd.Stdout = &out
	shown, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	export := regexp.MustCompile(`^  export (\w+)="(.*)"$`)
	start := regexp.MustCompile(`^  YOUR-ADAPTER <(\S+) >(\S+)$`)
	var env []string
	for lines := bufio.NewScanner(shown); lines.Scan(); {
		if m := export.FindStringSubmatch(lines.Text()); m != nil {
			env = append(env, m[1]+"="+m[2])
		}
		if m := start.FindStringSubmatch(lines.Text()); m != nil {
			byHand(t, env, m[1], m[2])
		}
	}
	cmd.Wait()
	wantExit(t, cmd, exitConformant)
	wantText(t, out.String(), "conformant in what ran")
}

// byHand starts the reference client's adapter on two pipes.
func byHand(t *testing.T, env []string, stdin, stdout string) {
	t.Helper()
	adapter := process(t, asAdapter)
	adapter.Env = append(adapter.Env, env...)
	in, err := os.OpenFile(stdin, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	result, err := os.OpenFile(stdout, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer result.Close()
	adapter.Stdin, adapter.Stdout = in, result
	if err := adapter.Start(); err != nil {
		t.Fatal(err)
	}
	go func(a *exec.Cmd) { a.Wait() }(adapter)
}
