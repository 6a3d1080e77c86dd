package wire

import (
	"fmt"
	"strconv"
)

// Version is the protocol version that this package speaks.
const Version = 1

// Type is the first byte of a frame.
type Type byte

// The five types. The first two go to the server, the others to the client.
const (
	TypeAcquire   Type = 0x01
	TypeHeartbeat Type = 0x02
	TypeWaiting   Type = 0x11
	TypeAcquired  Type = 0x12
	TypeError     Type = 0x13
)

// Sizes of the fixed parts, in bytes, the type byte included.
const (
	AcquireHeaderSize = 1 + 1 + 4 + 2
	HeartbeatSize     = 1
	WaitingSize       = 1
	AcquiredSize      = 1 + 8
	ErrorHeaderSize   = 1 + 1 + 1
)

// String returns the documents' name of t, or "type 0x7f" for one they lack.
func (t Type) String() string {
	switch t {
	case TypeAcquire:
		return "ACQUIRE"
	case TypeHeartbeat:
		return "HEARTBEAT"
	case TypeWaiting:
		return "WAITING"
	case TypeAcquired:
		return "ACQUIRED"
	case TypeError:
		return "ERROR"
	}
	return fmt.Sprintf("type 0x%02x", byte(t))
}

// Acquire is the body of an ACQUIRE: one claim on one named lock.
// Lease is in milliseconds, as on the wire. Name is raw bytes: UTF-8 in a good
// frame, anything at all in a bad one.
type Acquire struct {
	Version uint8
	LeaseMS uint32
	Name    string
}

// Frame is any one of the five frames. Type says which fields count:
// Acquire for ACQUIRE, Token for ACQUIRED, Code and Reason for ERROR.
type Frame struct {
	Type    Type
	Acquire Acquire
	Token   uint64
	Code    Code
	Reason  string
}

// AcquireFrame is an ACQUIRE of the current version.
func AcquireFrame(name string, leaseMS uint32) Frame {
	return Frame{Type: TypeAcquire, Acquire: Acquire{Version: Version, LeaseMS: leaseMS, Name: name}}
}

// AcquiredFrame is an ACQUIRED with that token.
func AcquiredFrame(token uint64) Frame { return Frame{Type: TypeAcquired, Token: token} }

// ErrorFrame is an ERROR. A reason of more than 255 bytes cannot be sent:
// [Append] cuts it.
func ErrorFrame(code Code, reason string) Frame {
	return Frame{Type: TypeError, Code: code, Reason: reason}
}

// The two frames without a body.
var (
	HeartbeatFrame = Frame{Type: TypeHeartbeat}
	WaitingFrame   = Frame{Type: TypeWaiting}
)

// String describes f on one line, with every byte of foreign text escaped.
func (f Frame) String() string {
	switch f.Type {
	case TypeAcquire:
		a := f.Acquire
		return fmt.Sprintf("ACQUIRE version=%d lease=%dms name=%s", a.Version, a.LeaseMS, QuoteName(a.Name))
	case TypeAcquired:
		return "ACQUIRED token=" + strconv.FormatUint(f.Token, 10)
	case TypeError:
		return fmt.Sprintf("ERROR %v reason=%s", f.Code, strconv.QuoteToASCII(f.Reason))
	}
	return f.Type.String()
}
