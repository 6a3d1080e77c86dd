package subject

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync/atomic"
)

// Running is a server that runs as goroutines of this program, in the manner
// of [net/http.Server].
type Running interface {
	// Serve accepts connections on l until Shutdown, Close or an error of l.
	Serve(l net.Listener) error
	// Shutdown is the controlled stop; it returns when that is done or ctx ends.
	Shutdown(ctx context.Context) error
	// Close ends everything at once and may be called at any time, also twice.
	Close() error
}

// InProcess is a [Launcher] of servers in this program: over an in-memory
// network in virtual time, or over TCP with [ListenLoopback].
type InProcess struct {
	// Listen listens on addr, or for "" on a fresh address.
	Listen func(addr string) (net.Listener, error)
	// Dial connects to an address of Listen; nil: plain TCP.
	Dial func(ctx context.Context, addr string) (Conn, error)
	// New makes the server of one run.
	New func() Running
	// LockPrefix begins the name that readiness asks for; "": DefaultLockPrefix.
	LockPrefix string
	// ListenOnly takes the listener for readiness and sends nothing: for a
	// defect that would not answer, or that counts connections.
	ListenOnly bool
}

var _ Launcher = InProcess{}

// Launch starts a server on a fresh address and returns when it answers an
// ACQUIRE, within 5 s. Nothing is left running after an error.
func (s InProcess) Launch(ctx context.Context) (Instance, error) {
	i := &localInstance{server: s}
	if err := i.start(ctx); err != nil {
		return nil, errors.Join(err, i.Close())
	}
	return i, nil
}

// localInstance is a server in this program. No lock is held anywhere: each
// run's state belongs to its own goroutine.
type localInstance struct {
	server  InProcess
	addr    string
	present atomic.Pointer[life] // nil only before the first start
	closed  bool
}

// Target returns the address.
func (i *localInstance) Target() string { return i.addr }

// Dial connects to the server.
func (i *localInstance) Dial(ctx context.Context) (Conn, error) {
	if i.server.Dial != nil {
		return i.server.Dial(ctx, i.addr)
	}
	return Address(i.addr).Dial(ctx)
}

// Terminate calls Shutdown on a goroutine of the run. The run has ended when
// Shutdown and Serve have returned.
func (i *localInstance) Terminate() error {
	return i.request("Terminate", func(l *life) chan<- struct{} { return l.terminate })
}

// Kill calls Close on a goroutine of the run.
func (i *localInstance) Kill() error {
	return i.request("Kill", func(l *life) chan<- struct{} { return l.kill })
}

func (i *localInstance) request(what string, of func(*life) chan<- struct{}) error {
	l := i.present.Load()
	if l.hasExited() {
		return fmt.Errorf("%s: the server %s does not run (%s): start it first", what, i.addr, l.exit)
	}
	select {
	case of(l) <- struct{}{}:
	default: // asked for already
	}
	return nil
}

// Exited is closed when the present run has ended.
func (i *localInstance) Exited() <-chan struct{} { return i.present.Load().exited }

// Exit returns "exit code 0" after a controlled stop, "killed" after Kill,
// "panic: …" after one in Serve, Shutdown or Close, and "exit code 1: …" after
// any other error. It is "" while the server runs.
func (i *localInstance) Exit() string {
	l := i.present.Load()
	if !l.hasExited() {
		return ""
	}
	return l.exit
}

// Output is "": such a server writes nothing of its own.
func (i *localInstance) Output() string { return "" }

// Start starts a new server on the same address. It blocks until that answers,
// at most 5 s; a run that does not is ended.
func (i *localInstance) Start(ctx context.Context) error {
	switch {
	case i.closed:
		return errors.New("the instance is closed: launch another")
	case !i.present.Load().hasExited():
		return fmt.Errorf("the server %s still runs: stop it and wait for Exited first", i.addr)
	}
	return i.start(ctx)
}

func (i *localInstance) start(ctx context.Context) error {
	if err := i.endRun(); err != nil {
		return err
	}
	listener, err := i.server.Listen(i.addr)
	if err != nil {
		return fmt.Errorf("the server cannot listen: %w", err)
	}
	i.addr = listener.Addr().String()
	l := startLife(i.server.New(), listener)
	i.present.Store(l)
	if i.server.ListenOnly {
		return nil
	}
	if _, err := askOnce(ctx, i, freshLock(i.server.LockPrefix)); err != nil {
		return i.notReady(l, err)
	}
	return nil
}

// notReady ends a run that did not answer.
func (i *localInstance) notReady(l *life, seen error) error {
	if l.hasExited() {
		seen = fmt.Errorf("it ended before it answered (%s): %w", l.exit, seen)
	}
	return errors.Join(fmt.Errorf("the server in this program is not ready: %w", seen), i.endRun())
}

func (i *localInstance) endRun() error {
	if l := i.present.Load(); l != nil {
		return l.end()
	}
	return nil
}

// Close ends the server as Kill does and waits until Serve, Shutdown and Close
// have returned, at most 5 s. Closing again does nothing.
func (i *localInstance) Close() error {
	if i.closed {
		return nil
	}
	i.closed = true
	return i.endRun()
}
