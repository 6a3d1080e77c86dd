package faultproxy

import "time"

// connect dials the upstream for the client. It reports false when the link is
// over before it began.
func (l *link) connect() bool {
	if !l.awaitPassage() {
		return false
	}
	conn, err := l.proxy.cfg.Dial(l.ctx)
	if err != nil {
		if l.ctx.Err() == nil {
			l.record(Event{What: DialFailed, Note: err.Error()})
			l.client.reset()
		}
		return false
	}
	l.mu.Lock()
	late := l.finished || l.severed
	if !late {
		l.server.Conn, l.opened = conn, true
	}
	l.mu.Unlock()
	if late {
		_ = conn.Close()
		return false
	}
	l.record(Event{What: Opened, Note: conn.LocalAddr().String() + " to " + conn.RemoteAddr().String()})
	return true
}

// awaitPassage holds the connect back while a partition of both directions
// lasts: a handshake needs both. A client that ends its connection meanwhile
// is never heard of upstream; awaitPassage then reports false.
func (l *link) awaitPassage() bool {
	up := l.lanes[0]
	for held := false; ; held = true {
		r := l.proxy.parted(l.number)
		if r == nil {
			return true
		}
		if !held {
			r.hits.add()
			l.record(Event{What: Bit, Rule: r.id, Note: "connect"})
			up.mode.Store(ruled)
			up.startReading()
		}
		select {
		case <-up.queue.wake:
		case <-l.done:
			return false
		}
		if up.queue.hasEnded() {
			return false
		}
	}
}

// severedAtOnce carries out the cuts and resets that wait for nothing. It
// reports whether the link is over by one.
func (l *link) severedAtOnce() bool {
	for _, r := range *l.proxy.rules.Load() {
		if r.atOnce() && (r.Fault == Cut || r.Fault == Reset) && r.Conn.Has(l.number) {
			l.severBy(r)
		}
	}
	return l.over()
}

// severBy carries out a cut or a reset that waits for nothing.
func (l *link) severBy(r *rule) {
	r.hits.add()
	l.record(Event{At: time.Now(), What: Bit, Rule: r.id})
	l.sever(r.Side, r.Fault == Cut, r.id)
}
