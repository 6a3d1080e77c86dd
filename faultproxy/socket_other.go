//go:build !linux

package faultproxy

// dead reports whether the connection was reset. Here it cannot be known
// without using it.
func dead(Conn) bool { return false }

// awaitReset would wait for a reset behind a FIN.
func (s *socket) awaitReset() bool { return false }
