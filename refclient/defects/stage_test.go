package defects

import (
	"bufio"
	"cmp"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/monolock-dev/monolock-conform/conformance/memnet"
	"github.com/monolock-dev/monolock-conform/conformance/wire"
	"github.com/monolock-dev/monolock-conform/refclient"
	"github.com/monolock-dev/monolock-conform/refclient/adapter"
)

// asDefect makes the test binary the adapter of the client that it names.
const asDefect = "MONOLOCK_DEFECTS_TEST_RUN"

func TestMain(m *testing.M) {
	if id := os.Getenv(asDefect); id != "" {
		os.Exit(runAs(id))
	}
	goleak.VerifyTestMain(m)
}

// runAs is one process of a defect, or of the standard client for any other name.
func runAs(id string) int {
	make := standardClient
	if d, ok := Get(id); ok {
		make = d.New
	}
	return adapter.Run(context.Background(), adapter.Env{
		Getenv: os.Getenv, Stdin: struct{ io.Reader }{os.Stdin}, Stdout: os.Stdout, Stderr: os.Stderr,
	}, make)
}

// stage is a client's adapter in a bubble, the server that a probe plays for it,
// and the story of both.
type stage struct {
	t     *testing.T
	net   *memnet.Network
	l     *memnet.Listener
	begun time.Time
	stdin *io.PipeWriter
	peers []*peer
	late  sync.WaitGroup // answers under way

	mu    sync.Mutex
	story []string
}

// onStage plays f in virtual time with a client that make makes. env overrides
// the adapter's usual environment. The lease is 4000 ms: a quarter of it is 1000,
// four fifths are 3200.
func onStage(t *testing.T, make func(config) client, env map[string]string, f func(s *stage)) {
	synctest.Test(t, func(t *testing.T) {
		s := &stage{t: t, net: memnet.New(), begun: time.Now()}
		l, err := s.net.Listen("")
		if err != nil {
			t.Fatal(err)
		}
		s.l = l
		exited := s.start(make, env)
		f(s)
		_ = s.stdin.Close()
		if code := <-exited; code != 0 {
			t.Errorf("exit code %d, want 0", code)
		}
		s.late.Wait()
		for _, p := range s.peers {
			_ = p.nc.Close()
		}
		_ = s.l.Close()
	})
}

// start starts the adapter.
func (s *stage) start(make func(config) client, env map[string]string) <-chan int {
	vars := map[string]string{
		"MONOLOCK_CONTRACT": "1", "MONOLOCK_ADDR": s.l.Addr().String(), "MONOLOCK_NAME_HEX": "78",
		"MONOLOCK_LEASE_MS": "4000", "MONOLOCK_MODE": "once",
	}
	for k, v := range env {
		vars[k] = v
	}
	in, stdin := io.Pipe()
	stdout, out := io.Pipe()
	s.stdin = stdin
	go s.read(stdout)
	exited := chanOf[int]()
	go func() {
		code := adapter.Run(s.t.Context(), adapter.Env{
			Getenv: func(key string) string { return vars[key] },
			Stdin:  in, Stdout: out, Stderr: io.Discard,
			Dial: func(ctx context.Context, addr string) (net.Conn, error) {
				nc, err := s.net.Dial(ctx, addr)
				if err != nil {
					s.note("refused")
					return nil, err
				}
				return nc, nil
			},
		}, make)
		_ = out.Close()
		exited <- code
	}()
	return exited
}

func chanOf[T any]() chan T { return make(chan T, 1) }

// read notes what the adapter says.
func (s *stage) read(r io.Reader) {
	for lines := bufio.NewScanner(r); lines.Scan(); {
		var l struct {
			Event, Token, Outcome string
			Code                  *int
		}
		if err := json.Unmarshal(lines.Bytes(), &l); err != nil {
			s.t.Errorf("%q: %v", lines.Text(), err)
		}
		text := strings.TrimSpace(l.Event + " " + l.Token + l.Outcome)
		if l.Code != nil {
			text += fmt.Sprint(" ", *l.Code)
		}
		s.note(text)
	}
}

// note adds to the story.
func (s *stage) note(what string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.story = append(s.story, fmt.Sprintf("%d %s", time.Since(s.begun).Milliseconds(), what))
}

