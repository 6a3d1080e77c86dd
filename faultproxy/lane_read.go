package faultproxy

import (
	"errors"
	"io"
	"os"
	"time"
)

// Sizes of the reader's buffer, in bytes. It follows what the reads bring, so
// that an idle connection keeps a small one.
const (
	smallRead = 512
	largeRead = 64 << 10
)

// startReading starts the reader, once, unless src is gone already.
func (n *lane) startReading() {
	if n.reads {
		return
	}
	n.reads = true
	n.link.mu.Lock()
	ended := n.ended
	n.link.mu.Unlock()
	running := &n.link.proxy.running
	if ended {
		running.Go(n.watch)
	} else {
		running.Go(n.read)
	}
}

// read puts what comes from src into the queue, with its stamp, until the
// stream ends. While the queue is full it does not read, and so the sender
// has to wait.
func (n *lane) read() {
	defer n.watch()
	defer n.in.stop()
	buf := make([]byte, smallRead)
	for n.awaitRoom() {
		got, err := n.src.Read(buf)
		now := time.Now()
		if got > 0 {
			n.in.push(buf[:got], now)
			data, kept := trim(buf, got)
			n.deliver(data, now)
			size := nextSize(len(buf), got, smallRead, largeRead)
			if kept || size != len(buf) {
				buf = make([]byte, size)
			}
		}
		if err != nil && !n.readOn(err, now) {
			return
		}
	}
}

// watch waits for the reset of a source that has sent a FIN.
func (n *lane) watch() {
	if n.src.awaitReset() {
		n.sourceEnded(byRST, time.Now())
	}
}

// deliver queues data, and releases what can go at once if it is little: the
// reader should not have to wait for a receiver.
func (n *lane) deliver(data []byte, at time.Time) {
	n.queue.put(data, at)
	if len(data) > smallRead || !n.released() {
		n.queue.poke()
		return
	}
	if n.queue.waiting() {
		n.queue.poke()
	}
}

// released takes the lane's turn and releases, unless somebody else has it or
// the lane is not open yet.
func (n *lane) released() bool {
	if !n.running.Load() {
		return false
	}
	select {
	case n.turn <- struct{}{}:
		n.release()
		<-n.turn
		return true
	default:
		return false
	}
}

// trim returns the first n bytes of buf: a copy where they are few, so that
// nothing keeps a large buffer for them, and else buf itself, which is kept.
func trim(buf []byte, n int) (data []byte, kept bool) {
	if n > len(buf)/2 {
		return buf[:n], true
	}
	return append([]byte(nil), buf[:n]...), false
}

// nextSize returns the size of the buffer for the next read, after one of size
// has brought that much.
func nextSize(size, got, smallest, largest int) int {
	switch {
	case got == size:
		return min(2*size, largest)
	case got < size/8:
		return max(size/2, smallest)
	}
	return size
}

// readOn reports whether reading goes on after err.
func (n *lane) readOn(err error, now time.Time) bool {
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded): // left over from an interrupt
		return n.src.SetReadDeadline(time.Time{}) == nil
	case errors.Is(err, io.EOF):
		n.sourceEnded(n.src.howEnded(), now)
	default:
		n.sourceEnded(byRST, now)
	}
	return false
}

// awaitRoom waits until the queue is not full. It reports false when the link
// is done.
func (n *lane) awaitRoom() bool {
	for n.queue.full() {
		select {
		case <-n.queue.room:
		case <-n.link.done:
			return false
		}
	}
	return true
}
