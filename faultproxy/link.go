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

	latches idSet // partitions that a frame has put into force
	fired   idSet // cuts and resets that happened

	mu       sync.Mutex // never held across I/O
	opened   bool       // server is set
	severed  bool       // by the proxy, not by a peer
	aborted  bool       // by a reset, before the upstream was there
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

// idSet is a set of rules.
type idSet struct {
	mu  sync.Mutex
	ids map[ID]bool
}

func (s *idSet) has(id ID) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ids[id]
}

// set adds a rule, and reports whether that is news.
func (s *idSet) set(id ID) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ids[id] {
		return false
	}
	if s.ids == nil {
		s.ids = make(map[ID]bool)
	}
	s.ids[id] = true
	return true
}
