package adapters

import (
	"bufio"
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/monolock-dev/monolock-conform/conformance/wire"
	"github.com/monolock-dev/monolock-conform/refclient/adapter"
)

// asAdapter makes the test binary the reference client's adapter.
const asAdapter = "MONOLOCK_ADAPTERS_TEST_RUN"

func TestMain(m *testing.M) {
	if os.Getenv(asAdapter) != "" {
		os.Exit(adapter.Run(context.Background(), adapter.Env{
			Getenv: os.Getenv, Stdin: struct{ io.Reader }{os.Stdin}, Stdout: os.Stdout, Stderr: os.Stderr,
		}, adapter.Standard))
	}
	goleak.VerifyTestMain(m)
}

// languages are the adapters, as argument lists.
var languages = map[string][]string{
	"go":     {os.Args[0]},
	"python": {"python3", "python/adapter.py"},
	"node":   {"node", "node/adapter.mjs"},
}

// each runs f once a language. One without an interpreter is skipped, and said so.
func each(t *testing.T, f func(t *testing.T, argv []string)) {
	for name, argv := range languages {
		t.Run(name, func(t *testing.T) {
			if _, err := exec.LookPath(argv[0]); err != nil {
				t.Skipf("%s is not installed here: the %s adapter is not tested", argv[0], name)
			}
			t.Parallel() // the languages beside each other
			f(t, argv)
		})
	}
}

const (
	lease   = time.Second
	patient = 10 * time.Second // for what a process does without waiting
)

// process is an adapter that runs.
type process struct {
	t      *testing.T
	cmd    *exec.Cmd
	stdin  io.WriteCloser
	lines  chan string
	stderr bytes.Buffer
}

// start starts an adapter and waits for its hello. env is KEY=VALUE, over the usual.
func start(t *testing.T, argv []string, addr string, env ...string) *process {
	t.Helper()
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Env = append(os.Environ(), asAdapter+"=1", "MONOLOCK_CONTRACT=1", "MONOLOCK_ADDR="+addr,
		"MONOLOCK_NAME_HEX="+hex.EncodeToString([]byte("x")), "MONOLOCK_MODE=once",
		fmt.Sprintf("MONOLOCK_LEASE_MS=%d", lease.Milliseconds()))
	cmd.Env = append(cmd.Env, env...)
	p := &process{t: t, cmd: cmd, lines: make(chan string, 100)}
	cmd.Stderr = &p.stderr
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
	p.stdin = stdin
	read := make(chan struct{})
	go func() {
		defer close(read)
		defer close(p.lines)
		for s := bufio.NewScanner(stdout); s.Scan(); {
			p.lines <- s.Text()
		}
	}()
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		<-read
		_ = cmd.Wait()
		if t.Failed() {
			t.Logf("standard error: %s", &p.stderr)
		}
	})
	p.want("hello")
	return p
}

func (p *process) say(word string) {
	p.t.Helper()
	if _, err := io.WriteString(p.stdin, word+"\n"); err != nil {
		p.t.Error(err)
	}
}

// want waits for the line of that event, and passes over optional ones.
func (p *process) want(event string) map[string]any {
	p.t.Helper()
	for {
		select {
		case text, ok := <-p.lines:
			if !ok {
				p.t.Fatalf("the adapter ended; want %s", event)
			}
			var got map[string]any
			if err := json.Unmarshal([]byte(text), &got); err != nil {
				p.t.Fatalf("%q: %v", text, err)
			}
			if got["event"] == "waiting" && event != "waiting" {
				continue
			}
			if got["event"] != event {
				p.t.Fatalf("got %s, want %s", text, event)
			}
			return got
		case <-time.After(patient):
			p.t.Fatalf("nothing said for %v; want %s", patient, event)
		}
	}
}

// wantResult waits for the last line and the exit.
func (p *process) wantResult(outcome string, code any) {
	p.t.Helper()
	got := p.want("result")
	if got["outcome"] != outcome || got["code"] != code {
		p.t.Errorf("result %v, want %s with code %v", got, outcome, code)
	}
	p.wantExit()
}

func (p *process) wantExit() {
	p.t.Helper()
	if text, ok := <-p.lines; ok {
		p.t.Errorf("said %s, want nothing more", text)
	}
	if err := p.cmd.Wait(); err != nil {
		p.t.Errorf("%v, want exit code 0", err)
	}
}

// listen opens a listener for a server that the test plays.
func listen(t *testing.T) (l *net.TCPListener, addr string) {
	t.Helper()
	l, err := net.ListenTCP("tcp", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return l, l.Addr().String()
}

// peer is the server's end of a connection.
type peer struct {
	t      *testing.T
	nc     net.Conn
	frames *wire.Reader
}

// accept waits for a connection and its ACQUIRE.
func accept(t *testing.T, l net.Listener) *peer {
	t.Helper()
	nc, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = nc.Close() })
	p := &peer{t: t, nc: nc, frames: wire.NewReader(nc)}
	if f := p.want(wire.TypeAcquire); f.Acquire != (wire.Acquire{Version: 1, LeaseMS: uint32(lease.Milliseconds()), Name: "x"}) {
		t.Errorf("got %v", f)
	}
	return p
}

func (p *peer) send(frames ...wire.Frame) {
	p.t.Helper()
	var b []byte
	for _, f := range frames {
		b = wire.Append(b, f)
	}
	if _, err := p.nc.Write(b); err != nil {
		p.t.Error(err)
	}
}

func (p *peer) want(t wire.Type) wire.Frame {
	p.t.Helper()
	_ = p.nc.SetReadDeadline(time.Now().Add(patient))
	f, err := p.frames.ReadClient()
	if err != nil || f.Type != t {
		p.t.Fatalf("got %v and %v, want %v", f, err, t)
	}
	return f
}

// wantClosed waits for the client's close, with nothing but heartbeats before it.
func (p *peer) wantClosed() {
	p.t.Helper()
	_ = p.nc.SetReadDeadline(time.Now().Add(patient))
	rest, err := io.ReadAll(p.nc)
	if err != nil && !strings.Contains(err.Error(), "reset") || strings.Trim(string(rest), "\x02") != "" {
		p.t.Errorf("got %x and %v, want the close", rest, err)
	}
	_ = p.nc.Close()
}
