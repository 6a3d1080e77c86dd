package subject

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync/atomic"
	"syscall"
	"time"
)

// LocalProcess is a server process of this machine; [Command] makes them.
// It is a [Process].
type LocalProcess struct {
	command  Command
	args     []string
	values   map[string]string
	reserved []reservation
	output   tail
	present  atomic.Pointer[processRun] // nil only before the first start
	ended    bool                       // the present run's group is gone
	closed   bool
}

var (
	_ Process  = (*LocalProcess)(nil)
	_ Launcher = Command{}
)

// processRun is one run of the process, with what it writes.
type processRun struct {
	*group
	capture *capture
}

// Target returns the address, "127.0.0.1:PORT".
func (p *LocalProcess) Target() string { return p.values[Listen] }

// Value returns what stands for a placeholder in this instance, such as the
// address for "ops", and "" for one without a value.
func (p *LocalProcess) Value(placeholder string) string { return p.values[placeholder] }

// Pid returns the process ID of the present or last run.
func (p *LocalProcess) Pid() int { return p.present.Load().pid() }

// Dial connects to the server.
func (p *LocalProcess) Dial(ctx context.Context) (Conn, error) {
	if p.command.Dial != nil {
		return p.command.Dial(ctx, p.Target())
	}
	return Address(p.Target()).Dial(ctx)
}

// Terminate sends SIGTERM to the server, and not to what it started.
// A server that has exited is an error.
func (p *LocalProcess) Terminate() error { return p.signal("SIGTERM", syscall.SIGTERM) }

// Kill sends SIGKILL to the server, and not to what it started: the sockets
// that a child inherited stay open, as they would in production.
// A server that has exited is an error.
func (p *LocalProcess) Kill() error { return p.signal("SIGKILL", syscall.SIGKILL) }

func (p *LocalProcess) signal(name string, sig os.Signal) error {
	return p.whileRunning(name, func(r *processRun) error { return r.cmd.Process.Signal(sig) })
}

// Pause stops all threads of the server and of what it started (SIGSTOP), and
// returns when the server's own stand, at most 2 s later. On systems without
// /proc it returns once the signal is sent; Windows has none.
func (p *LocalProcess) Pause() error {
	return p.whileRunning("SIGSTOP", func(r *processRun) error { return pauseGroup(r.cmd) })
}

// Continue lets them go on (SIGCONT) and returns at once.
func (p *LocalProcess) Continue() error {
	return p.whileRunning("SIGCONT", func(r *processRun) error { return continueGroup(r.cmd) })
}

// OpenFiles counts the server's open descriptors.
// Errors: errors.ErrUnsupported anywhere but on Linux.
func (p *LocalProcess) OpenFiles() (count int, err error) {
	err = p.whileRunning("counting open files", func(r *processRun) error {
		count, err = openFiles(r.pid())
		return err
	})
	return count, err
}

// LimitFiles sets the soft limit of the server's open descriptors, at most its
// hard limit, which stays. Those open already stay open.
// Errors: errors.ErrUnsupported anywhere but on Linux.
func (p *LocalProcess) LimitFiles(limit int) error {
	return p.whileRunning("limiting open files", func(r *processRun) error { return limitFiles(r.pid(), limit) })
}

// whileRunning does something to the present run, if it has not exited.
func (p *LocalProcess) whileRunning(what string, do func(*processRun) error) error {
	r := p.present.Load()
	if r.hasExited() {
		return fmt.Errorf("%s: the server %s does not run (%v): start it first", what, p.Target(), r.status)
	}
	if err := do(r); err != nil {
		return fmt.Errorf("%s: the server %s (process %d): %w", what, p.Target(), r.pid(), err)
	}
	return nil
}

// Exited is closed when the present run of the server has ended, whatever it
// started may live on.
func (p *LocalProcess) Exited() <-chan struct{} { return p.present.Load().exited }

// Exit returns "exit code 0" or "killed by SIGKILL", and "" while it runs.
func (p *LocalProcess) Exit() string {
	r := p.present.Load()
	if !r.hasExited() {
		return ""
	}
	return r.status.String()
}

// Output is the tail of standard output and standard error of all runs, 64 KiB,
// unescaped.
func (p *LocalProcess) Output() string { return p.output.String() }

// Start starts the server again on the same addresses. What the last run left
// behind is killed first. It blocks for at most the start timeout; a run that
// does not become ready is ended.
// Errors: a server that still runs, *StartError, and ctx's.
func (p *LocalProcess) Start(ctx context.Context) error {
	switch {
	case p.closed:
		return errors.New("the instance is closed: launch another")
	case !p.present.Load().hasExited():
		return fmt.Errorf("the server %s still runs: stop it and wait for Exited first", p.Target())
	}
	return p.start(ctx)
}

// start begins a run and waits until it is ready.
func (p *LocalProcess) start(ctx context.Context) error {
	if err := p.endRun(); err != nil {
		return err
	}
	begun := time.Now()
	r, err := p.newRun()
	if err != nil {
		return &StartError{Args: p.args, Err: err}
	}
	p.ended = false
	p.present.Store(r)
	if seen := p.awaitReady(ctx, r); seen != nil {
		return errors.Join(p.startError(ctx, r, begun, seen), p.endRun())
	}
	return nil
}

// newRun starts the process.
func (p *LocalProcess) newRun() (*processRun, error) {
	c, w, err := startCapture(&p.output)
	if err != nil {
		return nil, err
	}
	defer w.Close() // the process has its own
	g, err := startGroup(command{args: p.args, env: p.command.Env, output: w})
	if err != nil {
		w.Close()
		return nil, errors.Join(err, c.close())
	}
	return &processRun{group: g, capture: c}, nil
}

// endRun kills the present run's group, if that is not done, and waits.
func (p *LocalProcess) endRun() error {
	r := p.present.Load()
	if r == nil || p.ended {
		return nil
	}
	p.ended = true
	return errors.Join(r.end(), r.capture.close())
}

// Close kills the server and all that it started, except what left its process
// group, and waits for that, at most 10 s. Closing again does nothing.
func (p *LocalProcess) Close() error {
	if p.closed {
		return nil
	}
	p.closed = true
	defer p.releaseAddresses()
	return p.endRun()
}

func (p *LocalProcess) releaseAddresses() {
	for _, r := range p.reserved {
		r.release()
	}
	p.reserved = nil
}
