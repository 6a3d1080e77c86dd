package subject

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// AdapterMain is an adapter as a function: what its main would do with its
// environment and its standard streams, and the exit code. Several run at once.
//
// The end of ctx stands for the death of the process: everything ends there
// and then, as it does at a kill, and what is written no longer counts.
// The end of stdin asks for the exit, as ever.
type AdapterMain func(ctx context.Context, getenv func(string) string, stdin io.Reader, stdout, stderr io.Writer) int

// InProcessClient is a client whose adapter is a goroutine of this program: for
// virtual time, and for the Go author's own `go test`. No pipe of the system is
// involved: a claim that is started in a [testing/synctest] bubble lives in it.
type InProcessClient struct {
	Run          AdapterMain
	Name         string        // for people; "": "the adapter in this program"
	StartTimeout time.Duration // until hello; 0: DefaultStartTimeout
	Unlimited    bool          // no time limit of the contract holds: for a person at a debugger

	limits clientLimits // tests shorten them
}

var _ Client = InProcessClient{}

// Target returns the name.
func (c InProcessClient) Target() string { return cmp.Or(c.Name, "in this program") }

// Start starts the adapter. Its context has the values of ctx and neither its
// end nor its deadline.
func (c InProcessClient) Start(ctx context.Context, claim Claim) (RunningClaim, error) {
	if err := errors.Join(context.Cause(ctx), claim.check()); err != nil {
		return nil, err
	}
	limits := c.limits
	limits.start = cmp.Or(c.StartTimeout, limits.start)
	if c.Unlimited {
		limits = clientLimits{start: unlimited, word: unlimited, result: unlimited, exit: unlimited, end: limits.end}
	}
	r := newClaimRun(c.Target(), claim.mode(), limits)
	a := &adapterGoroutine{run: r, stdin: newWordInput(), ended: make(chan struct{})}
	ctx, a.cancel = context.WithCancel(context.WithoutCancel(ctx))
	r.body = a
	go a.live(ctx, c.Run, claimGetenv(claim))
	go r.own()
	return r, nil
}

// claimGetenv is os.Getenv of the contract's variables alone.
func claimGetenv(c Claim) func(string) string {
	values := map[string]string{}
	for _, variable := range c.Env() {
		name, value, _ := strings.Cut(variable, "=")
		values[name] = value
	}
	return func(name string) string { return values[name] }
}

// adapterGoroutine is an adapter that runs in this program. It is an
// adapterBody, and what the adapter writes its standard output to.
type adapterGoroutine struct {
	run    *claimRun
	cancel context.CancelFunc
	stdin  *wordInput
	errors tail
	killed atomic.Bool
	ended  chan struct{} // closed when Run has returned
	status clientExit    // valid then
}

// live runs the adapter.
func (a *adapterGoroutine) live(ctx context.Context, run AdapterMain, getenv func(string) string) {
	defer close(a.run.hungUp)
	defer close(a.ended)
	defer a.cancel()
	defer a.stdin.close() // nobody reads it any more
	a.status = clientExit{words: "ended by runtime.Goexit", past: "ended by runtime.Goexit"}
	defer func() {
		if p := recover(); p != nil {
			fmt.Fprintf(&a.errors, "panic: %v\n\n%s", p, debug.Stack())
			what := printable(fmt.Sprint(p))
			a.status = clientExit{words: "panic: " + what, past: "panicked (" + what + ")"}
		}
	}()
	code := run(ctx, getenv, a.stdin, a, &a.errors)
	a.status = codeExit(code)
	if a.killed.Load() {
		a.status = clientExit{words: "killed", past: "was killed"}
	}
}

func codeExit(code int) clientExit {
	words := "exit code " + strconv.Itoa(code)
	return clientExit{words: words, past: "exited with code " + strconv.Itoa(code), good: code == 0}
}

// Write is standard output. It returns when the bytes have been read.
// The dead write nothing: io.ErrClosedPipe.
func (a *adapterGoroutine) Write(p []byte) (int, error) {
	if a.killed.Load() || !a.run.hear(heard{time.Now(), append([]byte(nil), p...)}) {
		return 0, io.ErrClosedPipe
	}
	return len(p), nil
}

func (a *adapterGoroutine) write(word []byte) error {
	_, err := a.stdin.Write(word)
	return err
}

func (a *adapterGoroutine) endInput() error {
	a.stdin.close()
	return nil
}

func (a *adapterGoroutine) kill() error {
	a.killed.Store(true)
	a.cancel()
	a.stdin.close()
	return nil
}

func (a *adapterGoroutine) pause() error                 { return errors.ErrUnsupported }
func (a *adapterGoroutine) resume() error                { return errors.ErrUnsupported }
func (a *adapterGoroutine) waits() map[int]time.Duration { return nil }

func (a *adapterGoroutine) exited() <-chan struct{} { return a.ended }
func (a *adapterGoroutine) exit() clientExit        { return a.status }
func (a *adapterGoroutine) stderr() string          { return a.errors.String() }

// end kills the adapter and waits for its return, at most killLimit.
func (a *adapterGoroutine) end() error {
	a.kill() //nolint:errcheck // it cannot fail
	if !within(a.ended, killLimit) {
		return fmt.Errorf("the adapter %s did not return within %v of its context's end: its goroutines are left running",
			a.run.target, killLimit)
	}
	return nil
}
