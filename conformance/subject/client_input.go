package subject

import (
	"io"
	"sync"
)

// wordInput is the standard input of an adapter in this program: a queue of
// bytes without a bound, so that writing never waits. Its lock is held for
// memory alone and its wait is a [sync.Cond], so that virtual time can pass.
type wordInput struct {
	mu     sync.Mutex
	more   sync.Cond
	bytes  []byte
	closed bool
}

func newWordInput() *wordInput {
	in := &wordInput{}
	in.more.L = &in.mu
	return in
}

// Read waits for bytes or for the end, io.EOF.
func (in *wordInput) Read(p []byte) (int, error) {
	in.mu.Lock()
	defer in.mu.Unlock()
	for len(in.bytes) == 0 && !in.closed && len(p) > 0 {
		in.more.Wait()
	}
	if len(in.bytes) == 0 && in.closed {
		return 0, io.EOF
	}
	n := copy(p, in.bytes)
	in.bytes = in.bytes[n:]
	return n, nil
}

// Write fails after close alone.
func (in *wordInput) Write(p []byte) (int, error) {
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.closed {
		return 0, io.ErrClosedPipe
	}
	in.bytes = append(in.bytes, p...)
	in.more.Broadcast()
	return len(p), nil
}

// close lets Read end once it has given what was written.
func (in *wordInput) close() {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.closed = true
	in.more.Broadcast()
}
