package faultproxy

import "time"

// sever ends the connections of that side, with a FIN or a reset. What is
// under way between the two is lost, also for a side that stays open: that one
// hears nothing more, and is closed when its peer ends it.
func (l *link) sever(side Side, withFIN bool, by ID) {
	l.mu.Lock()
	if l.finished {
		l.mu.Unlock()
		return
	}
	l.severed = true
	opened := l.opened
	l.aborted = !opened && !withFIN
	for _, n := range l.lanes {
		n.shut = true
	}
	l.mu.Unlock()

	e := Event{What: Severed, Rule: by, Side: side, Ending: byRST.String(), Note: "reset of " + side.String()}
	if withFIN {
		e.Ending, e.Note = byFIN.String(), "cut of "+side.String()
	}
	l.record(e)
	if !opened {
		l.endAll(BothSides, withFIN)
		l.finish()
		return
	}
	for _, n := range l.lanes {
		n.queue.drain(byRST)
		n.interrupt()
	}
	l.endAll(side, withFIN)
	l.settle(func() {})
}

// endAll sends the sockets of a side a FIN or a reset.
func (l *link) endAll(side Side, withFIN bool) {
	for _, s := range l.sockets(side) {
		if !withFIN {
			s.reset()
			continue
		}
		_ = s.end()
		l.closeLater(s)
	}
}

// closeLater closes s when it was drained long enough.
func (l *link) closeLater(s *socket) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.finished {
		l.drains = append(l.drains, time.AfterFunc(drainTime, func() { _ = s.Close() }))
	}
}

// sockets returns the open sockets of a side.
func (l *link) sockets(side Side) []*socket {
	l.mu.Lock()
	defer l.mu.Unlock()
	var open []*socket
	if side != ServerSide {
		open = append(open, l.client)
	}
	if side != ClientSide && l.opened {
		open = append(open, l.server)
	}
	return open
}

// collapse resets both connections and ends the link. Neither gets a FIN first: a
// lane that sees the one reset must not pass an ending on to the other.
func (l *link) collapse() {
	l.mu.Lock()
	l.aborted = l.aborted || !l.opened // a dial that is under way ends with a reset, too
	l.mu.Unlock()
	both := l.sockets(BothSides)
	for _, s := range both {
		s.shut.Store(true)
		_ = s.SetLinger(0) // whoever closes it: a lane that ends meanwhile may be first
	}
	for _, s := range both {
		s.reset()
	}
	l.finish()
}

// settle notes a change of a lane's state, and finishes the link when nothing
// more can come or go.
func (l *link) settle(change func()) {
	l.mu.Lock()
	change()
	over := l.opened
	for _, n := range l.lanes {
		over = over && n.ended && n.shut
	}
	l.mu.Unlock()
	if over {
		l.finish()
	}
}

// finish closes whatever is open. It may be called again.
func (l *link) finish() {
	l.mu.Lock()
	first := !l.finished
	l.finished = true
	for _, t := range l.drains {
		t.Stop()
	}
	l.mu.Unlock()
	if !first {
		return
	}
	for _, s := range l.sockets(BothSides) {
		_ = s.Close()
	}
	l.record(Event{What: Closed})
	l.proxy.forget(l)
	l.cancel()
	close(l.done)
}

func (l *link) isSevered() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.severed || l.finished
}

// isOpened reports whether the upstream was dialled.
func (l *link) isOpened() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.opened
}

// over reports whether the link is finished.
func (l *link) over() bool {
	select {
	case <-l.done:
		return true
	default:
		return false
	}
}
