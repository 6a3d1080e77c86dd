// Package adapter puts a client under the conformance suite: it speaks the
// adapter contract, version 1, on standard input and output. It runs as a
// process (monolock-refclient) and as a goroutine with an environment of its
// own, also in virtual time: it has no globals, never exits the program and
// handles no signals.
package adapter

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"time"

	"github.com/monolock-dev/monolock-conform/refclient"
)

// Env is what a process would have around it. Run uses nothing else of the
// system but the files that the TLS variables name.
type Env struct {
	Getenv         func(key string) string
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	// Dial connects to host:port; nil: TCP. What it returns is closed at the
	// end, as a dying process closes its sockets.
	Dial func(ctx context.Context, addr string) (net.Conn, error)
}

// Client is what can be put under the suite; *refclient.Client is one. The
// context that it gives the work comes from refclient, which knows of losses
// by way of [refclient.Lost].
type Client interface {
	Do(ctx context.Context, name string, lease time.Duration, work refclient.Work) error
	DoRetry(ctx context.Context, name string, lease time.Duration, work refclient.Work) error
}

// Standard makes the reference client.
func Standard(cfg refclient.Config) Client { return refclient.New(cfg) }

// Exit codes of Run.
const (
	exitOK     = 0
	exitUsage  = 2
	exitKilled = 137 // as a shell reports SIGKILL
)

// exitLimit is how long a client has to notice that its process ends.
const exitLimit = time.Second

var errExit = errors.New("the adapter's process ends")

// Run plays one adapter process to its end: one call of the client that
// newClient makes. It returns 0 after the result and after the end of input,
// and 2 for an environment that makes no sense, with a message on Stderr. When
// ctx ends it ends as a killed process would: its connections are closed,
// nothing more is said, and it returns 137. A Stdin that is an io.Closer is
// closed at the end. Nothing is left running, but for a client that does not
// return within a second after its connections were closed.
func Run(ctx context.Context, env Env, newClient func(refclient.Config) Client) int {
	defer closeInput(env.Stdin)
	s, err := readSettings(env.Getenv)
	if err != nil {
		fmt.Fprintln(env.Stderr, err)
		return exitUsage
	}
	sockets := newSockets(env.Dial)
	dial, err := s.dialer(sockets)
	if err != nil {
		fmt.Fprintln(env.Stderr, err)
		return exitUsage
	}
	p := newPlayer(ctx, env, s, sockets)
	return p.play(newClient(refclient.Config{Dial: dial, OnWaiting: p.waiting}))
}

// closeInput ends a read of r where that is possible.
func closeInput(r io.Reader) {
	if c, ok := r.(io.Closer); ok {
		_ = c.Close()
	}
}
