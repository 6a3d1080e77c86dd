package faultproxy

import "syscall"

// howEnded tells what an end of the stream was. A reset is reported once, to
// whichever call comes first; where that was a write, the read sees the end of
// the stream, as after a FIN.
func (s *socket) howEnded() ending {
	if !s.shut.Load() && dead(s.Conn) {
		return byRST
	}
	return byFIN
}

// isKernel reports whether the connection is the kernel's, and not in memory.
func (s *socket) isKernel() bool {
	_, ok := s.Conn.(syscall.Conn)
	return ok
}
