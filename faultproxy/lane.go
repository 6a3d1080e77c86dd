package faultproxy

import (
	"sync/atomic"
	"time"
)

// lane is one direction of a link: what comes from src goes to dst.
//
//	src ─▶ reader ─▶ queue ─▶ writer: core.step(head, now) ─▶ dst
//
// The reader releases what it has read by itself if nothing holds it and nobody
// else is at it, which spares a small frame the way to another goroutine.
//
// A plain lane uses neither reader nor queue: its one goroutine copies from
// socket to socket, until the first rule that concerns it interrupts the copy.
type lane struct {
	link     *link
	dir      Dir
	src, dst *socket
	queue    *queue
	core     *core
	mode     atomic.Int32
	running  atomic.Bool // dst is open

	// turn holds a token while somebody releases: the writer, or the reader
	// with what it has just read. It guards core and these.
	turn chan struct{}
	seen *[]*rule // the proxy's rules that mine were taken from
	mine []*rule
	out  *framer

	timer *time.Timer   // of the writer
	early time.Duration // see nap
	in    *framer       // of the reader
	reads bool          // the reader was started

	// The link's mutex guards these.
	ended bool // nothing more comes from src
	shut  bool // nothing more goes to dst
}

// The modes of a lane.
const (
	ruled       int32 = iota // reader, queue, writer
	plain                    // one copy loop
	interrupted              // a copy loop that was told to end
)

func newLane(l *link, dir Dir, src, dst *socket, framed bool) *lane {
	p := l.proxy
	n := &lane{link: l, dir: dir, src: src, dst: dst, queue: newQueue(p.cfg.Hold),
		turn: make(chan struct{}, 1)}
	n.core = newCore(key{p.cfg.Seed, l.number, dir}, framed, l.latches.has)
	if p.cfg.Record != nil {
		n.in = &framer{event: p.cfg.Record, conn: l.number, dir: dir, what: Received}
		n.out = &framer{event: p.cfg.Record, conn: l.number, dir: dir, what: Released}
	}
	return n
}

// run moves the lane's bytes until the link is done.
func (n *lane) run() {
	n.early = earliness(n.src, n.dst)
	if n.mode.Load() != ruled {
		n.copy()
	}
	n.running.Store(true)
	n.startReading()
	n.write()
}

// rules returns the rules that concern this lane.
func (n *lane) rules() []*rule {
	all := n.link.proxy.rules.Load()
	if all == n.seen {
		return n.mine
	}
	n.seen, n.mine = all, nil
	for _, r := range *all {
		if r.concerns(n.link.number, n.dir) {
			n.mine = append(n.mine, r)
		}
	}
	n.core.forget(n.mine)
	return n.mine
}

// interrupt makes a plain lane go on under rules. It does not block. A read
// that waits is ended by its deadline; what a read brings from now on is the
// rules'. Only a write that waits for the receiver is completed first.
func (n *lane) interrupt() {
	if n.mode.CompareAndSwap(plain, interrupted) && n.link.isOpened() {
		_ = n.src.SetReadDeadline(time.Unix(1, 0))
	}
}
