package capture

import (
	"net/netip"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/timeline"
)

// packet is one packet as a capture holds it: length is what went over the wire,
// data what was kept of it.
type packet struct {
	who    string
	at     time.Duration
	order  int // of the event that it belongs to, for packets of one instant
	data   []byte
	length int
}

// writtenConn turns the events of one connection into packets.
type writtenConn struct {
	who    string
	number int
	events []timeline.Event // in the order of their stamps
	orders []int            // where each stands among all events
	order  int              // of the present one

	ends [2]end // the suite's and the peer's
	last time.Duration
	// owes is who has to acknowledge, and due until when a stack would wait for
	// something to send with it; -1 is nobody.
	owes int
	due  time.Duration
	// resetBy is the end that has reset the connection, or nobody; bytes that were
	// stamped behind it came before it and go first.
	resetBy int
	over    bool // the reset is sent
	out     []packet
}

// end is one end of a connection.
type end struct {
	addr   netip.AddrPort
	next   uint32 // the next sequence number
	closed bool   // its FIN is sent
	asked  bool   // it has ended its direction, and bytes of it are still to come
	left   int    // events with bytes that are still to come
}

const (
	suiteEnd = 0
	peerEnd  = 1
	nobody   = -1
)

// Times that a timeline does not know.
const (
	// handshakeStep is from one packet of a handshake to the next.
	handshakeStep = time.Microsecond
	// delayedAck is how long a stack waits for data to acknowledge with.
	delayedAck = 40 * time.Millisecond
	// segmentSize is the most in one segment: two of them fit the window, and
	// gopacket writes no length above 65,495 bytes.
	segmentSize = 16 << 10
)

// packets composes the whole connection.
func (c *writtenConn) packets() []packet {
	opened := timeline.Event{By: timeline.Suite}
	for _, e := range c.events {
		switch e.What {
		case timeline.Open:
			opened = e
		case timeline.Send, timeline.Recv:
			c.ends[sender(e)].left++
		}
	}
	c.order = c.orders[0]
	c.open(opened)
	for i, e := range c.events {
		c.order = c.orders[i]
		c.event(e)
	}
	if c.owes != nobody {
		c.ack(c.due)
	}
	return c.out
}

// sender is the end that an event's bytes come from.
func sender(e timeline.Event) int {
	if e.What == timeline.Recv || e.What != timeline.Send && e.By == timeline.Subject {
		return peerEnd
	}
	return suiteEnd
}

// open writes the handshake before the first event: an Open is told when the
// connection stands, and bytes may have been seen before that.
func (c *writtenConn) open(opened timeline.Event) {
	c.ends[suiteEnd].addr, c.ends[peerEnd].addr = endsOf(opened, c.number)
	for i := range c.ends {
		c.ends[i].next = uint32(c.number)<<20 | uint32(i)<<16 | 1
	}
	c.owes, c.resetBy = nobody, nobody
	caller := suiteEnd
	if opened.By == timeline.Subject {
		caller = peerEnd
	}
	c.last = c.events[0].At - 3*handshakeStep
	c.segment(caller, c.last+handshakeStep, flagSYN, nil, 0)
	c.segment(1-caller, c.last+handshakeStep, flagSYN|flagACK, nil, 0)
	c.segment(caller, c.last+handshakeStep, flagACK, nil, 0)
}

func (c *writtenConn) event(e timeline.Event) {
	from := sender(e)
	if c.over {
		return
	}
	switch e.What {
	case timeline.Send, timeline.Recv:
		c.ends[from].left--
		if !c.ends[from].closed {
			c.payload(from, e)
		}
	case timeline.FIN:
		c.ends[from].asked = true
	case timeline.RST:
		if c.resetBy == nobody {
			c.resetBy = from
		}
	}
	c.close(e.At)
}

// close writes the FIN of each end that has ended and said all, and the reset.
func (c *writtenConn) close(at time.Duration) {
	for i := range c.ends {
		if e := &c.ends[i]; e.asked && !e.closed && e.left == 0 {
			e.closed = true
			c.segment(i, at, flagFIN|flagACK, nil, 0)
		}
	}
	if c.resetBy == nobody || c.ends[suiteEnd].left+c.ends[peerEnd].left > 0 {
		return
	}
	c.over = true
	if !c.ends[suiteEnd].closed || !c.ends[peerEnd].closed {
		c.segment(c.resetBy, at, flagRST|flagACK, nil, 0)
		c.owes = nobody
	}
}

// payload writes the bytes of one event. Those that were not kept are cut off.
func (c *writtenConn) payload(from int, e timeline.Event) {
	kept, size := e.Bytes, max(e.Size, len(e.Bytes))
	for size > 0 {
		length := min(size, segmentSize)
		c.segment(from, e.At, flagPSH|flagACK, kept[:min(len(kept), length)], length)
		kept, size = kept[min(len(kept), length):], size-length
	}
}

// segment writes one segment and keeps both ends' numbers. The other end owes an
// acknowledgement, at once if it owed one already.
func (c *writtenConn) segment(from int, at time.Duration, flags uint8, kept []byte, size int) {
	if c.owes == 1-from && at > c.due {
		c.ack(c.due)
	}
	twice := c.owes == 1-from && size > 0
	c.write(from, at, flags, kept, size)
	if c.owes == from {
		c.owes = nobody // acknowledged by the way
	}
	if size > 0 || flags&flagFIN != 0 {
		c.owes, c.due = 1-from, c.last+delayedAck
	}
	if twice {
		c.ack(c.last)
	}
}

func (c *writtenConn) ack(at time.Duration) {
	c.write(c.owes, at, flagACK, nil, 0)
	c.owes = nobody
}

// write appends a packet, never before the one before it.
func (c *writtenConn) write(from int, at time.Duration, flags uint8, kept []byte, size int) {
	c.last = max(c.last, at)
	source, to := &c.ends[from], &c.ends[1-from]
	ack := to.next
	if flags&flagACK == 0 {
		ack = 0
	}
	header, length := segmentBytes(source.addr, to.addr, source.next, ack, flags, kept, size)
	c.out = append(c.out, packet{who: c.who, at: c.last, order: c.order, data: header, length: length})
	source.next += uint32(size)
	if flags&(flagSYN|flagFIN) != 0 {
		source.next++
	}
}
