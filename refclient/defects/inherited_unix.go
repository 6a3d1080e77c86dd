//go:build unix

package defects

import (
	"net"
	"os"
	"os/exec"
	"syscall"
)

// inherited gives a child process a copy of the connection. It holds it for
// twenty seconds. The close of the client itself is a shutdown, which the copy
// does not keep back: only a killed client shows the child.
func inherited(nc net.Conn) net.Conn {
	tcp, ok := nc.(*net.TCPConn)
	if !ok {
		return nc
	}
	f, err := tcp.File()
	if err != nil {
		return nc
	}
	defer f.Close()
	child := exec.Command("sleep", "20")
	child.ExtraFiles = []*os.File{f}
	if child.Start() == nil {
		go func() { _ = child.Wait() }()
	}
	// Handing the copy over has made both blocking.
	if raw, err := tcp.SyscallConn(); err == nil {
		_ = raw.Control(func(fd uintptr) { _ = syscall.SetNonblock(int(fd), true) })
	}
	return &through{Conn: nc, close: func() error {
		_ = tcp.CloseWrite()
		return nc.Close()
	}}
}
