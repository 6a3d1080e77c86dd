package refclient

import (
	"bufio"
	"errors"
	"io"

	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

const (
	// readBuffer is how much is read at once, in bytes: the longest frame fits.
	readBuffer = 512
	// writesWaiting is how many messages may wait for the writer. Two would
	// do: an ACQUIRE and a heartbeat, or two heartbeats around a promotion.
	writesWaiting = 64
)

// errBlocked: so many messages wait that the connection must be blocked.
var errBlocked = errors.New("writes are blocked")

// read is the permanent reader. It reads for as long as the connection lives,
// whatever is sent meanwhile, and frames, not packets.
// Source: writing a client, rules 1 and 2.
func (a *attempt) read() {
	frames := wire.NewReader(bufio.NewReaderSize(a.nc, readBuffer))
	for {
		f, err := frames.ReadServer()
		var foreign *wire.UnknownTypeError
		switch {
		case err == nil:
			a.events <- event{kind: heard, frame: f}
		case errors.As(err, &foreign):
			a.events <- event{kind: unknown, err: err}
		default:
			a.events <- event{kind: ended, err: err, why: endOf(err), last: true}
			return
		}
	}
}

// endOf tells a FIN, also one inside a frame, from a lost connection.
func endOf(err error) Occasion {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return OnFIN
	}
	return OnReset
}

// write is the writer. It is a goroutine of its own so that a write that
// blocks stops neither the reader nor the clock.
func (a *attempt) write() {
	for b := range a.writes {
		if _, err := a.nc.Write(b); err != nil {
			a.events <- event{kind: unsent, err: err, last: true}
			return
		}
	}
	a.events <- event{kind: tick, last: true}
}

// send hands b to the writer without waiting for it.
func (a *attempt) send(b []byte) {
	select {
	case a.writes <- b:
	default:
		a.step(event{kind: unsent, err: errBlocked})
	}
}
