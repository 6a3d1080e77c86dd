package refclient

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

// ErrLost is matched by every error that says that a lock was lost while it
// was held.
var ErrLost = errors.New("lock lost")

// What can end an attempt besides ERROR, an end of the stream and the caller.
var (
	// ErrTimeout: nothing was confirmed for four fifths of the lease.
	ErrTimeout = errors.New("no confirmation for 0.8 of the lease")
	// ErrDoubt: the server sent what it never may.
	ErrDoubt = errors.New("unexpected message")
)

// The server's refusals, to be used with errors.Is. An error with a code that
// has no name here is found by [Error.Code].
// Source: error codes.
var (
	ErrShuttingDown       error = refusal(wire.CodeShuttingDown)
	ErrClosedByAdmin      error = refusal(wire.CodeClosedByAdmin)
	ErrUnsupportedVersion error = refusal(wire.CodeUnsupportedVersion)
	ErrNotAcquire         error = refusal(wire.CodeNotAcquire)
	ErrDuplicateAcquire   error = refusal(wire.CodeDuplicateAcquire)
	ErrUnknownType        error = refusal(wire.CodeUnknownType)
	ErrEmptyName          error = refusal(wire.CodeEmptyName)
	ErrNameTooLong        error = refusal(wire.CodeNameTooLong)
	ErrNameNotUTF8        error = refusal(wire.CodeNameNotUTF8)
	ErrLeaseNotPositive   error = refusal(wire.CodeLeaseNotPositive)
	ErrNotAuthorized      error = refusal(wire.CodeNotAuthorized)
)

// refusal is an ERROR as a value to compare with.
type refusal wire.Code

func (r refusal) Error() string { return wire.Code(r).String() }

// Error is why an attempt failed or a lock was lost. The work's own error and
// the reason of a cancelled context are not wrapped in it unless said so.
type Error struct {
	// Refused says that there was an ERROR: Code and Reason are the server's.
	Refused bool
	// Local says that the client itself refused what it was asked: Code is
	// the one that the server would have sent.
	Local bool
	Code  wire.Code
	// Reason is for people only. Never branch on it.
	Reason string
	// Held says that the lock was held and is lost.
	Held bool
	// Err is what happened where it was no ERROR: of the dial, io.EOF,
	// ErrTimeout, ErrDoubt, the cause of the caller's context.
	Err error

	final bool // another attempt makes no sense, whatever the code says
}

// Error describes e on one line. A reason is escaped: it is foreign text.
func (e *Error) Error() string {
	var b strings.Builder
	if e.Held {
		b.WriteString("lock lost: ")
	}
	switch {
	case e.Refused:
		fmt.Fprintf(&b, "the server says ERROR %v", e.Code)
	case e.Local:
		fmt.Fprintf(&b, "refused before asking: %v", e.Code)
	default:
		fmt.Fprint(&b, e.Err)
		return b.String()
	}
	if e.Reason != "" {
		b.WriteString(": " + strconv.QuoteToASCII(e.Reason))
	}
	return b.String()
}

// Unwrap returns Err.
func (e *Error) Unwrap() error { return e.Err }

// Is finds ErrLost, and the refusal with e's code.
func (e *Error) Is(target error) bool {
	if target == ErrLost {
		return e.Held
	}
	code, ok := target.(refusal)
	return ok && (e.Refused || e.Local) && e.Code == wire.Code(code)
}

// Temporary reports whether another attempt makes sense: after a server
// condition (a code below 0x10, by range), a failed connect, an end of the
// stream, a time-out. It does not after a client error, a local refusal, a
// certificate that does not verify, or the caller's own cancellation.
// Source: writing a client, rule 6.
func (e *Error) Temporary() bool {
	switch {
	case e.Local, e.final:
		return false
	case e.Refused:
		return !e.Code.IsClientError()
	}
	return true
}

// doubt is an ErrDoubt with its story.
func doubt(format string, args ...any) error {
	return fmt.Errorf("%w: "+format, append([]any{ErrDoubt}, args...)...)
}
