package conformance

import (
	"fmt"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

// WantAcquire takes the ACQUIRE, and returns it. It must be the one that the client
// was asked for, on every connection (C-ACQ-01); one that is not ends nothing, so that
// what the client does next is judged, too.
func (p *Peer) WantAcquire(id spec.ID, why string) wire.Acquire {
	m := p.takeAcquire(id, why)
	p.judgeAcquire(m)
	return m.frame.Acquire
}

// TakeAcquire takes the ACQUIRE, whatever it asks for, and returns it. What else may
// come first is the monitors' matter.
func (p *Peer) TakeAcquire(id spec.ID, why string) wire.Acquire {
	return p.takeAcquire(id, why).frame.Acquire
}

func (p *Peer) takeAcquire(id spec.ID, why string) message {
	m, ok := p.take(p.t.InAnswerTime().By)
	const expected = "an ACQUIRE as the first message"
	switch {
	case !ok:
		p.t.Late(id, why, expected, fmt.Sprintf("%s: nothing within %v", p.who, AnswerTime))
	case m.end != nil:
		p.judge(id, why, expected, clientEnd(m.end), m.event)
	case m.frame.Type != wire.TypeAcquire:
		p.judge(id, why, expected, m.frame.String(), m.event)
	}
	p.t.Pass(id, why)
	return m
}

// WantHeartbeat takes the next heartbeat, within the window, and tells when it came.
func (p *Peer) WantHeartbeat(id spec.ID, why string, w Window) time.Time {
	m, ok := p.take(w.By.Add(latePatience))
	const expected = "a HEARTBEAT"
	switch {
	case !ok && p.t.Lateness(w.From) >= latePatience:
		p.t.Doubt(id, why, expected, p.who+": none")
	case !ok:
		p.t.Late(id, why, expected, fmt.Sprintf("%s: none within %s", p.who, span(time.Since(w.From))))
	case m.end != nil:
		p.judge(id, why, expected, clientEnd(m.end), m.event)
	case m.frame.Type != wire.TypeHeartbeat:
		p.judge(id, why, expected, m.frame.String(), m.event)
	default:
		p.t.judgeInstant(p.who, id, why, expected, m.at, m.event, w)
	}
	return m.at
}

// NextHeartbeat takes the next heartbeat without a judgement. It reports false where
// something else, the end, or nothing came.
func (p *Peer) NextHeartbeat(until time.Time) (time.Time, bool) {
	m, ok := p.take(until)
	return m.at, ok && m.end == nil && m.frame.Type == wire.TypeHeartbeat
}

// WantClosed waits for the client's end of the connection, FIN and RST alike,
// within the window. Messages that come before it are no matter, and stay.
func (p *Peer) WantClosed(id spec.ID, why string, w Window) time.Time {
	m, ok := p.box.await(p.t.ctx, w.By.Add(latePatience+p.t.params.Patience), false, func(m message) bool { return m.end != nil })
	const expected = "the connection closed by the client"
	switch {
	case p.t.ctx.Err() != nil:
		p.t.quit()
	case !ok && p.t.Lateness(w.From) >= latePatience:
		p.t.Doubt(id, why, expected, p.who+": still open")
	case !ok:
		p.t.Late(id, why, expected, fmt.Sprintf("%s: still open after %s", p.who, span(time.Since(w.From))))
	case isGarbage(m.end):
		p.judge(id, why, expected, m.end.Error(), m.event)
	default:
		p.t.judgeInstant(p.who, id, why, expected, m.at, m.event, w)
	}
	return m.at
}

// WantNothing proves that the client sends nothing before an instant, and does
// not end the connection either.
func (p *Peer) WantNothing(id spec.ID, why string, until time.Time) bool {
	m, ok := p.box.await(p.t.ctx, until, false, func(message) bool { return true })
	if p.t.ctx.Err() != nil {
		p.t.quit()
	}
	if ok && m.at.Before(until) {
		p.judge(id, why, "nothing from the client", describeMessage(m), m.event)
		return false
	}
	p.t.Pass(id, why)
	return true
}

// AwaitEnd waits for the client's end of the connection without a judgement.
func (p *Peer) AwaitEnd(until time.Time) {
	p.box.await(p.t.ctx, until, false, func(m message) bool { return m.end != nil })
	if p.t.ctx.Err() != nil {
		p.t.quit()
	}
}

// WantNoMessage proves that nothing has come since the last Want or Drain; an end
// of the connection is none.
func (p *Peer) WantNoMessage(id spec.ID, why string) bool {
	for _, m := range p.box.all() {
		if m.end == nil || isGarbage(m.end) {
			p.judge(id, why, "no message", describeMessage(m), m.event)
			return false
		}
	}
	p.t.Pass(id, why)
	return true
}

// WantOpen proves that the client does not end the connection before an instant.
func (p *Peer) WantOpen(id spec.ID, why string, until time.Time) bool {
	m, ok := p.box.await(p.t.ctx, until, false, func(m message) bool { return m.end != nil })
	if p.t.ctx.Err() != nil {
		p.t.quit()
	}
	if ok && m.at.Before(until) {
		p.judge(id, why, "the connection stays open", clientEnd(m.end), m.event)
		return false
	}
	p.t.Pass(id, why)
	return true
}

// Drain drops the messages that came so far; an end stays.
func (p *Peer) Drain() {
	p.box.mu.Lock()
	defer p.box.mu.Unlock()
	kept := p.box.items[:0]
	for _, m := range p.box.items {
		if m.end != nil {
			kept = append(kept, m)
		}
	}
	p.box.items = kept
}

// take takes the next message, the end included.
func (p *Peer) take(until time.Time) (message, bool) {
	m, ok := p.box.await(p.t.ctx, until.Add(p.t.params.Patience), true, func(message) bool { return true })
	if !ok && p.t.ctx.Err() != nil {
		p.t.quit()
	}
	return m, ok
}

func (p *Peer) judge(id spec.ID, why, expected, actual string, event int) {
	p.t.judge(Judgement{ID: id, Verdict: failed(id), Sentence: why, Expected: expected, Actual: p.who + ": " + actual, Event: event})
}

func describeMessage(m message) string {
	if m.end != nil {
		return clientEnd(m.end)
	}
	return m.frame.String()
}

func clientEnd(end error) string {
	switch {
	case isReset(end):
		return "the client reset the connection (RST)"
	case isGarbage(end):
		return end.Error()
	}
	return "the client closed the connection (FIN)"
}
