package conformance

import (
	"errors"
	"fmt"
	"net"
	"sync"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/conformance/subject"
	"github.com/monolock-dev/monolock-conform/conformance/timeline"
)

// Script is the scripted server of a scenario: it accepts the client's
// connections, and the scenario plays the server on each of them.
type Script struct {
	t     *T
	peers mailbox[*Peer]

	mu       sync.Mutex
	listener net.Listener
	addr     string
	heard    time.Time // when the last connection came, or when the port opened
}

// Script starts a scripted server on an address of its own.
func (t *T) Script() *Script {
	s := &Script{t: t}
	s.Listen()
	return s
}

// Addr is where the client is sent.
func (s *Script) Addr() string { return s.addr }

// Listen opens the server's port, again on the same address after [Script.Refuse].
func (s *Script) Listen() {
	l, err := s.t.listen(s.addr)
	if err != nil {
		s.t.missing(fmt.Errorf("the scripted server: %w", err))
	}
	s.mu.Lock()
	s.listener, s.addr, s.heard = l, l.Addr().String(), time.Now()
	s.mu.Unlock()
	s.t.onHangUp(func() { l.Close() })
	s.t.background(func() { s.accept(l) })
}

// Refuse closes the port: connections are refused from now on.
func (s *Script) Refuse() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.t.Remark("server", "refuses connections from now on")
	s.listener.Close()
}

func (s *Script) accept(l net.Listener) {
	for {
		conn, err := l.Accept()
		at := time.Now()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil {
			continue
		}
		s.mu.Lock()
		s.heard = at
		s.mu.Unlock()
		s.peers.put(s.t.newPeer(conn.(subject.Conn), l.Addr().String(), at))
	}
}

// Accept takes the client's next connection, within the time of an answer.
func (s *Script) Accept(id spec.ID, why string) *Peer {
	return s.AcceptWithin(id, why, s.t.InAnswerTime())
}

// AcceptWithin takes the client's next connection, within the window.
func (s *Script) AcceptWithin(id spec.ID, why string, w Window) *Peer {
	p, ok := s.Next(w.By.Add(latePatience))
	if !ok {
		if s.t.Lateness(w.From) >= latePatience {
			s.t.Doubt(id, why, "a new connection", "none came")
		}
		s.t.Late(id, why, "a new connection within "+span(w.By.Sub(w.From)), "none within "+span(time.Since(w.From)))
		s.t.quit()
	}
	s.t.judgeInstant(p.who, id, why, "a new connection", p.opened, p.openEvent, w)
	return p
}

// Next takes the client's next connection without a judgement.
func (s *Script) Next(until time.Time) (*Peer, bool) {
	return s.Glance(time.Until(until) + s.t.params.Patience)
}

// Glance is Next for whoever looks at several things in turn: it looks for the time d,
// also where the run has all the patience of a debugger.
func (s *Script) Glance(d time.Duration) (*Peer, bool) {
	p, ok := s.peers.await(s.t.ctx, time.Now().Add(d), true, func(*Peer) bool { return true })
	if !ok && s.t.ctx.Err() != nil {
		s.t.quit()
	}
	return p, ok
}

// WantNoAttempt proves that the client does not connect before an instant.
func (s *Script) WantNoAttempt(id spec.ID, why string, until time.Time) bool {
	p, ok := s.peers.await(s.t.ctx, until, false, func(*Peer) bool { return true })
	if s.t.ctx.Err() != nil {
		s.t.quit()
	}
	if ok && p.opened.Before(until) {
		s.t.judge(Judgement{ID: id, Verdict: failed(id), Sentence: why, Expected: "no new connection", Actual: p.who + " was opened", Event: p.openEvent})
		return false
	}
	s.t.Pass(id, why)
	return true
}

// newPeer makes a peer of a connection that the server at an address has accepted,
// and starts its reader.
func (t *T) newPeer(conn subject.Conn, server string, at time.Time) *Peer {
	p := &Peer{t: t, conn: conn, server: server, opened: at, writing: make(chan struct{}, 1)}
	t.mu.Lock()
	t.attempt.peers++
	p.who = fmt.Sprintf("conn-%d", t.attempt.peers)
	t.mu.Unlock()
	p.openEvent = t.tl.Add(at, timeline.Event{Who: p.who, By: timeline.Subject, What: timeline.Open, Ends: endsOf(conn), Note: t.opens(p.who)})
	t.onHangUp(func() { p.conn.Close() })
	t.background(p.read)
	return p
}

// Rest starts the count of Quiet anew.
func (s *Script) Rest() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.heard = time.Now()
}

// Quiet is how long no connection has come.
func (s *Script) Quiet() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	return time.Since(s.heard)
}
