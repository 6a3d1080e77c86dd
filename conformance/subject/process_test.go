//go:build unix

package subject

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestLifeOfAProcess(t *testing.T) {
	p := launch(t, childCommand(t, "good"))
	if p.Exit() != "" {
		t.Errorf("Exit() = %q while it runs, want none", p.Exit())
	}
	addr := p.Target()
	if err := p.Start(t.Context()); err == nil || !strings.Contains(err.Error(), "still runs") {
		t.Errorf("Start of a running server: %v, want a refusal", err)
	}
	if err := p.Terminate(); err != nil {
		t.Fatal(err)
	}
	wantExit(t, p, "exit code 2")
	if err := p.Terminate(); err == nil || !strings.Contains(err.Error(), "does not run (exit code 2)") {
		t.Errorf("Terminate after the exit: %v, want an error", err)
	}
	if err := p.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	if p.Target() != addr || p.Exit() != "" {
		t.Errorf("after Start: %s %q, want %s and running", p.Target(), p.Exit(), addr)
	}
	if _, err := Ask(t.Context(), p, "x"); err != nil {
		t.Error(err)
	}
	if err := p.Kill(); err != nil {
		t.Fatal(err)
	}
	wantExit(t, p, "killed by SIGKILL")
	if got := p.Output(); got != "stopping\n" {
		t.Errorf("Output() = %q, want that of the first run", got)
	}
	if err := errors.Join(p.Close(), p.Close()); err != nil {
		t.Error(err)
	}
	if err := p.Start(t.Context()); err == nil {
		t.Error("Start after Close succeeded")
	}
}

