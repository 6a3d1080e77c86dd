package subject

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

// Kind says how a target failed to answer.
type Kind string

// The kinds.
const (
	Unreachable Kind = "unreachable" // no such name, no route, no answer to the connection attempt
	Refused     Kind = "refused"     // nobody listens there
	Handshake   Kind = "handshake"   // dialled with TLS, and the handshake failed
	Slammed     Kind = "slammed"     // connected, then closed or reset without a byte
	Mute        Kind = "mute"        // connected, and not a byte until the deadline
	Foreign     Kind = "foreign"     // bytes that are no frame
)

// What a probe found that a target speaks.
const (
	speaksTLS  = "TLS"
	speaksHTTP = "HTTP"
)

// NoAnswerError says that a target gave no monolock frame. It is no subject:
// the run ends undecided.
type NoAnswerError struct {
	Kind   Kind
	Target string
	To     string        // the frame that was not answered; "" where nothing could be sent
	Seen   []byte        // the first bytes that came instead, at most 64
	Waited time.Duration // from the request to the end of the attempt
	Speaks string        // "TLS" or "HTTP" where a probe found that; else ""
	Err    error
}

// Unwrap returns the network's or the reader's error.
func (e *NoAnswerError) Unwrap() error { return e.Err }

// Error says what was seen and what to try. Everything foreign is escaped.
func (e *NoAnswerError) Error() string {
	return printable(e.Target) + ": " + e.saw() + ": " + e.try()
}

// saw is the half sentence of what was seen.
func (e *NoAnswerError) saw() string {
	switch e.Kind {
	case Unreachable:
		return "no connection (" + printable(e.unreached()) + ")"
	case Refused:
		return "the connection was refused"
	case Handshake:
		return "connected, but the TLS handshake failed (" + printable(cause(e.Err)) + ")"
	case Slammed:
		return "connected, but the connection was " + ending(e.Err) + " without a byte in answer to " + e.To + e.spoken()
	case Mute:
		return fmt.Sprintf("connected, but %s got no answer in %v%s", e.To, roughly(e.Waited), e.spoken())
	case Foreign:
		return "connected, but the answer to " + e.To + " was " + e.wrongBytes()
	}
	return "no answer (" + printable(cause(e.Err)) + ")"
}

func (e *NoAnswerError) unreached() string {
	if isTimeout(e.Err) {
		return fmt.Sprintf("nothing came back in %v", roughly(e.Waited))
	}
	return cause(e.Err)
}

func (e *NoAnswerError) spoken() string {
	switch e.Speaks {
	case speaksTLS:
		return ", and it takes a TLS handshake"
	case speaksHTTP:
		return ", and it answers an HTTP request"
	}
	return ""
}

func (e *NoAnswerError) wrongBytes() string {
	if cut, ok := errors.AsType[*wire.TruncatedError](e.Err); ok {
		return fmt.Sprintf("a beginning of %v, %d of %d bytes, and then %s (%s)",
			cut.Type, cut.Got, cut.Want, e.cutBy(), dump(e.Seen))
	}
	return "not a monolock frame: " + dump(e.Seen)
}

func (e *NoAnswerError) cutBy() string {
	if errors.Is(e.Err, os.ErrDeadlineExceeded) {
		return fmt.Sprintf("nothing until %v", roughly(e.Waited))
	}
	return "the connection was " + ending(e.Err)
}

// try is what to do about it.
func (e *NoAnswerError) try() string {
	switch {
	case e.Speaks == speaksTLS:
		return tryTLS
	case e.Speaks == speaksHTTP:
		return tryHTTP
	}
	switch e.Kind {
	case Unreachable:
		if _, ok := errors.AsType[*net.DNSError](e.Err); ok {
			return "is the host name spelled right?"
		}
		return "check host and port, the network and the firewalls between"
	case Refused:
		return "is the server running, and is the port right? The documented one is 7070"
	case Handshake:
		return tryHandshake(e.Err)
	case Foreign:
		return tryForeign(e.Seen)
	}
	return "is this monolock's protocol port, and is there a proxy or an access list before it?"
}

func tryHandshake(err error) string {
	if _, plain := errors.AsType[tls.RecordHeaderError](err); plain {
		return "does this port speak plaintext? Then leave the --tls flags out"
	}
	return "check --tls-ca, --tls-server-name and, for mutual TLS, --tls-cert and --tls-key"
}

// dialError is the error of a connection that did not come to stand.
func dialError(target string, waited time.Duration, err error) *NoAnswerError {
	e := &NoAnswerError{Kind: Unreachable, Target: target, Waited: waited, Err: err}
	switch {
	case isRefused(err):
		e.Kind = Refused
	case isHandshake(err):
		e.Kind = Handshake
	}
	return e
}

// wsaRefused is Windows' number for a refusal; elsewhere no error has it.
const wsaRefused = syscall.Errno(10061)

func isRefused(err error) bool {
	return errors.Is(err, syscall.ECONNREFUSED) || errors.Is(err, wsaRefused)
}

func isHandshake(err error) bool {
	_, plain := errors.AsType[tls.RecordHeaderError](err)
	_, untrusted := errors.AsType[*tls.CertificateVerificationError](err)
	return plain || untrusted || isAlert(err)
}

// isAlert reports whether err is an alert that a TLS peer sent.
func isAlert(err error) bool {
	op, ok := errors.AsType[*net.OpError](err)
	return ok && op.Op == "remote error"
}

// ending says how a connection ended.
func ending(err error) string {
	if errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE) {
		return "reset"
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return "closed"
	}
	return "lost (" + printable(cause(err)) + ")"
}

func isTimeout(err error) bool {
	return errors.Is(err, context.DeadlineExceeded) || errors.Is(err, os.ErrDeadlineExceeded)
}

// cause is the innermost word on a failed connection.
func cause(err error) string {
	if op, ok := errors.AsType[*net.OpError](err); ok && op.Err != nil && !isAlert(err) {
		return op.Err.Error()
	}
	return fmt.Sprint(err)
}

// roughly rounds a time that was waited for people.
func roughly(d time.Duration) time.Duration {
	if d < time.Second {
		return d.Round(time.Millisecond)
	}
	return d.Round(100 * time.Millisecond)
}

// printable escapes what a terminal might obey.
func printable(s string) string {
	quoted := strconv.Quote(s)
	return strings.ReplaceAll(quoted[1:len(quoted)-1], `\"`, `"`)
}
