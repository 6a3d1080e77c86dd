package refserver

import (
	"net"
	"sync"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

const (
	// outputRoom is how many bytes may wait for a client before the server
	// stops listening to it. The loop may overshoot it by what the reader
	// has already handed over.
	outputRoom = 64 << 10
	// outputKept is the largest buffer that an idle connection keeps, in bytes.
	outputKept = 1 << 10
	// farewell bounds how long the last bytes, and then the client's FIN,
	// are waited for when the server ends a session.
	farewell = time.Second
)

// output is what waits to be written to one connection. Adding to it never
// blocks. While it is not empty or there is an end to carry out, one flusher
// goroutine works it off; an idle connection has none.
type output struct {
	nc        net.Conn
	ioTimeout time.Duration
	spawn     func() // starts flush in a goroutine
	buried    func() // called once, when the connection is closed and forgotten

	mu       sync.Mutex // never held across I/O
	room     sync.Cond  // there is room again, or the connection ends
	pending  []byte
	spare    []byte // the buffer written last, for reuse
	flushing bool
	limited  bool // a write deadline is set
	end      ending
}

// ending is how far a connection has come towards its end. It only grows.
type ending uint8

const (
	open    ending = iota
	toFIN          // when all is written: FIN, then wait for the client's
	toClose        // when all is written: close
	toBury         // the reader is done: close, and nothing comes after
)

func (o *output) init(nc net.Conn, ioTimeout time.Duration, spawn, buried func()) {
	o.nc, o.ioTimeout, o.spawn, o.buried = nc, ioTimeout, spawn, buried
	o.room.L = &o.mu
}

// add appends f. Frames behind an end are dropped.
//
// A deadline costs a timer, so a write gets one only when it is seen to
// block: when more is added while it runs.
func (o *output) add(f wire.Frame) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.end != open {
		return
	}
	o.pending = wire.Append(o.pending, f)
	if o.flushing && !o.limited {
		o.limit(o.ioTimeout)
	}
	o.wake()
}

// finish moves the connection towards its end.
func (o *output) finish(to ending) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.end >= to {
		return
	}
	o.end = to
	if o.flushing || len(o.pending) > 0 {
		o.limit(farewell)
	}
	o.room.Broadcast()
	o.wake()
}

// awaitRoom blocks while too much waits for the client. The reader calls it,
// so that a client that asks and does not read is not heard.
func (o *output) awaitRoom() {
	o.mu.Lock()
	defer o.mu.Unlock()
	for len(o.pending) > outputRoom && o.end == open {
		o.room.Wait()
	}
}

// ended reports whether the server has decided to end the connection.
func (o *output) ended() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.end != open
}

// limit bounds the write that runs. Setting a deadline does not block.
func (o *output) limit(d time.Duration) {
	o.limited = true
	_ = o.nc.SetWriteDeadline(time.Now().Add(d))
}

func (o *output) wake() {
	if !o.flushing {
		o.flushing = true
		o.spawn()
	}
}

// flush works the output off and returns when nothing is left to do.
func (o *output) flush() {
	for {
		buf, end := o.take()
		switch {
		case len(buf) > 0:
			o.write(buf)
		case end == open:
			return
		default:
			o.carryOut(end)
			if !o.rest(end) {
				continue
			}
			if end == toBury {
				o.buried()
			}
			return
		}
	}
}

// take returns what is pending. With nothing pending it returns the end to
// carry out; if there is none either, the flusher is over.
func (o *output) take() ([]byte, ending) {
	o.mu.Lock()
	defer o.mu.Unlock()
	buf := o.pending
	if len(buf) > 0 {
		o.pending, o.spare = o.spare, nil
	} else if o.end == open {
		o.flushing = false
	}
	return buf, o.end
}

// write sends buf. Where that fails the connection is of no use any more: it
// is reset, which ends its reader and thereby its session.
func (o *output) write(buf []byte) {
	_, err := o.nc.Write(buf)
	if err != nil {
		reset(o.nc)
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if err != nil {
		o.pending = o.pending[:0]
	}
	if cap(buf) <= outputKept {
		o.spare = buf[:0]
	}
	if o.limited && o.end == open {
		o.limited = false
		_ = o.nc.SetWriteDeadline(time.Time{})
	}
	o.room.Broadcast()
}

// carryOut does what end asks for, with everything written.
func (o *output) carryOut(end ending) {
	if end == toFIN && closeWrite(o.nc) == nil {
		_ = o.nc.SetReadDeadline(time.Now().Add(farewell))
		return
	}
	_ = o.nc.Close()
}

// rest reports whether the flusher is over: true unless a further end was
// asked for while it carried out this one.
func (o *output) rest(done ending) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.end != done {
		return false
	}
	o.flushing = false
	return true
}

// closeWrite sends FIN and leaves the other direction open.
func closeWrite(nc net.Conn) error {
	if c, ok := nc.(interface{ CloseWrite() error }); ok {
		return c.CloseWrite()
	}
	return net.ErrClosed
}

// reset closes nc with a reset where it can, so that nothing lingers.
func reset(nc net.Conn) {
	if c, ok := nc.(interface{ SetLinger(sec int) error }); ok {
		_ = c.SetLinger(0)
	}
	_ = nc.Close()
}
