package conformance

import (
	"errors"
	"net"
	"os"
	"sync"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/subject"
	"github.com/monolock-dev/monolock-conform/conformance/timeline"
	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

// Peer is one connection of the client under test to a scripted server. A
// permanent reader stamps what the client sends; heartbeats are answered as the
// scenario says. One goroutine at a time uses it.
type Peer struct {
	t         *T
	who       string
	conn      subject.Conn
	server    string // the address that the client was sent to
	opened    time.Time
	openEvent int

	box     mailbox[message]
	replies mailbox[time.Time] // when each message came that was answered

	mu     sync.Mutex
	state  wire.Frame // what a heartbeat is answered with
	answer Answering  // nil: not at all
	beats  []time.Time
	asked  time.Time // when the ACQUIRE came
	last   Confirmation
	ended  bool // by the client
	left   bool // by the suite

	// writing has room for one: whoever writes. A channel and no mutex, since
	// waiting for one stops the clock of virtual time.
	writing chan struct{}
}

// Answering decides about the answer to the n-th heartbeat, from 0: how long
// after its receipt it is sent, or not at all.
type Answering func(n int) (delay time.Duration, ok bool)

// promptly answers every heartbeat without delay.
func promptly(int) (time.Duration, bool) { return 0, true }

// Confirmation is a whole frame WAITING or ACQUIRED that was sent to the client.
type Confirmation struct {
	Sent Stamp
	// Answers is when the message came that it answered; zero for a push.
	Answers time.Time
}

// message is a frame of the client, or the end of its side.
type message struct {
	frame wire.Frame
	end   error
	at    time.Time
	event int
}

// Who names the connection as the timeline does.
func (p *Peer) Who() string { return p.who }

// Opened is when the connection was accepted.
func (p *Peer) Opened() time.Time { return p.opened }

// read takes the client's frames until its side ends.
func (p *Peer) read() {
	r := wire.NewReader(p.conn)
	for {
		frame, err := r.ReadClient()
		at := time.Now()
		if err != nil {
			p.noteEnd(at, err)
			return
		}
		event := p.t.tl.Add(at, timeline.Event{Who: p.who, By: timeline.Subject, What: timeline.Recv, Frame: &frame, Bytes: wire.Bytes(frame)})
		p.note(frame, at)
		p.box.put(message{frame: frame, at: at, event: event})
	}
}

// note counts what came and answers a heartbeat as the scenario said.
func (p *Peer) note(frame wire.Frame, at time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if frame.Type == wire.TypeAcquire {
		p.asked = at
		return
	}
	n := len(p.beats)
	p.beats = append(p.beats, at)
	if p.answer == nil {
		return
	}
	delay, ok := p.answer(n)
	if !ok {
		return
	}
	p.t.workers.Add(1)
	go func() {
		defer p.t.workers.Done()
		p.answerAt(at, at.Add(delay))
	}()
}

// answerAt answers the heartbeat that came at an instant.
func (p *Peer) answerAt(came, due time.Time) {
	timer := time.NewTimer(time.Until(due))
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-p.t.ctx.Done():
		return
	}
	p.mu.Lock()
	frame := p.state
	p.mu.Unlock()
	if frame.Type != 0 {
		p.confirm(frame, came)
	}
}

func (p *Peer) noteEnd(at time.Time, err error) {
	if errors.Is(err, net.ErrClosed) || errors.Is(err, os.ErrDeadlineExceeded) {
		return // the suite's own doing
	}
	e := timeline.Event{Who: p.who, By: timeline.Subject, What: timeline.FIN, Note: endNote(err)}
	var unknown *wire.UnknownTypeError
	switch {
	case errors.As(err, &unknown):
		e.What, e.Bytes = timeline.Recv, garbage(p.conn, unknown.Byte)
	case isGarbage(err):
		e.What = timeline.Recv
	case isReset(err):
		e.What = timeline.RST
	}
	event := p.t.tl.Add(at, e)
	p.mu.Lock()
	p.ended = true
	p.mu.Unlock()
	p.box.put(message{end: err, at: at, event: event})
}

// Beats returns when each heartbeat came so far.
func (p *Peer) Beats() []time.Time {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]time.Time(nil), p.beats...)
}

// Asked is when the ACQUIRE came.
func (p *Peer) Asked() time.Time {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.asked
}

// Last is the last confirmation that was sent.
func (p *Peer) Last() Confirmation {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.last
}

// Ended reports whether the client has ended its side of the connection.
func (p *Peer) Ended() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.ended
}
