package faultproxy

import "time"

// Sizes of the buffer of a plain lane, in bytes. A large one moves more a
// second than splice(2) does on loopback, and an idle lane keeps a small one.
const (
	smallCopy = 4 << 10
	largeCopy = 256 << 10
)

// copy moves bytes from socket to socket until the stream ends or the first
// rule comes that concerns the lane.
//
// The mode is looked at between a read and its write: what is read after a rule
// was added is never written past it, and what was read is never lost.
func (n *lane) copy() {
	buf := make([]byte, smallCopy)
	if n.mode.Load() != plain { // already, before there was anything to read
		n.leavePlain(nil, 0, nil)
		return
	}
	for {
		got, err := n.src.Read(buf)
		if err != nil || n.mode.Load() != plain {
			n.leavePlain(buf, got, err)
			return
		}
		if _, err := n.dst.Write(buf[:got]); err != nil {
			n.leavePlain(nil, 0, nil)
			n.receiverGone(time.Now())
			return
		}
		n.core.skip(got)
		if size := nextSize(len(buf), got, smallCopy, largeCopy); size != len(buf) {
			buf = make([]byte, size)
		}
	}
}

// leavePlain hands over to the rules what the last read brought.
func (n *lane) leavePlain(buf []byte, got int, err error) {
	now := time.Now()
	n.mode.Store(ruled)
	if got > 0 {
		data, _ := trim(buf, got)
		n.queue.put(data, now)
	}
	if err != nil {
		n.readOn(err, now)
	}
}
