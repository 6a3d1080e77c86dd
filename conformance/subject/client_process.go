package subject

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"syscall"
	"time"
)

// ProcessClient is a client whose adapter is a program: one process a claim.
// [ParseClient] makes it from --client.
//
// A process leads a process group of its own, works in this program's
// directory, and inherits its environment except the contract's variables.
// Kill reaches the process that the command starts: a script around the adapter
// ends with `exec`, so that it is the adapter.
type ProcessClient struct {
	Words        []string      // the program and its arguments
	StartTimeout time.Duration // until hello; 0: DefaultStartTimeout
	Env          []string      // "KEY=value", added to the environment

	limits clientLimits // tests shorten them
}

var _ Client = ProcessClient{}

// ParseClient reads the text of --client. It is split as a POSIX shell splits
// words; no shell runs, so nothing is expanded. The program is looked up, so
// that a wrong one is said before anything starts.
// Errors: text that cannot be split, an empty command, a program that is not
// found or cannot be run.
func ParseClient(cmd string) (ProcessClient, error) {
	words, err := splitCommand(cmd)
	if err != nil {
		return ProcessClient{}, err
	}
	if err := lookUp(words[0]); err != nil {
		return ProcessClient{}, err
	}
	return ProcessClient{Words: words}, nil
}

// Target returns the command as it would be typed.
func (p ProcessClient) Target() string { return quoteArgs(p.Words) }

// Start starts the adapter.
func (p ProcessClient) Start(ctx context.Context, c Claim) (RunningClaim, error) {
	if len(p.Words) == 0 {
		return nil, errors.New("no client command: a ProcessClient comes from ParseClient")
	}
	if err := errors.Join(context.Cause(ctx), c.check()); err != nil {
		return nil, err
	}
	limits := p.limits
	limits.start = cmp.Or(p.StartTimeout, limits.start)
	r := newClaimRun(p.Target(), c.mode(), limits)
	body, err := startAdapter(p, c, r)
	if err != nil {
		return nil, p.startError(err)
	}
	r.body = body
	go r.own()
	return r, nil
}

// startError says why the program does not run, in the words of a look-up where
// that sees it.
func (p ProcessClient) startError(err error) error {
	e := &AdapterError{Adapter: p.Target(), What: "could not be started", Try: err.Error(), Err: err}
	if missing := lookUp(p.Words[0]); missing != nil {
		e.Try = missing.Error()
	} else if errors.Is(err, syscall.ENOEXEC) {
		e.Try += ": is it a script without a #! line, or a program for another machine?"
	}
	return e
}

// adapterProcess is an adapter that runs as a process. It is an adapterBody.
type adapterProcess struct {
	*group
	stdin    *os.File // our end
	stdout   *os.File
	heard    chan struct{} // closed when the reader of stdout has ended
	errors   tail
	capture  *capture // of standard error
	endStdin func() error
}

// startAdapter starts the process; r hears its output.
func startAdapter(p ProcessClient, c Claim, r *claimRun) (*adapterProcess, error) {
	a := &adapterProcess{heard: make(chan struct{})}
	theirs, err := a.openPipes()
	if err != nil {
		return nil, errors.Join(err, a.closePipes())
	}
	defer theirs.close() // the process has its own
	env := append(append([]string{}, p.Env...), c.Env()...)
	a.group, err = startGroup(command{args: p.Words, env: env, unset: contractVariables,
		input: theirs.in, output: theirs.out, errors: theirs.err})
	if err != nil {
		theirs.close()
		return nil, errors.Join(err, a.closePipes())
	}
	go a.hear(r)
	return a, nil
}

// childEnds are the ends of the pipes that the child gets.
type childEnds struct{ in, out, err *os.File }

func (e *childEnds) close() {
	for _, f := range []*os.File{e.in, e.out, e.err} {
		if f != nil {
			f.Close() // nothing is lost here: we never wrote to them
		}
	}
	*e = childEnds{}
}

func (a *adapterProcess) openPipes() (theirs childEnds, err error) {
	defer func() {
		if err != nil {
			theirs.close()
		}
	}()
	if theirs.in, a.stdin, err = os.Pipe(); err != nil {
		return theirs, err
	}
	a.endStdin = sync.OnceValue(a.stdin.Close)
	if a.stdout, theirs.out, err = os.Pipe(); err != nil {
		return theirs, err
	}
	a.capture, theirs.err, err = startCapture(&a.errors)
	return theirs, err
}

// closePipes closes our ends and waits for the capture's goroutine.
func (a *adapterProcess) closePipes() error {
	var errs []error
	if a.stdin != nil {
		errs = append(errs, a.endStdin())
	}
	if a.stdout != nil {
		errs = append(errs, a.stdout.Close())
	}
	if a.capture != nil {
		errs = append(errs, a.capture.close())
	}
	return errors.Join(errs...)
}

// hear passes standard output on until its end. What nobody hears any more is
// read all the same, so that a descendant that writes is not held up.
func (a *adapterProcess) hear(r *claimRun) {
	defer close(a.heard)
	defer close(r.hungUp)
	buf := make([]byte, 32<<10)
	for {
		n, err := a.stdout.Read(buf)
		if n > 0 {
			r.hear(heard{time.Now(), append([]byte(nil), buf[:n]...)})
		}
		if err != nil {
			return // io.EOF, or end closed it
		}
	}
}

// wordTime bounds the write of a word: the pipe has room for thousands that
// nobody reads.
const wordTime = time.Second

func (a *adapterProcess) write(word []byte) error {
	a.stdin.SetWriteDeadline(time.Now().Add(wordTime)) //nolint:errcheck // some systems have none for pipes
	_, err := a.stdin.Write(word)
	if errors.Is(err, syscall.EPIPE) {
		return fmt.Errorf("it has closed its standard input: %w", io.ErrClosedPipe)
	}
	return err
}

func (a *adapterProcess) endInput() error              { return a.endStdin() }
func (a *adapterProcess) kill() error                  { return a.cmd.Process.Kill() }
func (a *adapterProcess) pause() error                 { return pauseGroup(a.cmd) }
func (a *adapterProcess) resume() error                { return continueGroup(a.cmd) }
func (a *adapterProcess) waits() map[int]time.Duration { return waitsOf(a.pid()) }

func (a *adapterProcess) exited() <-chan struct{} { return a.group.exited }

func (a *adapterProcess) exit() clientExit {
	s := a.status
	return clientExit{words: s.String(), past: s.past(), good: s == exitStatus{}}
}

func (a *adapterProcess) stderr() string {
	if a.hasExited() {
		a.capture.drained()
	}
	return a.errors.String()
}

// end kills the group, which ends the output as well, except what left it.
func (a *adapterProcess) end() error {
	err := a.group.end()
	within(a.heard, drainTime)
	err = errors.Join(err, a.closePipes())
	<-a.heard
	return err
}
