package faultproxy

import (
	"context"
	"sync"
	"time"
)

// drainTime is how long a connection that was cut is read on, so that unread
// bytes do not turn its FIN into a reset.
const drainTime = time.Second

// link joins a client's connection with one to the upstream.
type link struct {
	proxy  *Proxy
	number int
	since  time.Time
	client *socket
	server *socket // its Conn is set by the dial
	lanes  [2]*lane
	done   chan struct{} // closed: both connections are closed
	ctx    context.Context
	cancel context.CancelFunc

	latches latches

	mu       sync.Mutex // never held across I/O
	opened   bool       // server is set
	severed  bool       // by the proxy, not by a peer
	finished bool
	drains   []*time.Timer
}

func newLink(p *Proxy, number int, client Conn, framed bool) *link {
	l := &link{proxy: p, number: number, since: time.Now(), done: make(chan struct{}),
		client: &socket{Conn: client}, server: &socket{}}
	l.ctx, l.cancel = context.WithCancel(p.ctx)
	l.lanes[0] = newLane(l, Up, l.client, l.server, framed)
	l.lanes[1] = newLane(l, Down, l.server, l.client, framed)
	return l
}

// serve joins the connections until both are closed.
func (l *link) serve() {
	defer l.finish()
	if !l.connect() || l.severedAtOnce() {
		return
	}
	var lanes sync.WaitGroup
	lanes.Go(l.lanes[1].run)
	l.lanes[0].run()
	lanes.Wait()
}

func (l *link) opposite(n *lane) *lane {
	if n == l.lanes[0] {
		return l.lanes[1]
	}
	return l.lanes[0]
}

// latch puts a partition that waited for a frame into force, on both lanes.
func (l *link) latch(id ID) {
	l.latches.set(id)
	l.rulesChanged()
}

func (l *link) rulesChanged() {
	for _, n := range l.lanes {
		n.queue.poke()
	}
}

// record reports e as an event of this link, of now if it has no time.
func (l *link) record(e Event) {
	if l.proxy.cfg.Record == nil {
		return
	}
	if e.At.IsZero() {
		e.At = time.Now()
	}
	e.Conn = l.number
	l.proxy.record(e)
}

// latches are the partitions that a frame has put into force.
type latches struct {
	mu  sync.Mutex
	ids map[ID]bool
}

func (l *latches) has(id ID) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.ids[id]
}

func (l *latches) set(id ID) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ids == nil {
		l.ids = make(map[ID]bool)
	}
	l.ids[id] = true
}
