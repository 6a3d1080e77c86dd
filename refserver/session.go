package refserver

import (
	"net"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

// State is where a session stands. It only ever moves down this list.
// Source: wire protocol, "Session state machine".
type State uint8

// The states.
const (
	Connected State = iota // no ACQUIRE yet
	Waiting                // in the queue of its lock
	Acquired               // holds its lock
	Ended                  // neither holds nor waits; its connection may still be closing
)

// String returns the documents' name of s.
func (s State) String() string {
	return [...]string{"CONNECTED", "WAITING", "ACQUIRED", "DISCONNECTED"}[s]
}

// Session is one connection's claim, as the core sees it. The loop owns it;
// [Rules] may read it while one of their methods runs, and keep the pointer
// as an identity.
type Session struct {
	remote    net.Addr
	ioTimeout time.Duration
	opened    time.Time

	state    State
	begun    bool // the type byte of its ACQUIRE has come
	lock     *Lock
	key      string
	lease    time.Duration
	lastSeen time.Time
	token    uint64 // of its grant; 0: never granted

	deadline time.Time
	leaseAt  int // index in the heap of deadlines; -1: not in it
	slot     int // index among the core's sessions

	conn *conn // where effects go; the core never touches it
}

// Remote returns the client's address; nil in tests of the core alone.
func (s *Session) Remote() net.Addr { return s.remote }

// IOTimeout returns how long the connection may take for its ACQUIRE.
func (s *Session) IOTimeout() time.Duration { return s.ioTimeout }

// Opened returns when the connection was accepted.
func (s *Session) Opened() time.Time { return s.opened }

// State returns where the session stands.
func (s *Session) State() State { return s.state }

// Begun reports whether at least the first byte of its ACQUIRE has come.
func (s *Session) Begun() bool { return s.begun }

// Key returns the identity of the lock that it asked for; "" before ACQUIRE.
func (s *Session) Key() string { return s.key }

// Lock returns the lock that it holds or waits for; nil for neither.
func (s *Session) Lock() *Lock { return s.lock }

// Lease returns the lease that it chose; 0 before ACQUIRE.
func (s *Session) Lease() time.Duration { return s.lease }

// LastSeen returns when the silence that the lease bounds began.
func (s *Session) LastSeen() time.Time { return s.lastSeen }

// Deadline returns the last instant at which a message is still in time.
func (s *Session) Deadline() time.Time { return s.deadline }

// Token returns the token of its grant; 0 if it was never granted.
func (s *Session) Token() uint64 { return s.token }

// standing is the frame that tells a client where its session stands.
func (s *Session) standing() wire.Frame {
	if s.token != 0 {
		return wire.AcquiredFrame(s.token)
	}
	return wire.WaitingFrame
}

// Lock is one lock that someone holds or waits for. An idle lock does not
// exist. The loop owns it, as it owns the sessions.
type Lock struct {
	key   string
	owner *Session
	queue []*Session
}

// Key returns the lock's identity.
func (l *Lock) Key() string { return l.key }

// Owner returns who holds it; nil for nobody.
func (l *Lock) Owner() *Session { return l.owner }

// Queue returns who waits, the next one first. It is the core's own slice:
// read it, do not keep it.
func (l *Lock) Queue() []*Session { return l.queue }
