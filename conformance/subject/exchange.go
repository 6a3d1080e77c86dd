package subject

import (
	"context"
	"errors"
	"io"
	"os"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

// exchange is a connection on which frames are asked and answered in turn.
type exchange struct {
	ctx    context.Context
	target string
	conn   Conn
	seen   *witness
	frames *wire.Reader
	stop   func()
}

// open dials s, at most dialLimit, and ties the connection to ctx.
func open(ctx context.Context, s Server) (*exchange, error) {
	dialCtx, cancel := context.WithTimeout(ctx, dialLimit)
	defer cancel()
	begun := time.Now()
	conn, err := s.Dial(dialCtx)
	if err != nil {
		if cancelled(ctx) {
			return nil, context.Cause(ctx)
		}
		return nil, dialError(s.Target(), time.Since(begun), err)
	}
	seen := &witness{r: conn}
	return &exchange{
		ctx: ctx, target: s.Target(), conn: conn, seen: seen,
		frames: wire.NewReader(seen), stop: interruptOn(ctx, conn),
	}, nil
}

// ask sends one frame and reads one, at most answerLimit. Its errors are
// *NoAnswerError and ctx's.
func (x *exchange) ask(request wire.Frame) (Answer, error) {
	x.seen.forget()
	begun := time.Now()
	if err := x.setDeadline(begun.Add(answerLimit)); err != nil {
		return Answer{}, err
	}
	_, writeErr := x.conn.Write(wire.Bytes(request))
	frame, err := x.frames.ReadServer() // also after a failed write: the peer may have said why
	took := time.Since(begun)
	if err == nil {
		return Answer{Frame: frame, RoundTrip: took}, nil
	}
	if cancelled(x.ctx) {
		return Answer{}, context.Cause(x.ctx)
	}
	return Answer{}, x.noAnswer(request, took, err, writeErr)
}

// setDeadline sets the connection's deadline, and keeps it past where ctx has
// ended in between.
func (x *exchange) setDeadline(t time.Time) error {
	if limit, ok := x.ctx.Deadline(); ok && limit.Before(t) {
		t = limit
	}
	if err := x.conn.SetDeadline(t); err != nil {
		return err
	}
	if cancelled(x.ctx) {
		return context.Cause(x.ctx)
	}
	return nil
}

// noAnswer turns what came instead of a frame into an error.
func (x *exchange) noAnswer(request wire.Frame, took time.Duration, readErr, writeErr error) error {
	e := &NoAnswerError{Target: x.target, To: request.Type.String(), Waited: took, Err: readErr}
	if _, unknown := errors.AsType[*wire.UnknownTypeError](readErr); unknown {
		x.readMore()
	}
	e.Seen = x.seen.bytes()
	timedOut := errors.Is(readErr, os.ErrDeadlineExceeded)
	switch {
	case len(e.Seen) > 0:
		e.Kind = Foreign
	case timedOut:
		e.Kind = Mute
	default:
		e.Kind = Slammed
		e.Err = errors.Join(readErr, writeErr)
	}
	return e
}

// moreTime is how long the rest of a foreign answer is waited for: it comes in
// the segment of its first byte, or soon after.
const moreTime = 250 * time.Millisecond

// readMore reads what follows a foreign byte, for the message.
func (x *exchange) readMore() {
	if x.conn.SetReadDeadline(time.Now().Add(moreTime)) != nil {
		return
	}
	for !x.seen.full() {
		var buf [seenKept]byte
		if _, err := x.seen.Read(buf[:]); err != nil {
			return
		}
	}
}

func (x *exchange) close() {
	x.stop()
	x.conn.Close()
}

// cancelled reports whether ctx was cancelled, not merely over its deadline: a
// short deadline makes a silent target mute.
func cancelled(ctx context.Context) bool { return errors.Is(ctx.Err(), context.Canceled) }

// interruptOn ends blocking calls on conn when ctx ends; the function that it
// returns ends that and waits for it.
func interruptOn(ctx context.Context, conn Conn) (stop func()) {
	done := make(chan struct{})
	detach := context.AfterFunc(ctx, func() {
		defer close(done)
		conn.SetDeadline(time.Unix(1, 0)) // the connection may be closed already
	})
	return func() {
		if !detach() {
			<-done
		}
	}
}

// seenKept is how much of an answer is kept for a message, in bytes.
const seenKept = 64

// witness passes on what is read, and keeps the first bytes.
type witness struct {
	r    io.Reader
	kept []byte
}

func (w *witness) Read(p []byte) (int, error) {
	n, err := w.r.Read(p)
	w.kept = append(w.kept, p[:min(n, seenKept-len(w.kept))]...)
	return n, err
}

func (w *witness) bytes() []byte { return append([]byte(nil), w.kept...) }
func (w *witness) full() bool    { return len(w.kept) == seenKept }
func (w *witness) forget()       { w.kept = w.kept[:0] }
