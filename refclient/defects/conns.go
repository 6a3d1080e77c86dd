package defects

import (
	"context"
	"errors"
	"net"

	"github.com/monolock-dev/monolock-conform/conformance/wire"
	"github.com/monolock-dev/monolock-conform/refclient"
)

// conns makes a standard client whose connections are wrapped. setUp is called
// once a client.
func conns(setUp func() func(net.Conn) net.Conn) func(config) client {
	return func(cfg config) client { return refclient.New(wrapping(cfg, setUp())) }
}

// wrapping returns cfg with wrapped connections.
func wrapping(cfg config, wrap func(net.Conn) net.Conn) config {
	dial := cfg.Dial
	cfg.Dial = func(ctx context.Context) (net.Conn, error) {
		nc, err := dial(ctx)
		if err != nil {
			return nil, err
		}
		return wrap(nc), nil
	}
	return cfg
}

// each is a setUp whose connections share nothing.
func each(wrap func(net.Conn) net.Conn) func() func(net.Conn) net.Conn {
	return func() func(net.Conn) net.Conn { return wrap }
}

// through is a connection with some methods replaced: those that are set.
type through struct {
	net.Conn
	read  func(p []byte) (int, error)
	write func(p []byte) (int, error)
	close func() error
}

func (t *through) Read(p []byte) (int, error) {
	if t.read != nil {
		return t.read(p)
	}
	return t.Conn.Read(p)
}

func (t *through) Write(p []byte) (int, error) {
	if t.write != nil {
		return t.write(p)
	}
	return t.Conn.Write(p)
}

func (t *through) Close() error {
	if t.close != nil {
		return t.close()
	}
	return t.Conn.Close()
}

// chunkSize is how much a client that thinks in reads takes at once, in bytes.
const chunkSize = 4 << 10

// chunks wraps a connection so that edit sees what each read returned, and
// decides what of it the client gets.
func chunks(nc net.Conn, edit func(chunk []byte) []byte) net.Conn {
	buf := make([]byte, chunkSize)
	return feeding(nc, func() ([]byte, error) {
		n, err := nc.Read(buf)
		return edit(buf[:n]), err
	})
}

// edited wraps a connection so that edit sees each whole frame of the server,
// and decides what bytes the client gets in its place.
func edited(nc net.Conn, edit func(f frame) []byte) net.Conn {
	frames := wire.NewReader(nc)
	return feeding(nc, func() ([]byte, error) { return nextFrame(frames, edit) })
}

// nextFrame returns the bytes of the next frame, edited, or a foreign byte.
func nextFrame(frames *wire.Reader, edit func(f frame) []byte) ([]byte, error) {
	f, err := frames.ReadServer()
	if foreign, ok := errors.AsType[*wire.UnknownTypeError](err); ok {
		return []byte{foreign.Byte}, nil
	}
	if err != nil {
		return nil, err
	}
	return edit(f), nil
}

// feeding wraps a connection so that reads get what next returns, piece by piece.
func feeding(nc net.Conn, next func() ([]byte, error)) net.Conn {
	var rest []byte
	var end error
	return &through{Conn: nc, read: func(p []byte) (int, error) {
		for len(rest) == 0 {
			if end != nil {
				return 0, end
			}
			rest, end = next()
		}
		n := copy(p, rest)
		rest = rest[n:]
		return n, nil
	}}
}

// cutter finds the frames in a server's bytes, however they are cut.
type cutter struct{ buf []byte }

func (c *cutter) add(b []byte) { c.buf = append(c.buf, b...) }

// inside reports whether a frame has begun and is not complete.
func (c *cutter) inside() bool { return len(c.buf) > 0 }

// next returns the bytes of the next whole frame, or of one unknown byte, and
// nil while there is none.
func (c *cutter) next() []byte {
	size := frameSize(c.buf)
	if size == 0 || len(c.buf) < size {
		return nil
	}
	f := c.buf[:size:size]
	c.buf = c.buf[size:]
	return f
}

// frameSize returns the length of the frame that b begins with, 0 while that
// cannot be known.
func frameSize(b []byte) int {
	if len(b) == 0 {
		return 0
	}
	switch wire.Type(b[0]) {
	case wire.TypeAcquired:
		return wire.AcquiredSize
	case wire.TypeError:
		if len(b) < wire.ErrorHeaderSize {
			return 0
		}
		return wire.ErrorHeaderSize + int(b[2])
	}
	return 1
}
