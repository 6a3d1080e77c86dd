package adapter

import (
	"bufio"
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"io"
	"net"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/monolock-dev/monolock-conform/conformance/memnet"
	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const lease = 4 * time.Second

// process is an adapter that runs as a goroutine in virtual time, and the
// server that a test plays for it.
type process struct {
	t      *testing.T
	l      *memnet.Listener
	begun  time.Time
	stdin  *io.PipeWriter
	lines  chan string
	stderr bytes.Buffer
	kill   context.CancelFunc
	exited chan int
}

// run starts an adapter in a bubble and leads it through f. env overrides.
func run(t *testing.T, env map[string]string, f func(p *process)) {
	synctest.Test(t, func(t *testing.T) {
		network := memnet.New()
		l, err := network.Listen("")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		in, stdin := io.Pipe()
		stdout, out := io.Pipe()
		ctx, kill := context.WithCancel(t.Context())
		defer kill()
		p := &process{
			t: t, l: l, begun: time.Now(), stdin: stdin, kill: kill,
			lines: make(chan string, 100), exited: make(chan int, 1),
		}
		go p.read(stdout)
		vars := map[string]string{
			"MONOLOCK_CONTRACT": "1", "MONOLOCK_ADDR": l.Addr().String(), "MONOLOCK_NAME_HEX": hex.EncodeToString([]byte("x")),
			"MONOLOCK_LEASE_MS": "4000", "MONOLOCK_MODE": "once",
		}
		for k, v := range env {
			vars[k] = v
		}
		go func() {
			p.exited <- Run(ctx, Env{
				Getenv: func(key string) string { return vars[key] },
				Stdin:  in, Stdout: out, Stderr: &p.stderr,
				Dial: func(ctx context.Context, addr string) (net.Conn, error) { return network.Dial(ctx, addr) },
			}, Standard)
			_ = out.Close()
		}()
		f(p)
	})
}

func (p *process) read(r io.Reader) {
	defer close(p.lines)
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		p.lines <- lines.Text()
	}
}

// say writes a word.
func (p *process) say(word string) {
	p.t.Helper()
	if _, err := io.WriteString(p.stdin, word+"\n"); err != nil {
		p.t.Errorf("%s: %v", word, err)
	}
}

// want waits for the next line and compares it, fields of no interest left out.
func (p *process) want(why string, fields map[string]any) {
	p.t.Helper()
	text, ok := <-p.lines
	if !ok {
		p.t.Fatalf("%s: no more lines, want %v", why, fields)
	}
	var got map[string]any
	if err := json.Unmarshal([]byte(text), &got); err != nil {
		p.t.Fatalf("%s: %q: %v", why, text, err)
	}
	for k, v := range fields {
		if got[k] != v {
			p.t.Errorf("%s: got %s, want %s %v", why, text, k, v)
		}
	}
}

func (p *process) wantEvent(why, event string) {
	p.t.Helper()
	p.want(why, map[string]any{"event": event})
}

func (p *process) wantResult(outcome string, code any) {
	p.t.Helper()
	p.want("the last line", map[string]any{"event": "result", "outcome": outcome, "code": code})
	p.wantExit(0)
}

// wantExit waits for the end, with nothing said before it.
func (p *process) wantExit(want int) {
	p.t.Helper()
	if text, ok := <-p.lines; ok {
		p.t.Errorf("said %s, want nothing more", text)
	}
	if code := <-p.exited; code != want {
		p.t.Errorf("exit code %d, want %d; it said %s", code, want, &p.stderr)
	}
}

// wantIdle says that nothing is said and nothing ended.
func (p *process) wantIdle(why string) {
	p.t.Helper()
	synctest.Wait()
	select {
	case text, ok := <-p.lines:
		p.t.Errorf("%s: %s (%t), want nothing", why, text, ok)
	default:
	}
}

func (p *process) wantAt(why string, want time.Duration) {
	p.t.Helper()
	if got := time.Since(p.begun); got != want {
		p.t.Errorf("%s: after %v, want %v", why, got, want)
	}
}

// accept waits for a connection and its ACQUIRE.
func (p *process) accept() net.Conn {
	p.t.Helper()
	nc, err := p.l.Accept()
	if err != nil {
		p.t.Fatal(err)
	}
	if f, err := wire.NewReader(nc).ReadClient(); err != nil || f.Type != wire.TypeAcquire {
		p.t.Errorf("got %v and %v, want ACQUIRE", f, err)
	}
	return nc
}

func (p *process) send(nc net.Conn, frames ...wire.Frame) {
	p.t.Helper()
	var b []byte
	for _, f := range frames {
		b = wire.Append(b, f)
	}
	if _, err := nc.Write(b); err != nil {
		p.t.Error(err)
	}
}

// wantClosed waits for the client's close.
func (p *process) wantClosed(nc net.Conn) {
	p.t.Helper()
	_, _ = io.Copy(io.Discard, nc) // a FIN, or a reset where an answer was not read
	_ = nc.Close()
}
