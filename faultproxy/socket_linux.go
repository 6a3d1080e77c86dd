package faultproxy

import (
	"errors"
	"os"
	"syscall"
	"time"
)

// dead reports whether the connection was reset, without using it: a write of
// nothing fails on a connection that is no more. One whose own FIN was sent
// counts as dead too.
func dead(c Conn) bool {
	raw := rawOf(c)
	if raw == nil {
		return false
	}
	gone := false
	err := raw.Control(func(fd uintptr) { gone = writeNothing(fd) })
	return err == nil && gone
}

// awaitReset waits, behind a FIN of the peer, for its reset. It reports false
// when the connection is closed or when it cannot know.
func (s *socket) awaitReset() bool {
	raw := rawOf(s.Conn)
	if raw == nil {
		return false
	}
	for {
		reset := false
		err := raw.Read(func(fd uintptr) bool {
			over := s.shut.Load()
			reset = !over && writeNothing(fd)
			return over || reset
		})
		if !errors.Is(err, os.ErrDeadlineExceeded) || s.SetReadDeadline(time.Time{}) != nil {
			return err == nil && reset
		}
	}
}

func writeNothing(fd uintptr) (fails bool) {
	err := syscall.Sendto(int(fd), nil, syscall.MSG_NOSIGNAL|syscall.MSG_DONTWAIT, nil)
	return err != nil && err != syscall.EAGAIN
}

// rawOf returns the connection's descriptor, or nil where it has none.
func rawOf(c Conn) syscall.RawConn {
	sc, ok := c.(syscall.Conn)
	if !ok {
		return nil
	}
	raw, err := sc.SyscallConn()
	if err != nil {
		return nil
	}
	return raw
}
