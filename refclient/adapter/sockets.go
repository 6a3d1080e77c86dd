package adapter

import (
	"context"
	"fmt"
	"net"
	"sync"
)

// sockets are the connections that a process would hold.
type sockets struct {
	connect func(ctx context.Context, addr string) (net.Conn, error)

	mu     sync.Mutex // never held across I/O
	all    []net.Conn // closed ones, too
	closed bool
}

func newSockets(dial func(ctx context.Context, addr string) (net.Conn, error)) *sockets {
	if dial == nil {
		dial = func(ctx context.Context, addr string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, "tcp", addr)
		}
	}
	return &sockets{connect: dial}
}

// dial connects to addr. After close its error wraps net.ErrClosed.
func (s *sockets) dial(ctx context.Context, addr string) (net.Conn, error) {
	if s.isClosed() {
		return nil, fmt.Errorf("%w: %w", errExit, net.ErrClosed)
	}
	nc, err := s.connect(ctx, addr)
	if err != nil {
		return nil, err
	}
	if !s.add(nc) {
		_ = nc.Close()
		return nil, fmt.Errorf("%w: %w", errExit, net.ErrClosed)
	}
	return nc, nil
}

func (s *sockets) isClosed() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.closed
}

// add reports false where the process ends already.
func (s *sockets) add(nc net.Conn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return false
	}
	s.all = append(s.all, nc)
	return true
}

// close closes all connections that there were. Closing one again does nothing.
func (s *sockets) close() {
	s.mu.Lock()
	all := s.all
	s.all, s.closed = nil, true
	s.mu.Unlock()
	for _, nc := range all {
		_ = nc.Close()
	}
}
