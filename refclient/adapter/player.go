package adapter

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/monolock-dev/monolock-conform/refclient"
)

// player is one adapter process that runs.
type player struct {
	env      Env
	settings settings
	sockets  *sockets
	out      *output
	words    words
	killed   <-chan struct{}

	caller    context.Context // of the client's call
	cancel    context.CancelCauseFunc
	exiting   chan struct{} // closed: the process ends, and nothing is said any more
	exit      func()        // closes it, once
	inputDone chan struct{} // closed: input has ended
}

var errCancelled = fmt.Errorf("cancelled by a word: %w", context.Canceled)

func newPlayer(ctx context.Context, env Env, s settings, sockets *sockets) *player {
	p := &player{
		env: env, settings: s, sockets: sockets, out: newOutput(env.Stdout), killed: ctx.Done(),
		exiting: make(chan struct{}), inputDone: make(chan struct{}),
	}
	p.caller, p.cancel = context.WithCancelCause(context.WithoutCancel(ctx))
	p.exit = sync.OnceFunc(func() { close(p.exiting) })
	return p
}

// play says hello, calls the client and says how that ended. It returns the
// exit code when nothing runs any more.
func (p *player) play(client Client) int {
	p.say(line{
		Event: "hello", Client: "monolock-refclient", Version: refclient.Version,
		Language: strings.Replace(runtime.Version(), "go", "Go ", 1),
	})
	go p.readWords()
	returned := make(chan error, 1)
	go func() { returned <- p.call(client) }()

	code := exitOK
	select {
	case err := <-returned:
		p.say(p.resultOf(err))
	case <-p.inputDone:
		p.die(returned)
	case <-p.killed:
		p.die(returned)
		code = exitKilled
	}
	p.exit()
	p.sockets.close()
	p.cancel(errExit)
	p.out.close()
	p.endInput()
	return code
}

func (p *player) call(client Client) error {
	do := client.Do
	if p.settings.retry {
		do = client.DoRetry
	}
	return do(p.caller, p.settings.name, p.settings.lease, p.work)
}

// die ends the client as the end of a process would.
func (p *player) die(returned <-chan error) {
	p.exit()
	p.sockets.close()
	p.cancel(errExit)
	limit := time.NewTimer(exitLimit)
	defer limit.Stop()
	select {
	case <-returned:
	case <-limit.C:
		fmt.Fprintln(p.env.Stderr, "the client did not return when its connections were closed")
	}
}

// say says l, unless the process ends.
func (p *player) say(l line) {
	select {
	case <-p.exiting:
	default:
		p.out.say(l)
	}
}

func (p *player) waiting() { p.say(line{Event: "waiting"}) }

var errWork = errors.New("the work ended with an error of its own, as it was told to")

// work is what the lock guards: it says what happens to it, and returns at a
// word. A loss is a signal to it and not an end.
func (p *player) work(ctx context.Context, token uint64) error {
	p.say(line{Event: "granted", Token: strconv.FormatUint(token, 10)})
	ear := p.words.listen()
	defer p.words.forget(ear)
	lost := refclient.Lost(ctx)
	for {
		select {
		case word := <-ear:
			p.say(line{Event: "finished"})
			if word == "fail" {
				return errWork
			}
			return nil
		case <-lost:
			lost = nil
			p.say(line{Event: "lost", Cause: context.Cause(ctx).Error()})
		case <-p.exiting:
			return errExit
		}
	}
}

// readWords reads standard input to its end.
func (p *player) readWords() {
	defer close(p.inputDone)
	lines := bufio.NewScanner(p.env.Stdin)
	for lines.Scan() {
		switch word := strings.TrimSpace(lines.Text()); word {
		case "release", "fail":
			p.words.deliver(word)
		case "cancel":
			p.cancel(errCancelled)
		case "":
		default:
			fmt.Fprintf(p.env.Stderr, "%q is no word of the contract\n", word)
		}
	}
}

// endInput waits for readWords to return where that can be brought about.
func (p *player) endInput() {
	if _, ok := p.env.Stdin.(io.Closer); ok {
		closeInput(p.env.Stdin)
		<-p.inputDone
	}
}
