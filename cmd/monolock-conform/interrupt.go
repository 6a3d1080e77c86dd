package main

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"
)

// errInterrupted is the cause of a run that the user ended.
var errInterrupted = errors.New("interrupted")

// interruptible returns a context that SIGINT and SIGTERM end, so that what ran is
// still reported. A second signal ends the program at once; the servers that
// it started end with it.
func interruptible(parent context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(parent)
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	done := make(chan struct{})
	go func() {
		for count := 0; ; count++ {
			select {
			case <-done:
				return
			case <-signals:
				if count > 0 {
					os.Exit(exitInterrupted)
				}
				cancel(errInterrupted)
			}
		}
	}()
	return ctx, func() {
		signal.Stop(signals)
		close(done)
		cancel(nil)
	}
}
