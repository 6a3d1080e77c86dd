package wire

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// Reader reads frames from a byte stream, one at a time and never past the
// frame's last byte, so that the stream can be handed on after any frame.
// It reads until a frame is complete, however the stream is cut. One goroutine
// may use it at a time. HEARTBEAT, WAITING and ACQUIRED are read without
// allocation.
type Reader struct {
	r   io.Reader
	at  int64
	buf [AcquireHeaderSize + 1]byte
}

// NewReader returns a Reader of r. It does not buffer: each frame costs one
// or two reads of r.
func NewReader(r io.Reader) *Reader { return &Reader{r: r} }

// Offset returns how many bytes were taken from the stream so far.
func (r *Reader) Offset() int64 { return r.at }

// UnknownTypeError says that a frame began with a byte that is no type in
// this direction.
type UnknownTypeError struct {
	Byte byte
	At   int64 // offset of the byte in the stream
}

// Error describes the byte and where it stood.
func (e *UnknownTypeError) Error() string {
	return fmt.Sprintf("unknown message type 0x%02x at byte %d", e.Byte, e.At)
}

// TruncatedError says that the stream ended inside a frame.
type TruncatedError struct {
	Type      Type
	At        int64 // offset of the frame's first byte
	Got, Want int   // bytes of the frame that came, and that were due as far as known
	Err       error // what ended the stream; io.ErrUnexpectedEOF for a plain end
}

// Error describes the frame and how far it came.
func (e *TruncatedError) Error() string {
	return fmt.Sprintf("%v at byte %d cut after %d of %d bytes: %v", e.Type, e.At, e.Got, e.Want, e.Err)
}

// Unwrap returns what ended the stream.
func (e *TruncatedError) Unwrap() error { return e.Err }

// ReadServer reads one frame that a server sends: WAITING, ACQUIRED or ERROR.
// It blocks until the frame is complete; the result shares no memory with r.
// Errors: io.EOF or the stream's own error before the first byte,
// *TruncatedError inside a frame, *UnknownTypeError for any other first byte.
// Source: wire protocol, "Server to client".
func (r *Reader) ReadServer() (Frame, error) {
	t, err := r.readType()
	if err != nil {
		return Frame{}, err
	}
	switch t {
	case TypeWaiting:
		return WaitingFrame, nil
	case TypeAcquired:
		return r.readAcquired()
	case TypeError:
		return r.readError()
	}
	return Frame{}, &UnknownTypeError{Byte: byte(t), At: r.at - 1}
}

// ReadClient reads one frame that a client sends: ACQUIRE or HEARTBEAT.
// It takes any version, lease and name; [Acquire.Check] judges them.
// Blocking and errors are those of [Reader.ReadServer].
// Source: wire protocol, "Client to server".
func (r *Reader) ReadClient() (Frame, error) {
	t, err := r.readType()
	if err != nil {
		return Frame{}, err
	}
	switch t {
	case TypeHeartbeat:
		return HeartbeatFrame, nil
	case TypeAcquire:
		return r.readAcquire()
	}
	return Frame{}, &UnknownTypeError{Byte: byte(t), At: r.at - 1}
}

func (r *Reader) readType() (Type, error) {
	n, err := io.ReadFull(r.r, r.buf[:1])
	r.at += int64(n)
	return Type(r.buf[0]), err
}

func (r *Reader) readAcquired() (Frame, error) {
	if err := r.body(TypeAcquired, 1, r.buf[1:AcquiredSize]); err != nil {
		return Frame{}, err
	}
	return AcquiredFrame(binary.BigEndian.Uint64(r.buf[1:])), nil
}

func (r *Reader) readError() (Frame, error) {
	if err := r.body(TypeError, 1, r.buf[1:ErrorHeaderSize]); err != nil {
		return Frame{}, err
	}
	code, length := Code(r.buf[1]), int(r.buf[2])
	reason := make([]byte, length)
	if err := r.body(TypeError, ErrorHeaderSize, reason); err != nil {
		return Frame{}, err
	}
	return ErrorFrame(code, string(reason)), nil
}

func (r *Reader) readAcquire() (Frame, error) {
	if err := r.body(TypeAcquire, 1, r.buf[1:AcquireHeaderSize]); err != nil {
		return Frame{}, err
	}
	a := Acquire{Version: r.buf[1], LeaseMS: binary.BigEndian.Uint32(r.buf[2:])}
	name := make([]byte, binary.BigEndian.Uint16(r.buf[6:]))
	if err := r.body(TypeAcquire, AcquireHeaderSize, name); err != nil {
		return Frame{}, err
	}
	a.Name = string(name)
	return Frame{Type: TypeAcquire, Acquire: a}, nil
}

// body fills part, of which before bytes of the frame were read already.
func (r *Reader) body(t Type, before int, part []byte) error {
	n, err := io.ReadFull(r.r, part)
	start := r.at - int64(before)
	r.at += int64(n)
	if err == nil {
		return nil
	}
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return &TruncatedError{Type: t, At: start, Got: before + n, Want: before + len(part), Err: err}
}
