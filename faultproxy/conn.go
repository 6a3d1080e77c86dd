package faultproxy

import (
	"net"
	"sync/atomic"
)

// Conn is one end of a connection that ends as TCP connections do.
// *net.TCPConn is one, and so is the in-memory network's connection.
type Conn interface {
	net.Conn
	// CloseWrite sends a FIN behind what was written. Reading goes on.
	CloseWrite() error
	// SetLinger(0) makes Close send a reset.
	SetLinger(seconds int) error
}

// socket is one of the two ends that a link joins.
type socket struct {
	Conn
	shut atomic.Bool // CloseWrite was called here
}

// end sends a FIN, once.
func (s *socket) end() error {
	if s.shut.Swap(true) {
		return nil
	}
	return s.CloseWrite()
}

// reset closes the connection with a RST. Calling it on a closed one is harmless.
func (s *socket) reset() {
	_ = s.SetLinger(0)
	_ = s.Close()
}
