package main

import (
	"bufio"
	"encoding/hex"
	"io"
	"net"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

// asProgram makes the test binary the program itself.
const asProgram = "MONOLOCK_REFCLIENT_TEST_RUN"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
	}
	goleak.VerifyTestMain(m)
}

const leaseMS = "1000"

// program is the adapter as a process, and the test's end of its connection.
type program struct {
	t     *testing.T
	cmd   *exec.Cmd
	stdin io.WriteCloser
	lines *bufio.Scanner
	l     net.Listener
	nc    net.Conn
}

// start starts the program and waits for its ACQUIRE.
func start(t *testing.T) *program {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), asProgram+"=1", "MONOLOCK_CONTRACT=1", "MONOLOCK_ADDR="+l.Addr().String(),
		"MONOLOCK_NAME_HEX="+hex.EncodeToString([]byte("x")), "MONOLOCK_LEASE_MS="+leaseMS, "MONOLOCK_MODE=once")
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	p := &program{t: t, cmd: cmd, stdin: stdin, lines: bufio.NewScanner(stdout), l: l}
	p.wantLine("first of all", `"event":"hello"`)
	if p.nc, err = l.Accept(); err != nil {
		t.Fatal(err)
	}
	if f, err := wire.NewReader(p.nc).ReadClient(); err != nil || f.Acquire.Name != "x" {
		t.Errorf("got %v and %v, want the ACQUIRE", f, err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = p.nc.Close()
		_ = l.Close()
	})
	return p
}

func (p *program) wantLine(why, part string) {
	p.t.Helper()
	if !p.lines.Scan() || !strings.Contains(p.lines.Text(), part) {
		p.t.Fatalf("%s: got %s, want %s in it", why, p.lines.Text(), part)
	}
}

func (p *program) send(frames ...wire.Frame) {
	p.t.Helper()
	for _, f := range frames {
		if _, err := p.nc.Write(wire.Bytes(f)); err != nil {
			p.t.Error(err)
		}
	}
}

func (p *program) wantExit(why string) {
	p.t.Helper()
	if p.lines.Scan() {
		p.t.Errorf("%s: said %s, want nothing more", why, p.lines.Text())
	}
	if err := p.cmd.Wait(); err != nil {
		p.t.Errorf("%s: %v, want exit code 0", why, err)
	}
}

func TestAClaimAsAProcess(t *testing.T) {
	p := start(t)
	p.send(wire.AcquiredFrame(1 << 63))
	p.wantLine("the grant", `"token":"9223372036854775808"`)
	if _, err := io.WriteString(p.stdin, "release\n"); err != nil {
		t.Error(err)
	}
	p.wantLine("the word", `"event":"finished"`)
	p.wantLine("the last line", `"outcome":"ok"`)
	p.wantExit("after the result")
	if rest, err := io.ReadAll(p.nc); err != nil || len(rest) != 0 {
		t.Errorf("the connection ended with %x and %v, want a plain close", rest, err)
	}
}

func TestEndOfInput(t *testing.T) {
	p := start(t)
	p.send(wire.AcquiredFrame(1))
	p.wantLine("the grant", `"granted"`)
	begun := time.Now()
	_ = p.stdin.Close()
	p.wantExit("at once, without a result")
	// The contract allows two seconds; a race detector takes one of them.
	if took := time.Since(begun); took > 2*time.Second {
		t.Errorf("took %v", took)
	}
}
