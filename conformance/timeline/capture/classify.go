package capture

import (
	"bytes"
	"fmt"

	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

// classify says of a connection whether it speaks monolock, and which side is the
// server: the one that was called, else the one at the known port, else the one
// whose bytes are a server's.
func (r *reader) classify(c *follow, dir int, data []byte) {
	if !c.clientKnown {
		r.clientByPort(c)
	}
	switch {
	case r.options.Port != 0 && (!c.clientKnown || c.ends[1-c.client].port != r.options.Port):
		r.summary.OtherPort++
		r.reject(c)
	case !c.clientKnown:
		r.byContent(c, dir, data)
	case dir == c.client && isAcquire(data):
		r.accept(c)
	case r.knownServer(c.ends[1-c.client]) && !isTLS(data):
		r.accept(c)
	default:
		if isTLS(data) {
			r.summary.TLS++
		}
		r.reject(c)
	}
}

func (r *reader) reject(c *follow) {
	c.kind = foreign
	c.streams = [2]stream{}
	r.summary.Foreign++
}

// knownServer reports whether an end is where a server is said or seen to be.
func (r *reader) knownServer(e endpoint) bool {
	if r.options.Port != 0 {
		return e.port == r.options.Port
	}
	return e.port == DefaultPort || r.servers[e]
}

// mostServers bounds how many servers are remembered by their address.
const mostServers = 1 << 12

// sureOf notes that a connection speaks monolock beyond doubt.
func (r *reader) sureOf(c *follow) {
	c.sure = true
	if len(r.servers) < mostServers {
		r.servers[c.ends[1-c.client]] = true
	}
}

func (r *reader) clientByPort(c *follow) {
	first, second := r.knownServer(c.ends[0]), r.knownServer(c.ends[1])
	if first != second {
		c.clientKnown, c.client = true, 0
		if first {
			c.client = 1
		}
	}
}

// mostStrikes is how many segments of a connection may look like nothing until it is
// left alone.
const mostStrikes = 4

// byContent looks at a connection whose beginning was not seen, at no known port:
// one direction must be HEARTBEAT bytes and nothing else, the other whole frames of a
// server.
func (r *reader) byContent(c *follow, dir int, data []byte) {
	server := decoder{}
	switch {
	case onlyHeartbeats(data):
		c.hints[dir] = likeClient
	case server.inMidSession(data):
		c.hints[dir] = likeServer
	default:
		if c.strikes++; c.strikes > mostStrikes {
			r.reject(c)
		}
		return
	}
	for client := range c.hints {
		if c.hints[client] == likeClient && c.hints[1-client] == likeServer {
			c.clientKnown, c.client = true, client
			c.sure = true
			r.accept(c)
		}
	}
}

// accept begins to tell of a connection.
func (r *reader) accept(c *follow) {
	r.summary.Conns++
	c.kind = speaks
	c.streams[c.client].frames.fromClient = true
	c.conn = &Conn{
		Who: fmt.Sprintf("conn-%d", r.summary.Conns), Started: c.start.seen,
		Client: c.ends[c.client].addrPort(), Server: c.ends[1-c.client].addrPort(),
	}
	c.conn.ClientWay, c.conn.ServerWay, c.conn.WaysKnown = c.start.ways()
	if !c.conn.Started {
		r.summary.Unstarted++
	}
	r.tellBegin(c)
}

// disown takes back that a connection speaks monolock: what came from its server is
// something else, and its client never asked for a lock.
func (r *reader) disown(c *follow) {
	r.summary.Conns--
	if !c.conn.Started {
		r.summary.Unstarted--
	}
	if r.options.End != nil {
		r.options.End(c.conn)
	}
	c.conn = nil
	r.reject(c)
}

// isAcquire reports whether a client's first bytes are those of an ACQUIRE that a
// server may grant, as far as they go.
func isAcquire(data []byte) bool {
	const least = 2 // one byte alone is too little
	if len(data) < least || data[0] != byte(wire.TypeAcquire) || data[1] != wire.Version {
		return false
	}
	size, _ := wire.Size(data)
	return size <= wire.AcquireHeaderSize+wire.MaxNameLen
}

// isTLS reports whether bytes begin a TLS handshake.
func isTLS(data []byte) bool { return bytes.HasPrefix(data, []byte{0x16, 0x03}) }
