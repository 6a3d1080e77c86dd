package subject

import (
	"context"
	"errors"
	"fmt"
	"net"
	"time"
)

// endLimit is how long a server in this program may take to return from Serve,
// Shutdown and Close.
const endLimit = 5 * time.Second

// life is one run of a server in this program. One goroutine owns it from the
// start to the exit; requests reach it over channels with room for one.
type life struct {
	server          Running
	listener        net.Listener
	terminate, kill chan struct{}
	exited          chan struct{} // closed when every call of the server has returned
	exit            string        // valid once exited is closed
}

func startLife(server Running, listener net.Listener) *life {
	l := &life{
		server: server, listener: listener,
		terminate: make(chan struct{}, 1), kill: make(chan struct{}, 1),
		exited: make(chan struct{}),
	}
	go l.own()
	return l
}

// own serves and passes requests on until every call has returned. Then it
// closes what the server may still hold, as the exit of a process would.
func (l *life) own() {
	defer close(l.exited)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var end lifeEnd
	returned, pending := make(chan error), 0
	call := func(name string, f func() error) {
		pending++
		go func() { returned <- guard(name, f) }()
	}
	call("Serve", func() error { return l.server.Serve(l.listener) })
	terminate, kill := l.terminate, l.kill
	for pending > 0 {
		select {
		case <-terminate:
			end.terminated, terminate = true, nil
			call("Shutdown", func() error { return l.server.Shutdown(ctx) })
		case <-kill:
			end.killed, terminate, kill = true, nil, nil
			cancel()
			call("Close", l.close)
		case err := <-returned:
			pending--
			end.add(err)
		}
	}
	end.add(guard("Close", l.close))
	l.exit = end.String()
}

// close closes the server, and the listener in case the server did not.
func (l *life) close() error {
	defer l.listener.Close() // closed already where all is well
	return l.server.Close()
}

func (l *life) hasExited() bool {
	select {
	case <-l.exited:
		return true
	default:
		return false
	}
}

// end kills the run and waits for its goroutines, at most endLimit.
func (l *life) end() error {
	select {
	case l.kill <- struct{}{}:
	default: // asked for already
	}
	if !within(l.exited, endLimit) {
		return fmt.Errorf("the server in this program did not return from Serve, Shutdown and Close within %v of Close: "+
			"its goroutines are left running", endLimit)
	}
	return nil
}

// callError is what a call of the server returned.
type callError struct {
	call     string
	panicked any // not nil: it panicked with this
	err      error
}

func (e *callError) Error() string {
	if e.panicked != nil {
		return fmt.Sprintf("panic: %v (in %s)", e.panicked, e.call)
	}
	return e.call + ": " + e.err.Error()
}

func (e *callError) Unwrap() error { return e.err }

// guard calls f and turns its error or panic into a *callError. Panics in
// goroutines that f starts are out of its reach.
func guard(name string, f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = &callError{call: name, panicked: r}
		}
	}()
	if err := f(); err != nil {
		return &callError{call: name, err: err}
	}
	return nil
}

// lifeEnd gathers how a run ended.
type lifeEnd struct {
	terminated, killed bool
	panicked, failed   error // the first of each
}

// add notes what a call returned. Serve's error after a request is the usual
// word on a closed server, and so is Close's second one.
func (e *lifeEnd) add(err error) {
	c, ok := errors.AsType[*callError](err)
	switch {
	case !ok:
	case c.panicked != nil && e.panicked == nil:
		e.panicked = c
	case c.call == "Close" || c.call == "Serve" && e.terminated:
	case e.failed == nil:
		e.failed = c
	}
}

// String returns the words of [Instance.Exit].
func (e *lifeEnd) String() string {
	switch {
	case e.panicked != nil:
		return e.panicked.Error()
	case e.killed:
		return "killed"
	case e.failed != nil:
		return "exit code 1: " + e.failed.Error()
	}
	return "exit code 0"
}
