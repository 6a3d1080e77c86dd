// Package subject is what is under test, behind interfaces: a server that is
// dialled, and, where the suite started it, stopped and started again; and a
// client that is started through its adapter, a claim at a time.
//
// A scenario sees only these interfaces. So the same scenario runs against an
// address far away, a process of this machine, or a goroutine on an in-memory
// network in virtual time.
package subject

import (
	"context"
	"net"
)

// Conn is one connection to a subject: a byte stream with TCP's endings.
// [net.TCPConn] and memnet's connections are such.
type Conn interface {
	net.Conn
	// CloseWrite sends a FIN; reading goes on.
	CloseWrite() error
	// SetLinger with 0 makes the next Close a reset.
	SetLinger(sec int) error
}

// Server is a server under test at one address.
type Server interface {
	// Dial opens a connection. It blocks until the connection stands or ctx
	// ends. Errors are those of [net.Dialer]; a refusal is ECONNREFUSED.
	Dial(ctx context.Context) (Conn, error)
	// Target names the server for people: its address.
	Target() string
}

// Instance is a server that the suite started itself (feature control).
// Its address stays the same over Start. One goroutine controls it at a time;
// Dial may run beside that.
type Instance interface {
	Server
	// Terminate asks for the controlled stop (SIGTERM) and returns at once.
	Terminate() error
	// Kill ends the server without a word (SIGKILL) and returns at once.
	Kill() error
	// Exited is closed when the present run of the server has ended.
	Exited() <-chan struct{}
	// Exit says in words how the present run ended: "exit code 0",
	// "killed by SIGKILL". It is "" while the server runs.
	Exit() string
	// Start starts the server again after it exited, on the same address, and
	// returns when it answers an ACQUIRE or ctx ends.
	Start(ctx context.Context) error
	// Output is the tail of what the server wrote, unescaped.
	Output() string
	// Close ends the server and all that it started, and waits for that.
	Close() error
}

// Process is an Instance that is a process of this machine, so that signals
// and limits reach it.
type Process interface {
	Instance
	// Pause stops all its threads (SIGSTOP) and returns when they stand.
	Pause() error
	// Continue lets them go on (SIGCONT).
	Continue() error
	// OpenFiles counts its open descriptors.
	OpenFiles() (int, error)
	// LimitFiles lowers its limit of open descriptors while it runs.
	LimitFiles(limit int) error
}

// Launcher starts servers: each a new instance on an address of its own.
type Launcher interface {
	// Launch returns when the server answers an ACQUIRE. The error of a server
	// that does not become ready says what was seen, its output included.
	Launch(ctx context.Context) (Instance, error)
}
