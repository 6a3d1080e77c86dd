//go:build unix

package subject

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// askSmallSegments prepares a socket before it connects. A system that refuses keeps
// its own size.
func askSmallSegments(_, _ string, raw syscall.RawConn) error {
	return raw.Control(func(fd uintptr) {
		unix.SetsockoptInt(int(fd), unix.IPPROTO_TCP, unix.TCP_MAXSEG, smallSegmentBytes)
	})
}
