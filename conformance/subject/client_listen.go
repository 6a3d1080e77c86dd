package subject

import (
	"bytes"
	"fmt"
	"time"
)

// lineKept bounds a line in bytes. Those of the contract are far below 1 KiB.
const lineKept = 1 << 20

// listener reads what an adapter writes on standard output. It neither reads
// nor waits itself, and is used by one goroutine; only log may be read beside.
type listener struct {
	order
	log     tail
	partial []byte // of the line that is not complete
	lines   int    // complete ones
	broken  bool   // nothing is read any more
	last    time.Time
	closed  time.Time // zero: standard output is open
}

// hear takes the next bytes, which came at the given time, and returns the
// events in them. Bytes after a Broken mean nothing.
func (l *listener) hear(at time.Time, output []byte) []ClientEvent {
	var events []ClientEvent
	for len(output) > 0 && !l.broken {
		piece, rest, complete := bytes.Cut(output, []byte("\n"))
		l.partial, output = append(l.partial, piece...), rest
		switch {
		case len(l.partial) > lineKept:
			events = append(events, l.fail(at, l.lines+1, &AdapterError{What: fmt.Sprintf("wrote more than %d KiB without a newline", lineKept>>10),
				Try: "a line ends with a newline; long output belongs on standard error"}))
		case complete:
			l.lines++
			events = append(events, l.line(at, l.partial)...)
			l.partial = l.partial[:0]
		}
	}
	return events
}

// line takes a whole line and returns its event, if it is one.
func (l *listener) line(at time.Time, line []byte) []ClientEvent {
	if len(line) == 0 || line[0] != '{' {
		l.keep(line)
		return nil
	}
	ev, err := decodeEvent(line)
	if err == nil && ev == nil {
		l.keep(line)
		return nil
	}
	if err == nil {
		ev.At, ev.Line = l.stamp(at), l.lines
		err = l.take(ev)
	}
	if err != nil {
		return []ClientEvent{l.fail(at, l.lines, err)}
	}
	return []ClientEvent{*ev}
}

func (l *listener) keep(line []byte) {
	l.log.Write(append(bytes.TrimSuffix(line, []byte("\r")), '\n')) //nolint:errcheck // it cannot fail
}

// fail makes an error of the contract an event. The line is the one that
// l.partial holds; 0 where none is to blame.
func (l *listener) fail(at time.Time, line int, err *AdapterError) ClientEvent {
	if line > 0 {
		err.Line, err.Text = line, string(l.partial[:min(len(l.partial), 2*lineBytesShown)])
	}
	l.broken, l.partial = true, nil
	return ClientEvent{At: l.stamp(at), Kind: Broken, Line: line, Err: err}
}

// stamp keeps the events in the order of their stamps.
func (l *listener) stamp(at time.Time) time.Time {
	l.last = later(l.last, at)
	return l.last
}

// hangUp notes the end of standard output. The exit is due then.
func (l *listener) hangUp(at time.Time) { l.closed = at }

// awaited is what the adapter is waited for, if anything.
func (l *listener) awaited() (wait, bool) {
	if l.broken {
		return wait{}, false
	}
	if l.closed.IsZero() || !l.resultAt.IsZero() {
		return l.due()
	}
	return wait{later(l.closed, l.begun), l.limits.exit, l.noEnd}, true
}

func (l *listener) noEnd() *AdapterError {
	return &AdapterError{What: fmt.Sprintf("closed its standard output %s and did not exit within %v", l.stage(), l.limits.exit),
		Try: "it keeps its output open until it exits"}
}

// clientExit is how an adapter ended.
type clientExit struct {
	words string // "exit code 1"
	past  string // "exited with code 1"
	good  bool   // exit code 0
}

// ended takes the exit and returns the last events. An exit that was asked for,
// by the end of input or a kill, needs no result.
func (l *listener) ended(at time.Time, exit clientExit, askedFor bool) []ClientEvent {
	if len(l.partial) > 0 && l.partial[0] != '{' {
		l.keep(l.partial) // log text may end without a newline
	}
	var events []ClientEvent
	if err, line := l.exitError(exit); err != nil && !askedFor && !l.broken {
		events = append(events, l.fail(at, line, err))
	}
	return append(events, ClientEvent{At: l.stamp(at), Kind: Ended, Exit: exit.words})
}

// exitError says what is wrong with an exit, and which line was being written.
func (l *listener) exitError(exit clientExit) (err *AdapterError, line int) {
	half := len(l.partial) > 0 && l.partial[0] == '{'
	switch stage := l.stage(); {
	case half:
		return &AdapterError{What: exit.past + " " + stage + ", with no newline after what it wrote last,",
			Try: "each line ends with a newline and is flushed"}, l.lines + 1
	case !l.hello:
		return &AdapterError{What: exit.past + " " + stage, Try: "hello is its first line, and it stays in the foreground until its result"}, 0
	case l.resultAt.IsZero():
		return &AdapterError{What: exit.past + " " + stage, Try: "it writes a result, whatever its client's call came to"}, 0
	case !exit.good:
		return &AdapterError{What: exit.past + " " + stage, Try: "the exit code is 0, whatever the outcome"}, 0
	}
	return nil, 0
}
