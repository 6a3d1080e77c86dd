package memnet

import (
	"net"
	"net/netip"
	"os"
	"slices"
	"sync"
	"syscall"
)

// Backlog is how many connections a listener holds that nobody has accepted
// yet, before Dial waits. It is Linux's own default (net.core.somaxconn).
const Backlog = 4096

// Listener hears the dials to one address. It implements [net.Listener].
// All methods may be called at the same time from several goroutines.
type Listener struct {
	n    *Network
	at   netip.AddrPort
	addr *net.TCPAddr

	// The network's mutex guards what follows.
	arrived sync.Cond
	backlog []*Conn
	waiting []*waitingDial
	failure error
	closed  bool
}

// waitingDial is a Dial that found the backlog full.
type waitingDial struct {
	server  *Conn
	decided chan struct{} // closed when the backlog took server or err was set
	err     error
}

func newListener(n *Network, at netip.AddrPort) *Listener {
	l := &Listener{n: n, at: at, addr: net.TCPAddrFromAddrPort(at)}
	l.arrived.L = &n.mu
	return l
}

// Addr returns the address as a *net.TCPAddr, with the port that was picked.
func (l *Listener) Addr() net.Addr { return l.addr }

// Accept returns the connection that waits longest in the backlog, as a *Conn.
// It blocks while there is none. A connection which its client has closed or
// reset meanwhile is handed out all the same.
// Errors, as *net.OpError: net.ErrClosed after Close, what FailAccept was given.
func (l *Listener) Accept() (net.Conn, error) {
	l.n.mu.Lock()
	defer l.n.mu.Unlock()
	for {
		switch {
		case l.closed:
			return nil, l.opError("accept", net.ErrClosed)
		case l.failure != nil:
			return nil, l.opError("accept", l.failure)
		case len(l.backlog) > 0:
			return l.next(), nil
		}
		l.arrived.Wait()
	}
}

// FailAccept makes every Accept fail with err until FailAccept(nil), as when
// a server runs out of descriptors (syscall.EMFILE). Accepts that wait return
// err at once. Connections stay in the backlog and dials go on filling it.
// A server that calls Accept again without a pause spins, and the clock of a
// bubble stands still while it does. It does not block.
func (l *Listener) FailAccept(err error) {
	if errno, ok := err.(syscall.Errno); ok {
		err = os.NewSyscallError("accept4", errno)
	}
	l.n.mu.Lock()
	defer l.n.mu.Unlock()
	l.failure = err
	l.arrived.Broadcast()
}

// Close stops listening: the address is free again, waiting Accepts return
// net.ErrClosed, waiting dials are refused, and connections that nobody has
// accepted are reset. Accepted connections go on. It does not block.
// Errors: net.ErrClosed, as *net.OpError, when it was closed before.
func (l *Listener) Close() error {
	l.n.mu.Lock()
	if l.closed {
		l.n.mu.Unlock()
		return l.opError("close", net.ErrClosed)
	}
	l.closed = true
	l.n.forget(l)
	orphans, refused := l.backlog, l.waiting
	l.backlog, l.waiting = nil, nil
	for _, w := range refused {
		w.decide(errRefused)
	}
	l.arrived.Broadcast()
	l.n.mu.Unlock()

	for _, c := range orphans {
		c.abort()
	}
	return nil
}

// offer puts server into the backlog, or returns the wait for room in it.
// The network's mutex is held.
func (l *Listener) offer(server *Conn) *waitingDial {
	if len(l.backlog) >= Backlog {
		w := &waitingDial{server: server, decided: make(chan struct{})}
		l.waiting = append(l.waiting, w)
		return w
	}
	l.backlog = append(l.backlog, server)
	l.arrived.Signal()
	return nil
}

// withdraw takes back an offer that has not been decided.
// The network's mutex is held.
func (l *Listener) withdraw(w *waitingDial) {
	l.waiting = slices.DeleteFunc(l.waiting, func(o *waitingDial) bool { return o == w })
}

// next takes the first connection out of the backlog, which is not empty, and
// lets the first waiting dial in. The network's mutex is held.
func (l *Listener) next() *Conn {
	c := l.backlog[0]
	l.backlog[0] = nil
	l.backlog = l.backlog[1:]
	if len(l.waiting) > 0 {
		w := l.waiting[0]
		l.waiting[0] = nil
		l.waiting = l.waiting[1:]
		l.offer(w.server)
		w.decide(nil)
	}
	return c
}

func (w *waitingDial) decide(err error) {
	w.err = err
	close(w.decided)
}

func (l *Listener) opError(op string, err error) error {
	return &net.OpError{Op: op, Net: "tcp", Addr: l.addr, Err: err}
}