func TestADeafServerIsClosed(t *testing.T) {
	p := launch(t, childCommand(t, "deaf"))
	if err := p.Terminate(); err != nil {
		t.Fatal(err)
	}
	if within(p.Exited(), 100*time.Millisecond) {
		t.Error("a server that ignores SIGTERM ended by it")
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	wantExit(t, p, "killed by SIGKILL")
}

// sleeper reads the process ID that a "fork" child printed.
func sleeper(t *testing.T, p *LocalProcess) int {
	t.Helper()
	m := regexp.MustCompile(`sleeper (\d+)`).FindAllStringSubmatch(p.Output(), -1)
	if m == nil {
		t.Fatalf("no sleeper in %q", p.Output())
	}
	pid, _ := strconv.Atoi(m[len(m)-1][1])
	return pid
}

// lives reports whether a process is there and no zombie.
func lives(pid int) bool {
	if runtime.GOOS != "linux" {
		return syscall.Kill(pid, 0) == nil
	}
	data, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return err == nil && !strings.Contains(string(data), ") Z")
}

func TestDescendantsOutliveTheServerAndNotTheInstance(t *testing.T) {
	p := launch(t, childCommand(t, "fork"))
	first := sleeper(t, p)
	if err := p.Kill(); err != nil {
		t.Fatal(err)
	}
	wantExit(t, p, "killed by SIGKILL")
	if !lives(first) {
		t.Error("Kill reached what the server started")
	}
	if err := p.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	if lives(first) {
		t.Error("the first run's descendant lives beside the second run")
	}
	second, server := sleeper(t, p), p.Pid()
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	if lives(second) || lives(server) {
		t.Error("something lives after Close")
	}
}

func TestOutputIsBounded(t *testing.T) {
	p := launch(t, childCommand(t, "loud"))
	out := p.Output()
	if len(out) != outputKept || !strings.HasSuffix(out, "xx\nthe end\n") {
		t.Errorf("%d bytes kept that end in %q, want the last %d", len(out), out[max(0, len(out)-20):], outputKept)
	}
}

func TestPauseAndContinue(t *testing.T) {
	p := launch(t, childCommand(t, "good"))
	conn, err := p.Dial(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if err := p.Pause(); err != nil {
		t.Fatal(err)
	}
	conn.Write([]byte{2})
	conn.SetReadDeadline(time.Now().Add(100 * time.Millisecond))
	buf := make([]byte, 9)
	if n, err := conn.Read(buf); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("a paused server answered: %x, %v", buf[:n], err)
	}
	if err := p.Continue(); err != nil {
		t.Fatal(err)
	}
	conn.SetReadDeadline(time.Now().Add(5 * time.Second))
	if _, err := io.ReadFull(conn, buf); err != nil {
		t.Errorf("no answer after Continue: %v", err)
	}
	if err := p.Pause(); err != nil {
		t.Fatal(err)
	}
	if err := p.Close(); err != nil {
		t.Errorf("Close of a paused server: %v", err)
	}
}

func TestFilesAreCountedAndLimited(t *testing.T) {
	p := launch(t, childCommand(t, "good"))
	before, err := p.OpenFiles()
	if runtime.GOOS != "linux" {
		if !errors.Is(err, errors.ErrUnsupported) {
			t.Errorf("OpenFiles: %v, want ErrUnsupported", err)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	const more = 20
	for range more {
		conn, err := p.Dial(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		askOn(t, conn)
	}
	// The connection that asked for readiness may have been counted before.
	if now, err := p.OpenFiles(); err != nil || now < before+more-1 || now > before+more {
		t.Errorf("OpenFiles() = %d, %v with %d more connections than at %d", now, err, more, before)
	}
	if err := p.LimitFiles(3); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	if a, err := Ask(ctx, p, "x"); err == nil {
		t.Errorf("a server without descriptors answered %v", a.Frame)
	}
	if err := p.LimitFiles(1 << 40); err == nil || !strings.Contains(err.Error(), "hard limit") {
		t.Errorf("LimitFiles above the hard limit: %v", err)
	}
}

// askOn has one exchange on an open connection.
func askOn(t *testing.T, conn Conn) {
	t.Helper()
	conn.SetDeadline(time.Now().Add(5 * time.Second))
	defer conn.SetDeadline(time.Time{})
	_, err := conn.Write([]byte{2})
	if _, readErr := io.ReadFull(conn, make([]byte, 9)); err != nil || readErr != nil {
		t.Fatal(err, readErr)
	}
}

func TestAServerThatExitsEarly(t *testing.T) {
	begun := time.Now()
	_, err := childCommand(t, "exit").Launch(t.Context())
	start, ok := errors.AsType[*StartError](err)
	if !ok || start.Exit != "exit code 1" {
		t.Fatalf("Launch: %v, want a *StartError with exit code 1", err)
	}
	want := "-listen 127.0.0.1:"
	for _, want := range []string{want, "exited with code 1 before it answered; its last output:\n  \"starting\"\n" +
		`  "config: \x1b[31mno such file"`} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the error is\n%v\nwithout %q", err, want)
		}
	}
	if took := time.Since(begun); took > 3*time.Second {
		t.Errorf("it took %v", took)
	}
}

func TestAServerThatDetaches(t *testing.T) {
	_, err := childCommand(t, "detach").Launch(t.Context())
	if err == nil || !strings.Contains(err.Error(), "must not detach; it wrote nothing") {
		t.Errorf("Launch: %v, want the advice to stay in the foreground", err)
	}
}

func TestAServerThatNeverAnswers(t *testing.T) {
	t.Parallel() // it waits for its probes
	c := childCommand(t, "mute")
	c.StartTimeout = 300 * time.Millisecond
	_, err := c.Launch(t.Context())
	none, ok := errors.AsType[*NoAnswerError](err)
	if !ok || none.Kind != Mute || !strings.Contains(err.Error(), "was not ready after") {
		t.Errorf("Launch: %v, want a mute server", err)
	}
	c.ConnectOnly = true
	launch(t, c)
}

func TestAServerThatListensElsewhere(t *testing.T) {
	c := childCommand(t, "sleep")
	c.StartTimeout = 100 * time.Millisecond
	_, err := c.Launch(t.Context())
	if err == nil || !strings.Contains(err.Error(), "nothing listens there: does the server listen on the address given for {listen}") {
		t.Errorf("Launch: %v", err)
	}
}

func TestACancelledLaunch(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	begun := time.Now()
	_, err := childCommand(t, "mute").Launch(ctx)
	if !errors.Is(err, context.DeadlineExceeded) || time.Since(begun) > 2*time.Second {
		t.Errorf("Launch: %v after %v, want the context's end", err, time.Since(begun))
	}
}

func TestAnAddressInUseIsReplaced(t *testing.T) {
	mark := filepath.Join(t.TempDir(), "mark")
	p := launch(t, childCommand(t, "in-use-once", mark))
	if _, err := Ask(t.Context(), p, "x"); err != nil {
		t.Error(err)
	}
}

func TestAProgramThatCannotStart(t *testing.T) {
	script := filepath.Join(t.TempDir(), "script")
	if err := os.WriteFile(script, []byte("\x7fELF nonsense"), 0o700); err != nil {
		t.Fatal(err)
	}
	tmpl, err := ParseTemplate("'" + script + "' {listen}")
	if err != nil {
		t.Fatal(err)
	}
	_, err = Command{Template: tmpl}.Launch(t.Context())
	if err == nil || !strings.Contains(err.Error(), "could not be started") {
		t.Errorf("Launch: %v", err)
	}
}

func TestAddressesAndValues(t *testing.T) {
	c := childCommand(t, "good", "-ops {ops} -acl-file {acl}")
	c.Addresses, c.Values = []string{Ops, Admin}, map[string]string{ACL: "file"}
	p := launch(t, c)
	if p.Value(Ops) == "" || p.Value(Ops) == p.Value(Listen) || p.Value(Admin) != "" || p.Value(ACL) != "file" {
		t.Errorf("the values are %v", p.values)
	}
}
