package defects

import (
	"io"
	"net"
	"sync"
	"time"
)

// lingering makes a client whose closes do something else first, and block
// meanwhile. gone closes when the peer, or the end of the process, has ended the
// connection.
func lingering(first func(nc net.Conn, gone <-chan struct{})) func(config) client {
	return conns(each(func(nc net.Conn) net.Conn {
		return &lingerer{Conn: nc, first: first, reading: make(chan struct{}, 1), closing: make(chan struct{})}
	}))
}

type lingerer struct {
	net.Conn
	first   func(nc net.Conn, gone <-chan struct{})
	reading chan struct{} // holds one token: somebody reads
	closing chan struct{}
	once    sync.Once
}

// Read is the connection's, until Close is called.
func (l *lingerer) Read(p []byte) (int, error) {
	l.reading <- struct{}{}
	defer func() { <-l.reading }()
	if l.isClosing() {
		return 0, net.ErrClosed
	}
	n, err := l.Conn.Read(p)
	if l.isClosing() {
		return 0, net.ErrClosed
	}
	return n, err
}

func (l *lingerer) isClosing() bool {
	select {
	case <-l.closing:
		return true
	default:
		return false
	}
}

// Close ends the reads, does the other thing, and closes.
func (l *lingerer) Close() error {
	l.once.Do(func() {
		close(l.closing)
		_ = l.Conn.SetReadDeadline(time.Unix(1, 0))
		l.reading <- struct{}{} // the last read has returned
		_ = l.Conn.SetReadDeadline(time.Time{})
		gone := make(chan struct{})
		go func() {
			defer close(gone)
			_, _ = io.Copy(io.Discard, l.Conn)
		}()
		l.first(l.Conn, gone)
		_ = l.Conn.Close()
		<-gone
		<-l.reading
	})
	return nil
}
