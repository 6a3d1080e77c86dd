// Command monolock-conform judges monolock servers and clients. Run it with --help.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
)

func main() {
	ctx, stop := interruptible(context.Background())
	code := run(ctx, os.Args[1:], console{out: os.Stdout, err: os.Stderr, getenv: os.Getenv})
	stop()
	os.Exit(code)
}

// console is where a command writes, and what it knows of its surroundings.
type console struct {
	out, err io.Writer
	getenv   func(string) string
}

// The exit codes (DESIGN: "The command line").
const (
	exitConformant    = 0
	exitNotConformant = 1
	exitUsage         = 2
	exitUndecided     = 3
	exitInterrupted   = 130
)

// exitError ends the command with a code. An empty message was said already.
type exitError struct {
	code int
	err  error
}

func (e *exitError) Error() string { return e.err.Error() }
func (e *exitError) Unwrap() error { return e.err }

// usage is an error of the user's: exit 2.
func usage(format string, args ...any) error {
	return &exitError{exitUsage, fmt.Errorf(format, args...)}
}

// undecided is an error of the subject's or the harness's: exit 3.
func undecided(err error) error { return &exitError{exitUndecided, err} }

// errSaid marks an exit whose reason the report has said.
var errSaid = errors.New("said already")

// run runs the command line and returns the exit code.
func run(ctx context.Context, args []string, c console) int {
	root := newRoot(c)
	root.SetArgs(args)
	root.SetOut(c.out)
	root.SetErr(c.err)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return exitConformant
	}
	if !errors.Is(err, errSaid) {
		fmt.Fprintf(c.err, "monolock-conform: %v\n", err)
	}
	var exit *exitError
	if errors.As(err, &exit) {
		return exit.code
	}
	return exitUsage // cobra's own: unknown commands, flags and arguments
}