// told returns the part of the story that begins with these words, with its times
// in milliseconds. What happened in one instant is in the order of the alphabet.
func (s *stage) told(words ...string) string {
	synctest.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	var part []string
	for _, line := range s.story {
		_, what, _ := strings.Cut(line, " ")
		word, _, _ := strings.Cut(what, " ")
		if slices.Contains(words, word) {
			part = append(part, line)
		}
	}
	slices.SortStableFunc(part, func(a, b string) int {
		return cmp.Or(cmp.Compare(millis(a), millis(b)), cmp.Compare(a, b))
	})
	return strings.Join(part, ", ")
}

// millis is the time that a line of the story begins with.
func millis(line string) (ms int) {
	_, _ = fmt.Sscan(line, &ms)
	return ms
}

// say writes a word.
func (s *stage) say(word string) {
	synctest.Wait()
	_, _ = io.WriteString(s.stdin, word+"\n")
}

// wait lets the client be until that time since the start.
func (s *stage) until(ms int) {
	time.Sleep(time.Until(s.begun.Add(time.Duration(ms) * time.Millisecond)))
	synctest.Wait()
}

// peer is the server's end of a connection. It notes what it reads, and answers
// heartbeats where it is told to.
type peer struct {
	s  *stage
	nc *memnet.Conn

	mu     sync.Mutex
	answer []wire.Frame
	after  time.Duration
}

// accept takes the next connection, whose first message is read, within five
// seconds; nil if there is none.
func (s *stage) accept() *peer {
	synctest.Wait()
	got := make(chan net.Conn, 1)
	go func() {
		if nc, err := s.l.Accept(); err == nil {
			got <- nc
		}
	}()
	select {
	case nc := <-got:
		p := &peer{s: s, nc: nc.(*memnet.Conn)}
		s.peers = append(s.peers, p)
		go p.read()
		synctest.Wait()
		return p
	case <-time.After(5 * time.Second):
		return nil
	}
}

// open is accept and a first answer.
func (s *stage) open(frames ...wire.Frame) *peer {
	p := s.accept()
	if p == nil {
		s.t.Fatal("no connection comes")
	}
	p.send(frames...)
	return p
}

// answering makes p answer heartbeats that late from now on.
func (p *peer) answering(after time.Duration, frames ...wire.Frame) *peer {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.answer, p.after = frames, after
	return p
}

func (p *peer) read() {
	frames := wire.NewReader(p.nc)
	for {
		f, err := frames.ReadClient()
		if foreign, ok := errors.AsType[*wire.UnknownTypeError](err); ok {
			p.s.note(fmt.Sprintf("%02x", foreign.Byte))
			continue
		}
		if err != nil {
			p.s.note("closed")
			return
		}
		p.s.note(f.String())
		p.react(f)
	}
}

func (p *peer) react(f wire.Frame) {
	p.mu.Lock()
	answer, after := p.answer, p.after
	p.mu.Unlock()
	if f.Type == wire.TypeHeartbeat && len(answer) > 0 {
		p.s.late.Go(func() {
			time.Sleep(after)
			_, _ = p.nc.Write(bytesOf(answer))
		})
	}
}

// send sends frames in one segment. Where the client has closed, they are lost.
func (p *peer) send(frames ...wire.Frame) {
	p.sendBytes(bytesOf(frames)...)
}

func bytesOf(frames []wire.Frame) (b []byte) {
	for _, f := range frames {
		b = wire.Append(b, f)
	}
	return b
}

func (p *peer) sendBytes(b ...byte) {
	_, _ = p.nc.Write(b)
	synctest.Wait()
}

func (p *peer) fin()   { _ = p.nc.CloseWrite() }
func (p *peer) reset() { _ = p.nc.SetLinger(0); _ = p.nc.Close(); synctest.Wait() }

// refuse answers an ACQUIRE with a code, and closes.
func (p *peer) refuse(code wire.Code, reason string) {
	p.send(wire.ErrorFrame(code, reason))
	p.fin()
	synctest.Wait()
}

var (
	waitingFrame  = wire.WaitingFrame
	acquiredFrame = wire.AcquiredFrame(7)

	once  = map[string]string{}
	retry = map[string]string{"MONOLOCK_MODE": "retry"}
)

// named is an environment with another name, in the retrying call.
func named(name string) map[string]string {
	return map[string]string{"MONOLOCK_NAME_HEX": hex.EncodeToString([]byte(name)), "MONOLOCK_MODE": "retry"}
}

func standardClient(cfg config) client { return refclient.New(cfg) }
