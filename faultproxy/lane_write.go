package faultproxy

import "time"

// write releases what is queued, until the link is done.
func (n *lane) write() {
	defer n.stop()
	for !n.link.over() {
		select {
		case n.turn <- struct{}{}:
		case <-n.link.done:
			return
		}
		until := n.release()
		<-n.turn
		n.wait(until)
	}
}

// release does what the core decides until it is told to wait, and returns
// until when; the zero time means until something changes. The caller has the
// lane's turn.
func (n *lane) release() (until time.Time) {
	for !n.link.over() {
		h := n.queue.head()
		a := n.core.step(time.Now(), h, n.rules())
		n.countBites()
		if a.do == wait {
			return a.until
		}
		n.carryOut(a, h)
	}
	return time.Time{}
}

// carryOut does what one step asked for, unless that is to wait.
func (n *lane) carryOut(a act, h head) {
	switch a.do {
	case pass:
		n.passOn(a, h)
	case lose:
		n.lose(a, h)
	case join:
		n.queue.join(a.n)
	case latch:
		n.link.latch(a.rule.id)
	case shut:
		n.out.stop()
		n.queue.drain(byFIN)
		n.finishReceiver()
	case sever:
		n.out.stop()
		n.link.sever(a.rule.Side, a.rule.Fault == Cut, a.rule.id)
	case finish:
		n.passEnding(h.ending)
	}
}

// passOn writes what the step allows, and with it what the steps after it
// allow of the same piece, so that rules which look at frames do not cut a
// write into frames.
func (n *lane) passOn(a act, h head) {
	now, rest := time.Now(), h
	for {
		n.pass(a, rest.data[:a.n], now)
		rest.data, rest.queued = rest.data[a.n:], rest.queued-a.n
		if len(rest.data) == 0 || a.flush {
			a = act{do: pass}
			break
		}
		if a = n.core.step(now, rest, n.rules()); a.do != pass {
			break
		}
	}
	n.countBites()
	data := h.data[:len(h.data)-len(rest.data)]
	n.send(data, now)
	n.queue.take(len(data))
	if a.do != pass { // a fault may have fired, and does so once
		n.carryOut(a, n.queue.head())
	}
}

// pass tells the core that data go now, and corrupts them where it said so.
// They are the lane's own.
func (n *lane) pass(a act, data []byte, now time.Time) {
	n.core.passed(data)
	n.core.paced(a, now)
	for _, p := range a.patches {
		data[p.at] = p.rule.corrupted(data[p.at])
	}
}

// send writes data to dst. It blocks while the receiver does not read.
func (n *lane) send(data []byte, now time.Time) {
	n.out.push(data, now)
	if _, err := n.dst.Write(data); err != nil {
		n.receiverGone(time.Now())
	}
}

// lose throws away the first bytes of the queue.
func (n *lane) lose(a act, h head) {
	n.core.passed(h.data[:a.n])
	if n.out != nil {
		n.link.record(Event{What: Lost, Dir: n.dir, Offset: n.core.offset - int64(a.n), Rule: a.rule.id,
			Bytes: h.data[:a.n], Frame: wholeFrame(n.dir, h.data[:a.n])})
		n.out.offset += int64(a.n)
	}
	n.queue.take(a.n)
}

// wait waits until something changes, or until the time if there is one.
func (n *lane) wait(until time.Time) {
	var due <-chan time.Time
	if !until.IsZero() {
		if n.nap(time.Until(until)) {
			return
		}
		n.setTimer(time.Until(until) - n.early)
		due = n.timer.C
	}
	select {
	case <-n.queue.wake:
	case <-due:
	case <-n.link.done:
	}
}

func (n *lane) setTimer(d time.Duration) {
	if n.timer == nil {
		n.timer = time.NewTimer(d)
		return
	}
	n.timer.Reset(d)
}

// stop takes the lane's turn for good.
func (n *lane) stop() {
	if n.timer != nil {
		n.timer.Stop()
	}
	n.turn <- struct{}{}
	n.out.stop()
}

// countBites counts what acted in the last step, and reports it.
func (n *lane) countBites() {
	for _, b := range n.core.bites {
		b.rule.hits.add()
		n.link.record(Event{What: Bit, Dir: n.dir, Offset: n.core.offset, Rule: b.rule.id, Note: b.note})
	}
	n.core.bites = n.core.bites[:0]
}
