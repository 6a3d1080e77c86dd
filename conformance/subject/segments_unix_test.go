//go:build unix

package subject

import (
	"net"
	"testing"

	"golang.org/x/sys/unix"
)

func TestSmallSegments(t *testing.T) {
	usual, small := segmentOf(t, false), segmentOf(t, true)
	if small > smallSegmentBytes || small >= usual {
		t.Errorf("a peer sends segments of %d bytes, and usually %d; want at most %d, and fewer", small, usual, smallSegmentBytes)
	}
}

// segmentOf returns the size of a segment towards a connection, in bytes, as its peer
// knows it.
func segmentOf(t *testing.T, small bool) (size int) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	ctx := t.Context()
	if small {
		ctx = WithSmallSegments(ctx)
	}
	conn, err := DialTCP(ctx, listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	peer, err := listener.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer peer.Close()
	raw, err := peer.(*net.TCPConn).SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	raw.Control(func(fd uintptr) { size, err = unix.GetsockoptInt(int(fd), unix.IPPROTO_TCP, unix.TCP_MAXSEG) })
	if err != nil {
		t.Fatal(err)
	}
	return size
}
