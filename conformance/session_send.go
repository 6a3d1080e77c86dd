package conformance

import (
	"bytes"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/monitor"
	"github.com/monolock-dev/monolock-conform/conformance/timeline"
	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

// Send sends frames in one write, so that small ones share a segment. A failed
// write is no judgement: the reader sees how the connection ended.
func (s *Session) Send(frames ...wire.Frame) Stamp {
	var data []byte
	for _, f := range frames {
		data = wire.Append(data, f)
		s.asks(f)
		s.t.tl.Add(time.Now(), timeline.Event{Who: s.who, By: timeline.Suite, What: timeline.Send, Frame: &f, Bytes: wire.Bytes(f)})
	}
	stamp := s.write(data)
	for _, f := range frames {
		s.sent(f, stamp)
	}
	return stamp
}

// SendRaw sends bytes that are no valid message, or whose meaning is left open.
func (s *Session) SendRaw(data []byte, note string) Stamp {
	s.t.tl.Add(time.Now(), timeline.Event{Who: s.who, By: timeline.Suite, What: timeline.Send, Bytes: data, Note: note})
	return s.write(data)
}

// SendCut sends one frame in pieces, cut at the given offsets, each in a
// segment of its own with a pause before the next.
func (s *Session) SendCut(f wire.Frame, cuts ...int) Stamp {
	whole, from := wire.Bytes(f), 0
	s.asks(f)
	for _, to := range cuts {
		s.t.tl.Add(time.Now(), timeline.Event{Who: s.who, By: timeline.Suite, What: timeline.Send, Bytes: whole[from:to], Note: monitor.Piece})
		s.write(whole[from:to])
		s.t.Pause(pieceGap)
		from = to
	}
	s.t.tl.Add(time.Now(), timeline.Event{Who: s.who, By: timeline.Suite, What: timeline.Send, Frame: &f, Bytes: whole[from:]})
	stamp := s.write(whole[from:])
	s.sent(f, stamp)
	return stamp
}

// Heartbeat sends one heartbeat; its answer is for [Session.WantAnswer] to take.
func (s *Session) Heartbeat() Stamp { return s.Send(wire.HeartbeatFrame) }

// Flood sends one byte so many times, until nothing goes for a second, and returns how
// many went. A shorter stop proves nothing: where the kernel of one that does not read
// drops what it has no room for, acknowledgements with it, both sides wait for each
// other's retransmissions. A pause after each chunk makes that rarer.
func (s *Session) Flood(b byte, count int) (sent int) {
	const chunkBytes, pause, stuck = 4096, 2 * time.Millisecond, time.Second
	chunk := bytes.Repeat([]byte{b}, chunkBytes)
	s.t.tl.Add(time.Now(), timeline.Event{Who: s.who, By: timeline.Suite, What: timeline.Send, Bytes: chunk, Note: "over and over"})
	for sent < count && s.t.ctx.Err() == nil {
		s.conn.SetWriteDeadline(time.Now().Add(stuck))
		n, err := s.conn.Write(chunk)
		if sent += n; err != nil {
			break
		}
		s.t.Pause(pause)
	}
	return sent
}

// write writes with a bound, so that a peer that stops reading hangs nobody.
func (s *Session) write(data []byte) Stamp {
	s.asked.Add(int64(len(data)))
	s.conn.SetWriteDeadline(time.Now().Add(AnswerTime))
	before := time.Now()
	s.conn.Write(data)
	return Stamp{Before: before, After: time.Now(), who: s.who}
}

// asks notes what a frame asks for. It comes before the write: the answer may be
// read before the write returns.
func (s *Session) asks(f wire.Frame) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if f.Type == wire.TypeAcquire && s.state == connected {
		s.state = asking
		s.lock, s.lease = f.Acquire.Name, time.Duration(f.Acquire.LeaseMS)*time.Millisecond
	}
}

// sent notes when a whole valid message was sent.
func (s *Session) sent(f wire.Frame, stamp Stamp) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.last.Before.IsZero() {
		s.gap = max(s.gap, stamp.After.Sub(s.last.Before))
	}
	if f.Type != wire.TypeAcquire && f.Type != wire.TypeHeartbeat {
		return
	}
	if s.heard.After(stamp.Before) {
		stamp.Seen = s.heard // the answer was read before the write returned
	}
	s.last = stamp
}

// Close ends the session as a client does: a FIN.
func (s *Session) Close() Stamp {
	return s.leave(timeline.FIN, func() { s.conn.Close() })
}

// Reset ends the session as a killed process with unread data does: a RST.
func (s *Session) Reset() Stamp {
	return s.leave(timeline.RST, func() {
		s.conn.SetLinger(0)
		s.conn.Close()
	})
}

// HalfClose sends a FIN and reads on.
func (s *Session) HalfClose() Stamp {
	return s.leave(timeline.FIN, func() { s.conn.CloseWrite() })
}

func (s *Session) leave(what timeline.What, end func()) Stamp {
	s.stopBeating()
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	before := time.Now()
	s.t.tl.Add(before, timeline.Event{Who: s.who, By: timeline.Suite, What: what})
	end()
	return Stamp{Before: before, After: time.Now(), who: s.who}
}

// Pause lets time pass, as part of an experiment. It ends the calling part when
// the attempt must end.
func (t *T) Pause(d time.Duration) { t.PauseUntil(time.Now().Add(d)) }

// PauseUntil is Pause up to an instant.
func (t *T) PauseUntil(at time.Time) {
	timer := time.NewTimer(time.Until(at))
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-t.ctx.Done():
		t.quit()
	}
}
