package refclient

import (
	"errors"
	"io"
	"testing"

	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

func TestErrorsSayWhatHappened(t *testing.T) {
	for _, row := range []struct {
		e         *Error
		text      string
		is        error
		temporary bool
	}{
		{&Error{Refused: true, Code: 0x01}, "the server says ERROR 0x01 (server shutting down)", ErrShuttingDown, true},
		{&Error{Refused: true, Code: 0x00}, "the server says ERROR 0x00 (not assigned yet)", nil, true},
		{&Error{Refused: true, Code: 0x0f, Reason: "\x1b["}, `the server says ERROR 0x0f (not assigned yet): "\x1b["`, nil, true},
		{&Error{Refused: true, Code: 0x10}, "the server says ERROR 0x10 (unsupported protocol version)", ErrUnsupportedVersion, false},
		{&Error{Refused: true, Code: 0xff}, "the server says ERROR 0xff (not assigned yet)", nil, false},
		{&Error{Local: true, Code: wire.CodeEmptyName}, "refused before asking: 0x14 (empty lock name)", ErrEmptyName, false},
		{&Error{Held: true, Err: io.EOF}, "lock lost: EOF", ErrLost, true},
		{&Error{Held: true, Err: ErrTimeout}, "lock lost: no confirmation for 0.8 of the lease", ErrTimeout, true},
		{&Error{Err: io.EOF}, "EOF", io.EOF, true},
	} {
		if got := row.e.Error(); got != row.text {
			t.Errorf("got %q, want %q", got, row.text)
		}
		if row.is != nil && !errors.Is(row.e, row.is) {
			t.Errorf("%v: is not %v", row.e, row.is)
		}
		if got := row.e.Temporary(); got != row.temporary {
			t.Errorf("%v: temporary %t, want %t", row.e, got, row.temporary)
		}
	}
	if errors.Is(&Error{Err: io.EOF}, ErrShuttingDown) || errors.Is(&Error{Err: io.EOF}, ErrLost) {
		t.Error("an error without a code is a refusal, or a loss")
	}
}
