package subject

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

// child is a little server program. Its address is the last argument.
func child(kind string, args []string) int {
	addr := args[len(args)-1]
	switch kind {
	case "sleep":
		time.Sleep(time.Minute)
		return 0
	case "suite":
		return launchAndHang(args[0])
	case "exit":
		fmt.Fprintln(os.Stderr, "starting\nconfig: \x1b[31mno such file")
		return 1
	case "detach":
		return 0
	case "in-use-once":
		return inUseOnce(args)
	case "fork":
		startSleeper()
	case "loud":
		io.WriteString(os.Stdout, strings.Repeat(strings.Repeat("x", 99)+"\n", 100_000)+"the end\n")
	case "deaf":
		signal.Ignore(syscall.SIGTERM)
		return childServe(addr, answerLocks)
	case "mute":
		return childServe(addr, func(c net.Conn) { io.Copy(io.Discard, c) })
	}
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGTERM)
	go childServe(addr, answerLocks)
	<-stop
	fmt.Println("stopping")
	return 2
}

// inUseOnce cannot bind at its first start, which leaves a file.
func inUseOnce(args []string) int {
	mark := args[0]
	if _, err := os.Stat(mark); err != nil {
		os.WriteFile(mark, nil, 0o600)
		fmt.Fprintln(os.Stderr, "listen tcp: bind: address already in use")
		return 1
	}
	return childServe(args[len(args)-1], answerLocks)
}

// startSleeper starts a process that outlives this one and keeps its output.
func startSleeper() {
	cmd := exec.Command(os.Args[0], "x")
	cmd.Env = append(os.Environ(), childKey+"=sleep")
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	if err := cmd.Start(); err != nil {
		panic(err)
	}
	fmt.Println("sleeper", cmd.Process.Pid)
}

// launchAndHang is a program that starts a server, and is killed then.
func launchAndHang(exe string) int {
	tmpl, err := ParseTemplate("'" + exe + "' {listen}")
	if err != nil {
		panic(err)
	}
	i, err := Command{Template: tmpl, Env: []string{childKey + "=good"}}.Launch(context.Background())
	if err != nil {
		panic(err)
	}
	fmt.Println("server", i.(*LocalProcess).Pid())
	select {}
}

func childServe(addr string, serve func(net.Conn)) int {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	for {
		c, err := l.Accept()
		if err != nil {
			return 1
		}
		go func() { defer c.Close(); serve(c) }()
	}
}

// answerLocks grants everything.
func answerLocks(c net.Conn) {
	r := wire.NewReader(bufio.NewReader(c))
	for {
		if _, err := r.ReadClient(); err != nil {
			return
		}
		if _, err := c.Write(wire.Bytes(wire.AcquiredFrame(7))); err != nil {
			return
		}
	}
}

// childCommand is the Command of a child; extra stands before its address.
func childCommand(t *testing.T, kind string, extra ...string) Command {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	line := "'" + exe + "' " + strings.Join(extra, " ") + " -listen {listen}"
	tmpl, err := ParseTemplate(line)
	if err != nil {
		t.Fatal(err)
	}
	return Command{Template: tmpl, Env: []string{childKey + "=" + kind}}
}

// launch starts a child and closes it at the test's end.
func launch(t *testing.T, c Command) *LocalProcess {
	t.Helper()
	i, err := c.Launch(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := i.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	return i.(*LocalProcess)
}

// wantExit waits for the present run's end.
func wantExit(t *testing.T, i Instance, want string) {
	t.Helper()
	select {
	case <-i.Exited():
	case <-time.After(5 * time.Second):
		t.Fatalf("the server still runs, want %q", want)
	}
	if got := i.Exit(); got != want {
		t.Errorf("Exit() = %q, want %q", got, want)
	}
}
