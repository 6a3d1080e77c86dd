package subject

import (
	"context"
	"errors"
	"net"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// tinyServer is a Running that grants everything.
type tinyServer struct {
	handle   func(net.Conn)
	shutdown func(context.Context) error // nil: like Close
	serve    func(net.Listener) error    // nil: accept
	mu       sync.Mutex
	closed   bool
	open     []interface{ Close() error }
	all      sync.WaitGroup
}

// add keeps c to be closed, or closes it where the server is closed.
func (s *tinyServer) add(c interface{ Close() error }) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		c.Close()
	}
	s.open = append(s.open, c)
}

func (s *tinyServer) Serve(l net.Listener) error {
	if s.serve != nil {
		return s.serve(l)
	}
	s.add(l)
	for {
		c, err := l.Accept()
		if err != nil {
			return err
		}
		s.add(c)
		s.all.Go(func() { defer c.Close(); s.handle(c) })
	}
}

func (s *tinyServer) Shutdown(ctx context.Context) error {
	if s.shutdown != nil {
		return s.shutdown(ctx)
	}
	return s.Close()
}

func (s *tinyServer) Close() error {
	s.mu.Lock()
	s.closed = true
	open := s.open
	s.mu.Unlock()
	for _, c := range open {
		c.Close()
	}
	s.all.Wait()
	return nil
}

// pipes is an in-memory network of one address at a time.
type pipes struct {
	accept chan net.Conn
	closed chan struct{}
	once   sync.Once
}

type pipeAddr string

func (pipeAddr) Network() string  { return "pipe" }
func (a pipeAddr) String() string { return string(a) }

func (p *pipes) Addr() net.Addr { return pipeAddr("pipe:1") }
func (p *pipes) Close() error   { p.once.Do(func() { close(p.closed) }); return nil }
func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.accept:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

// pipeConn has TCP's endings as far as needed here.
type pipeConn struct{ net.Conn }

func (c pipeConn) CloseWrite() error   { return c.Close() }
func (c pipeConn) SetLinger(int) error { return nil }

// onPipes is a launcher on the in-memory network.
func onPipes(server func() Running) InProcess {
	var present *pipes
	return InProcess{
		Listen: func(string) (net.Listener, error) {
			present = &pipes{accept: make(chan net.Conn), closed: make(chan struct{})}
			return present, nil
		},
		Dial: func(ctx context.Context, _ string) (Conn, error) {
			ours, theirs := net.Pipe()
			select {
			case present.accept <- theirs:
				return pipeConn{ours}, nil
			case <-present.closed:
				return nil, net.ErrClosed
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		},
		New: server,
	}
}

func onTCP(server func() Running) InProcess { return InProcess{Listen: ListenLoopback, New: server} }

func granting() Running { return &tinyServer{handle: answerLocks} }

func TestLifeInThisProgram(t *testing.T) {
	t.Run("tcp", func(t *testing.T) { liveThrough(t, onTCP(granting)) })
	t.Run("virtual time", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) { liveThrough(t, onPipes(granting)) })
	})
}

func liveThrough(t *testing.T, s InProcess) {
	i, err := s.Launch(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	addr := i.Target()
	if err := i.Start(t.Context()); err == nil {
		t.Error("Start of a running server succeeded")
	}
	if err := i.Terminate(); err != nil {
		t.Fatal(err)
	}
	wantExit(t, i, "exit code 0")
	if err := i.Kill(); err == nil {
		t.Error("Kill after the exit succeeded")
	}
	if err := i.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	if i.Target() != addr || i.Exit() != "" {
		t.Errorf("after Start: %s, %q", i.Target(), i.Exit())
	}
	if err := i.Kill(); err != nil {
		t.Fatal(err)
	}
	wantExit(t, i, "killed")
	if err := errors.Join(i.Start(t.Context()), i.Close(), i.Close()); err != nil {
		t.Fatal(err)
	}
	wantExit(t, i, "killed")
}

func TestEndsInThisProgram(t *testing.T) {
	broken := func(net.Listener) error { return errors.New("no memory") }
	panics := func(net.Listener) error { panic("oops") }
	for _, test := range []struct {
		name   string
		server *tinyServer
		ask    func(Instance) error
		want   string
	}{
		{"an error of Serve", &tinyServer{serve: broken}, nil, "exit code 1: Serve: no memory"},
		{"a panic in Serve", &tinyServer{serve: panics}, nil, "panic: oops (in Serve)"},
		{"an error of Shutdown", &tinyServer{shutdown: func(context.Context) error { return errors.New("busy") }},
			func(i Instance) error { return errors.Join(i.Terminate(), sleepThenKill(i, false)) }, "killed"},
		{"killed in a shutdown that never ends", &tinyServer{shutdown: untilDone},
			func(i Instance) error { return errors.Join(i.Terminate(), sleepThenKill(i, true)) }, "killed"},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := onPipes(func() Running { return test.server })
				s.ListenOnly = true
				i, err := s.Launch(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				if test.ask != nil {
					if err := test.ask(i); err != nil {
						t.Error(err)
					}
				}
				wantExit(t, i, test.want)
				if err := i.Close(); err != nil {
					t.Error(err)
				}
			})
		})
	}
}

func untilDone(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }

func sleepThenKill(i Instance, check bool) error {
	time.Sleep(time.Second)
	if check && i.Exit() != "" {
		return errors.New("it ended before Shutdown did")
	}
	return i.Kill()
}

func TestAServerThatDoesNotAnswerInThisProgram(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := onPipes(func() Running { return &tinyServer{handle: mute} })
		_, err := s.Launch(t.Context())
		if none, ok := errors.AsType[*NoAnswerError](err); !ok || none.Kind != Mute {
			t.Errorf("Launch: %v, want a mute server", err)
		}
	})
}

func TestAServerThatNeverReturns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		forever := make(chan struct{})
		s := onPipes(func() Running {
			return &tinyServer{serve: func(net.Listener) error { <-forever; return nil }}
		})
		s.ListenOnly = true
		i, err := s.Launch(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if err := i.Close(); err == nil {
			t.Error("Close waited for Serve in vain and said nothing")
		}
		close(forever)
		<-i.Exited()
	})
}
