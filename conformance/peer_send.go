package conformance

import (
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/monitor"
	"github.com/monolock-dev/monolock-conform/conformance/timeline"
	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

// Answer answers every heartbeat from now on, at once and with the state that
// was last told.
func (p *Peer) Answer() { p.AnswerAs(promptly) }

// AnswerLate answers every heartbeat from now on after a delay.
func (p *Peer) AnswerLate(delay time.Duration) {
	p.AnswerAs(func(int) (time.Duration, bool) { return delay, true })
}

// AnswerAs answers heartbeats from now on as the function says.
func (p *Peer) AnswerAs(a Answering) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.answer = a
}

// Again answers the last heartbeat that came, as if it came now.
func (p *Peer) Again() {
	if beats := p.Beats(); len(beats) > 0 {
		p.answerAt(beats[len(beats)-1], time.Now())
	}
}

// FallSilent answers nothing from now on, and returns the last confirmation. An
// answer that is on its way is still sent.
func (p *Peer) FallSilent() Confirmation {
	p.AnswerAs(nil)
	p.t.band(bandOf("silence", p.who), time.Now(), time.Time{})
	p.t.Remark(p.who, "the server falls silent")
	return p.Last()
}

// StopReading reads nothing any more, so that the client's sends pile up (a zero
// window, once the buffers are full).
func (p *Peer) StopReading() {
	p.t.Remark(p.who, "the server stops reading")
	p.AnswerAs(nil)
	p.conn.SetReadDeadline(time.Now())
}

// Wait tells the client WAITING.
func (p *Peer) Wait() Stamp { return p.tell(wire.WaitingFrame) }

// Grant tells the client ACQUIRED, as the answer to its ACQUIRE or as a push.
func (p *Peer) Grant(token uint64) Stamp { return p.tell(wire.AcquiredFrame(token)) }

// tell sends a frame that sets the state. The first answers the ACQUIRE; a later
// one answers nothing.
func (p *Peer) tell(frame wire.Frame) Stamp {
	p.mu.Lock()
	came := time.Time{}
	if p.state.Type == 0 {
		came = p.asked
	}
	p.state = frame
	p.mu.Unlock()
	return p.confirm(frame, came)
}

// Error sends an ERROR.
func (p *Peer) Error(code wire.Code, reason string) Stamp {
	return p.Send(wire.ErrorFrame(code, reason))
}

// confirm sends a WAITING or ACQUIRED and notes it as the last confirmation.
func (p *Peer) confirm(frame wire.Frame, answers time.Time) Stamp {
	stamp := p.Send(frame)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.last = Confirmation{Sent: stamp, Answers: answers}
	p.replies.put(answers)
	return stamp
}

// Settle waits until the last heartbeat that came is answered.
func (p *Peer) Settle() {
	beats := p.Beats()
	if len(beats) == 0 {
		return
	}
	last := beats[len(beats)-1]
	p.replies.await(p.t.ctx, p.t.InAnswerTime().By, true, func(at time.Time) bool { return at.Equal(last) })
	if p.t.ctx.Err() != nil {
		p.t.quit()
	}
}

// Send sends frames in one write. It changes no state.
func (p *Peer) Send(frames ...wire.Frame) Stamp {
	var data []byte
	p.writing <- struct{}{}
	defer func() { <-p.writing }()
	for _, f := range frames {
		data = wire.Append(data, f)
		p.t.tl.Add(time.Now(), timeline.Event{Who: p.who, By: timeline.Suite, What: timeline.Send, Frame: &f, Bytes: wire.Bytes(f)})
	}
	return p.write(data)
}

// SendRaw sends bytes that are no frame, or a part of one.
func (p *Peer) SendRaw(data []byte, note string) Stamp {
	p.writing <- struct{}{}
	defer func() { <-p.writing }()
	p.t.tl.Add(time.Now(), timeline.Event{Who: p.who, By: timeline.Suite, What: timeline.Send, Bytes: data, Note: note})
	return p.write(data)
}

// SendCut sends a frame byte by byte, with a pause behind each, and notes it as a
// confirmation where it is one. No answer gets between its bytes.
func (p *Peer) SendCut(frame wire.Frame) Stamp {
	whole := wire.Bytes(frame)
	p.mu.Lock()
	came := time.Time{}
	if p.state.Type == 0 {
		came = p.asked
	}
	p.state = frame
	p.mu.Unlock()
	p.writing <- struct{}{}
	defer func() { <-p.writing }()
	for i := range whole[:len(whole)-1] {
		p.t.tl.Add(time.Now(), timeline.Event{Who: p.who, By: timeline.Suite, What: timeline.Send, Bytes: whole[i : i+1], Note: monitor.Piece})
		p.write(whole[i : i+1])
		p.t.Pause(pieceGap)
	}
	p.t.tl.Add(time.Now(), timeline.Event{Who: p.who, By: timeline.Suite, What: timeline.Send, Frame: &frame, Bytes: whole[len(whole)-1:]})
	stamp := p.write(whole[len(whole)-1:])
	p.mu.Lock()
	defer p.mu.Unlock()
	p.last = Confirmation{Sent: stamp, Answers: came}
	return stamp
}

func (p *Peer) write(data []byte) Stamp {
	p.conn.SetWriteDeadline(time.Now().Add(AnswerTime))
	before := time.Now()
	p.conn.Write(data)
	return Stamp{Before: before, After: time.Now(), who: p.who}
}

// Close ends the connection as a server does: a FIN.
func (p *Peer) Close() Stamp { return p.leave(timeline.FIN, func() { p.conn.CloseWrite() }) }

// Reset ends the connection with a RST.
func (p *Peer) Reset() Stamp {
	return p.leave(timeline.RST, func() {
		p.conn.SetLinger(0)
		p.conn.Close()
	})
}

func (p *Peer) leave(what timeline.What, end func()) Stamp {
	p.mu.Lock()
	p.left, p.answer = true, nil
	p.mu.Unlock()
	before := time.Now()
	p.t.tl.Add(before, timeline.Event{Who: p.who, By: timeline.Suite, What: what})
	end()
	return Stamp{Before: before, After: time.Now(), who: p.who}
}
