package memnet

import (
	"cmp"
	"context"
	"net"
	"net/netip"
	"os"
	"slices"
	"strconv"
	"sync"
	"syscall"
)

const (
	// DefaultBuffer is how many bytes a direction holds unread before Write blocks.
	DefaultBuffer = 64 << 10

	// firstPort begins the range that IANA leaves to ephemeral ports.
	firstPort = 49152
	lastPort  = 65535
)

// Network is a set of listeners and the connections to them. All methods may
// be called at the same time from several goroutines.
type Network struct {
	mu        sync.Mutex
	listeners map[uint16][]*Listener
	nextPort  int
	dialled   uint32
	buffer    int
	upstream  int // what a server may have unread; 0: buffer
}

// New returns an empty network with buffers of [DefaultBuffer] bytes.
func New() *Network {
	return &Network{
		listeners: make(map[uint16][]*Listener),
		nextPort:  firstPort,
		buffer:    DefaultBuffer,
	}
}

// SetBuffer sets how many bytes each direction of a connection holds unread
// before Write blocks. It counts for connections dialled afterwards. Less than
// one byte means [DefaultBuffer]. Memory is taken as it fills, never in advance.
func (n *Network) SetBuffer(bytes int) {
	if bytes < 1 {
		bytes = DefaultBuffer
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.buffer = bytes
}

// SetServerBuffer sets how many bytes the accepted end of a connection may have
// unread before its client's Write blocks, where that should differ from
// [Network.SetBuffer]. 0 makes it the same again.
func (n *Network) SetServerBuffer(bytes int) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.upstream = max(bytes, 0)
}

// Listen opens a listener on addr, "host:port". A host is an IP address or
// localhost; an empty or unspecified one hears dials to every host. Port 0 or
// an empty port picks a free one, counting up, so that a port which was given
// back is not picked again soon. An empty addr is "127.0.0.1:0".
// It does not block.
// Errors, as *net.OpError: syscall.EADDRINUSE while another listener is open
// on the address, *net.AddrError or *net.DNSError for an address that is none.
func (n *Network) Listen(addr string) (*Listener, error) {
	if addr == "" {
		addr = "127.0.0.1:0"
	}
	at, err := parse(addr)
	if err != nil {
		return nil, &net.OpError{Op: "listen", Net: "tcp", Err: err}
	}

	n.mu.Lock()
	defer n.mu.Unlock()
	if at.Port() == 0 {
		at = n.pickPort(at.Addr())
	}
	if at.Port() == 0 || n.inUse(at) {
		return nil, &net.OpError{
			Op: "listen", Net: "tcp", Addr: net.TCPAddrFromAddrPort(at),
			Err: os.NewSyscallError("bind", syscall.EADDRINUSE),
		}
	}
	l := newListener(n, at)
	n.listeners[at.Port()] = append(n.listeners[at.Port()], l)
	return l, nil
}

// Dial connects to the listener on addr, "host:port"; an unspecified host is
// 127.0.0.1. The connection is usable at once, accepted or not, and has a
// local address that no other one on this network has had (10.0.0.1:40001,
// 10.0.0.2:40002, ...). Dial blocks only while the listener's backlog is full,
// until there is room or ctx is done; ctx has no say over the connection after.
// Errors, as *net.OpError: syscall.ECONNREFUSED where nobody listens or the
// listener is closed while Dial waits, the error of ctx, *net.AddrError or
// *net.DNSError for an address that is none.
func (n *Network) Dial(ctx context.Context, addr string) (*Conn, error) {
	to, err := parse(addr)
	if err != nil {
		return nil, &net.OpError{Op: "dial", Net: "tcp", Err: err}
	}
	if to.Addr().IsUnspecified() {
		to = netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, 1}), to.Port())
	}
	remote := net.TCPAddrFromAddrPort(to)
	client, err := n.dial(ctx, to, remote)
	if err != nil {
		return nil, &net.OpError{Op: "dial", Net: "tcp", Addr: remote, Err: err}
	}
	return client, nil
}

func (n *Network) dial(ctx context.Context, to netip.AddrPort, remote *net.TCPAddr) (*Conn, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	n.mu.Lock()
	l := n.find(to)
	if l == nil {
		n.mu.Unlock()
		return nil, errRefused
	}
	client, server := newPair(n.clientAddr(), remote, n.buffer, cmp.Or(n.upstream, n.buffer))
	wait := l.offer(server)
	n.mu.Unlock()

	if wait == nil {
		return client, nil
	}
	select {
	case <-wait.decided:
	case <-ctx.Done():
	}

	n.mu.Lock()
	defer n.mu.Unlock()
	// Where both happened in one instant the listener's decision counts,
	// whichever of the two woke this goroutine.
	select {
	case <-wait.decided:
	default:
		l.withdraw(wait)
		return nil, ctx.Err()
	}
	if wait.err != nil {
		return nil, wait.err
	}
	return client, nil
}

var errRefused = os.NewSyscallError("connect", syscall.ECONNREFUSED)

// clientAddr returns the next client's address. n.mu is held.
func (n *Network) clientAddr() *net.TCPAddr {
	n.dialled++
	i := n.dialled
	return &net.TCPAddr{
		IP:   net.IPv4(10, byte(i>>16), byte(i>>8), byte(i)).To4(),
		Port: 40000 + int(i%9000),
	}
}

// pickPort returns at with a port that is free there, or port 0 where none
// is left. n.mu is held.
func (n *Network) pickPort(at netip.Addr) netip.AddrPort {
	for range lastPort - firstPort + 1 {
		free := netip.AddrPortFrom(at, uint16(n.nextPort))
		if n.nextPort++; n.nextPort > lastPort {
			n.nextPort = firstPort
		}
		if !n.inUse(free) {
			return free
		}
	}
	return netip.AddrPortFrom(at, 0)
}

// inUse tells whether a listener on at would hear another one's dials.
// n.mu is held.
func (n *Network) inUse(at netip.AddrPort) bool {
	return slices.ContainsFunc(n.listeners[at.Port()], func(l *Listener) bool {
		return l.at == at || l.at.Addr().IsUnspecified() || at.Addr().IsUnspecified()
	})
}

// find returns the listener that hears a dial to the given address, or nil.
// n.mu is held.
func (n *Network) find(to netip.AddrPort) *Listener {
	for _, l := range n.listeners[to.Port()] {
		if l.at == to || l.at.Addr().IsUnspecified() {
			return l
		}
	}
	return nil
}

// forget frees the address of l. n.mu is held.
func (n *Network) forget(l *Listener) {
	left := slices.DeleteFunc(n.listeners[l.at.Port()], func(o *Listener) bool { return o == l })
	if len(left) == 0 {
		delete(n.listeners, l.at.Port())
		return
	}
	n.listeners[l.at.Port()] = left
}

// parse reads "host:port" without asking the system for names.
func parse(addr string) (netip.AddrPort, error) {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return netip.AddrPort{}, err
	}
	var number uint64
	if port != "" {
		if number, err = strconv.ParseUint(port, 10, 16); err != nil {
			return netip.AddrPort{}, &net.AddrError{Err: "invalid port", Addr: addr}
		}
	}
	var ip netip.Addr
	switch host {
	case "":
		ip = netip.IPv6Unspecified()
	case "localhost":
		ip = netip.AddrFrom4([4]byte{127, 0, 0, 1})
	default:
		if ip, err = netip.ParseAddr(host); err != nil {
			return netip.AddrPort{}, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
		}
	}
	return netip.AddrPortFrom(ip.Unmap(), uint16(number)), nil
}
