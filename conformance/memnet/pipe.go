package memnet

import "sync"

// minPipe is what a pipe allocates first: enough for any one frame with a
// name of ordinary length, so that an idle session stays at this size.
const minPipe = 128

// pipe is one direction of a connection, seen from the end that reads it: a
// bounded queue of bytes and the FIN behind them. The connection's mutex
// guards it; it does no locking and no waiting of its own.
type pipe struct {
	ring  []byte
	first int // index in ring of the oldest byte
	size  int // bytes held
	limit int // bytes that may be held

	fin     bool // nothing comes after the bytes held
	readers int  // calls waiting on readable

	readable sync.Cond
	writable sync.Cond
}

func (p *pipe) init(mu *sync.Mutex, limit int) {
	p.limit = limit
	p.readable.L = mu
	p.writable.L = mu
}

// put appends as much of b as there is room for and returns how much that was.
func (p *pipe) put(b []byte) int {
	b = b[:min(len(b), p.limit-p.size)]
	if len(b) == 0 {
		return 0
	}
	p.grow(p.size + len(b))
	n := copy(p.ring[p.index(p.size):], b)
	copy(p.ring, b[n:])
	p.size += len(b)
	p.readable.Broadcast()
	return len(b)
}

// take moves the oldest bytes into b and returns how many.
func (p *pipe) take(b []byte) int {
	b = b[:min(len(b), p.size)]
	if len(b) == 0 {
		return 0
	}
	n := copy(b, p.ring[p.first:])
	copy(b[n:], p.ring)
	p.first = p.index(len(b))
	p.size -= len(b)
	p.writable.Broadcast()
	return len(b)
}

// finish says that nothing comes after the bytes held.
func (p *pipe) finish() {
	p.fin = true
	p.readable.Broadcast()
}

// discard drops the bytes held and the memory for them.
func (p *pipe) discard() {
	p.ring, p.first, p.size = nil, 0, 0
}

// index returns where in the ring the byte stands that has offset others
// before it; offset is at most len(p.ring). An empty pipe may write anywhere.
func (p *pipe) index(offset int) int {
	i := p.first + offset
	if i >= len(p.ring) {
		i -= len(p.ring)
	}
	return i
}

// grow makes the ring hold need bytes, at least doubling it so that filling a
// buffer byte by byte copies each byte a bounded number of times.
func (p *pipe) grow(need int) {
	if need <= len(p.ring) {
		return
	}
	ring := make([]byte, min(max(need, 2*len(p.ring), minPipe), p.limit))
	if p.size > 0 {
		n := copy(ring, p.ring[p.first:min(p.first+p.size, len(p.ring))])
		copy(ring[n:], p.ring[:p.size-n])
	}
	p.ring, p.first = ring, 0
}
