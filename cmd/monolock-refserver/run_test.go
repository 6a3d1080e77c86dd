package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"flag"
	"io"
	"net"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/wire"
	"go.uber.org/goleak"
)

// asProgram makes the test binary the program itself.
const asProgram = "MONOLOCK_REFSERVER_TEST_RUN"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
	}
	goleak.VerifyTestMain(m)
}

func TestFlagOverVariableOverDefault(t *testing.T) {
	env := map[string]string{"MONOLOCK_IO_TIMEOUT": "7s", "MONOLOCK_LISTEN_ADDRESS": "127.0.0.1:1", "MONOLOCK_LOG_FORMAT": ""}
	lookup := func(name string) (string, bool) { v, ok := env[name]; return v, ok }
	got, err := readSettings([]string{"-listen", "127.0.0.1:2"}, lookup)
	if err != nil {
		t.Fatal(err)
	}
	if want := (settings{listen: "127.0.0.1:2", ioTimeout: 7 * time.Second, logFormat: "text"}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestUsageErrors(t *testing.T) {
	for _, row := range []struct {
		args []string
		want string
	}{
		{[]string{"-tls-cert", "x"}, "-tls-cert: not implemented yet in the reference server"},
		{[]string{"--audit-log=-"}, "-audit-log: not implemented yet in the reference server"},
		{[]string{"-listen", "7070"}, `-listen: "7070" is not host:port`},
		{[]string{"-io-timeout", "0s"}, "-io-timeout: "},
		{[]string{"-log-level", "loud"}, "-log-level: "},
		{[]string{"-log-format", "xml"}, "-log-format: "},
		{[]string{"-nonsense"}, "-nonsense"},
		{[]string{"serve"}, `unexpected argument "serve"`},
	} {
		var stderr bytes.Buffer
		if code := run(t.Context(), row.args, io.Discard, &stderr); code != exitUsage {
			t.Errorf("%q: exit code %d, want %d", row.args, code, exitUsage)
		}
		if !strings.Contains(stderr.String(), row.want) {
			t.Errorf("%q: said %q, want %q in it", row.args, stderr.String(), row.want)
		}
	}
}

func TestVariablesAreNamedInErrors(t *testing.T) {
	_, err := readSettings(nil, func(name string) (string, bool) { return "x", name == "MONOLOCK_ACL_FILE" })
	if err == nil || err.Error() != "MONOLOCK_ACL_FILE: not implemented yet in the reference server" {
		t.Errorf("got %v", err)
	}
}

func TestHelpShowsEveryOption(t *testing.T) {
	var stdout bytes.Buffer
	if code := run(t.Context(), []string{"-help"}, &stdout, io.Discard); code != exitOK {
		t.Errorf("exit code %d, want %d", code, exitOK)
	}
	for _, o := range options {
		if !strings.Contains(stdout.String(), "-"+o.flag+" ") || !strings.Contains(stdout.String(), o.env) {
			t.Errorf("-%s or %s is not in the usage text", o.flag, o.env)
		}
	}
	if _, err := readSettings([]string{"-h"}, os.LookupEnv); !errors.Is(err, flag.ErrHelp) {
		t.Errorf("-h: %v", err)
	}
}

func TestAPortInUseIsASentence(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	var stderr bytes.Buffer
	if code := run(t.Context(), []string{"-listen", l.Addr().String()}, io.Discard, &stderr); code != exitFail {
		t.Errorf("exit code %d, want %d", code, exitFail)
	}
	if want := "another program uses this address"; !strings.Contains(stderr.String(), want) {
		t.Errorf("said %q, want %q in it", stderr.String(), want)
	}
}

func TestTheContextStopsIt(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var stderr bytes.Buffer
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	code := serve(ctx, l, settings{}, newLogger(settings{}, &stderr), nil)
	if code != exitOK {
		t.Errorf("exit code %d, want %d; log:\n%s", code, exitOK, &stderr)
	}
}

// program starts the program as a process and returns its address.
func program(t *testing.T) (*exec.Cmd, string, *bufio.Scanner) {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-listen", "127.0.0.1:0", "-log-format", "json")
	cmd.Env = append(os.Environ(), asProgram+"=1")
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	lines := bufio.NewScanner(stderr)
	lines.Scan()
	_, rest, ok := strings.Cut(lines.Text(), `"address":"`)
	addr, _, _ := strings.Cut(rest, `"`)
	if !ok {
		t.Fatalf("no address in %q", lines.Text())
	}
	return cmd, addr, lines
}

// holder connects and holds a lock.
func holder(t *testing.T, addr string) (net.Conn, *wire.Reader) {
	t.Helper()
	nc, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { nc.Close() })
	_, _ = nc.Write(wire.Bytes(wire.AcquireFrame("x", 60_000)))
	frames := wire.NewReader(nc)
	if f, err := frames.ReadServer(); err != nil || f.Type != wire.TypeAcquired {
		t.Fatalf("got %v, %v; want ACQUIRED", f, err)
	}
	return nc, frames
}

func TestSIGTERMTellsClientsAndExits0(t *testing.T) {
	cmd, addr, lines := program(t)
	nc, frames := holder(t, addr)
	_ = cmd.Process.Signal(syscall.SIGTERM)
	if f, err := frames.ReadServer(); err != nil || f.Code != wire.CodeShuttingDown {
		t.Errorf("got %v, %v; want ERROR 0x01", f, err)
	}
	nc.Close()
	for lines.Scan() {
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("exited with %v, want 0", err)
	}
}

func TestASecondSignalExitsAtOnce(t *testing.T) {
	cmd, addr, lines := program(t)
	_, frames := holder(t, addr)
	_ = cmd.Process.Signal(syscall.SIGTERM)
	if _, err := frames.ReadServer(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Process.Signal(os.Interrupt) // the holder has not closed: the server still waits
	for lines.Scan() {
	}
	var exit *exec.ExitError
	if err := cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != 130 {
		t.Errorf("exited with %v, want 130", err)
	}
}
