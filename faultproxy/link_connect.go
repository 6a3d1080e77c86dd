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
	if !l.open(conn) {
		return false
	}
	l.record(Event{What: Opened, Local: conn.LocalAddr().String(), Remote: conn.RemoteAddr().String(), Note: conn.LocalAddr().String() + " to " + conn.RemoteAddr().String()})
	return true
}

// open takes over the upstream connection. It reports false when the link was
// ended meanwhile; the connection ends in the same way then.
func (l *link) open(conn Conn) bool {
	l.mu.Lock()
	late, abort := l.finished || l.severed, l.aborted
	if !late {
		l.server.Conn, l.opened = conn, true
	}
	l.mu.Unlock()
	if late && abort {
		_ = conn.SetLinger(0)
	}
	if late {
		_ = conn.Close()
	}
	return !late
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

// severBy carries out a cut or a reset that waits for nothing, once.
func (l *link) severBy(r *rule) {
	if !l.fired.set(r.id) {
		return
	}
	r.hits.add()
	l.record(Event{At: time.Now(), What: Bit, Rule: r.id})
	l.sever(r.Side, r.Fault == Cut, r.id)
}
