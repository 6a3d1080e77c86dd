package subject

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"strconv"
	"sync"
)

// Servers listen below the ports that systems give to outgoing connections
// (from 32768 on Linux, from 49152 elsewhere). Otherwise a connection of ours
// could take a server's port while that is down between two runs.
const (
	firstPort = 20000
	lastPort  = 32767
)

// portTries bounds the search: with half of the range taken, all would fail
// once in 10^15.
const portTries = 50

// handedOut holds the ports of this program's servers, so that two that start
// side by side never get the same between the look and the use.
var handedOut = struct {
	sync.Mutex
	ports map[int]bool
}{ports: map[int]bool{}}

// listened holds the ports that ListenLoopback chose. A server may close its port for
// a while; its client would else come back to somebody else's server.
var listened = struct {
	sync.Mutex
	ports map[int]bool
}{ports: map[int]bool{}}

// fresh chooses a port that was not chosen before. When few of those are left, all
// begin anew.
func fresh() int {
	listened.Lock()
	defer listened.Unlock()
	const ports = lastPort - firstPort + 1
	if len(listened.ports) > ports*3/4 {
		clear(listened.ports)
	}
	for {
		port := firstPort + rand.IntN(ports)
		if !listened.ports[port] {
			listened.ports[port] = true
			return port
		}
	}
}

// ListenLoopback listens on addr, or for "" on a free port of 127.0.0.1 that
// no outgoing connection takes by chance, and that nobody in this program had
// lately. It is the Listen of an [InProcess] server on TCP.
func ListenLoopback(addr string) (net.Listener, error) {
	if addr != "" {
		return net.Listen("tcp", addr)
	}
	var last error
	for range portTries {
		l, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(fresh())))
		if err == nil {
			return l, nil
		}
		last = err
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, errors.Join(last, err)
	}
	return l, nil
}

// reservation is an address for a server that somebody else starts.
type reservation struct{ port int }

// reserve finds a free loopback address, and keeps it from other callers in
// this program until release. Another program can still take it.
func reserve() (reservation, error) {
	for range portTries {
		l, err := ListenLoopback("")
		if err != nil {
			return reservation{}, fmt.Errorf("no free port on 127.0.0.1: %w", err)
		}
		port := l.Addr().(*net.TCPAddr).Port
		if err := l.Close(); err != nil {
			return reservation{}, err
		}
		if take(port) {
			return reservation{port}, nil
		}
	}
	return reservation{}, errors.New("no free port on 127.0.0.1: all that were tried are taken")
}

func take(port int) bool {
	handedOut.Lock()
	defer handedOut.Unlock()
	if handedOut.ports[port] {
		return false
	}
	handedOut.ports[port] = true
	return true
}

// addr returns "127.0.0.1:PORT".
func (r reservation) addr() string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(r.port)) }

func (r reservation) release() {
	handedOut.Lock()
	defer handedOut.Unlock()
	delete(handedOut.ports, r.port)
}
