package faultproxy

import (
	"errors"
	"fmt"
	"net"
	"syscall"
	"time"
)

// Bounds of the pause after an accept that failed.
const (
	shortestPause = 5 * time.Millisecond
	longestPause  = time.Second
)

// Serve accepts connections from l and joins each with an upstream one, until
// the proxy is closed or l fails for good. It blocks, takes over l, and may be
// called once. Connections of l have to be [Conn]s.
// Errors: ErrClosed after Close, what is wrong with Config.Rules, l's own.
func (p *Proxy) Serve(l net.Listener) error {
	if p.bad != nil {
		_ = l.Close()
		return p.bad
	}
	if err := p.door.hang(l); err != nil {
		return err
	}
	for {
		l, err := p.door.await()
		if err != nil {
			return err
		}
		if err := p.accept(l); p.door.has(l) {
			p.door.shut()
			return err
		}
	}
}

// Addr returns the address that the proxy listens on, also while it is told
// not to. It is nil before Serve.
func (p *Proxy) Addr() net.Addr { return p.door.where() }

// accept takes connections from l until it fails for good.
func (p *Proxy) accept(l net.Listener) error {
	pause := time.Duration(0)
	for {
		conn, err := l.Accept()
		switch {
		case err == nil:
			pause = 0
			if err := p.adopt(conn); err != nil {
				return err
			}
		case passing(err):
			pause = min(max(2*pause, shortestPause), longestPause)
			p.pause(pause)
		default:
			return err
		}
	}
}

// pause waits for d or until the proxy closes.
func (p *Proxy) pause(d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-p.ctx.Done():
	}
}

// passing reports whether an accept that failed with err can succeed later.
func passing(err error) bool {
	for _, e := range []syscall.Errno{syscall.EMFILE, syscall.ENFILE, syscall.ENOBUFS, syscall.ENOMEM,
		syscall.ECONNABORTED, syscall.EINTR} {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}

// adopt numbers a client's connection and serves it.
func (p *Proxy) adopt(conn net.Conn) error {
	client, ok := conn.(Conn)
	if !ok {
		_ = conn.Close()
		return fmt.Errorf("faultproxy: %T has no half-close", conn)
	}
	p.mu.Lock()
	p.count++
	number := p.count
	refused := p.refusal(number)
	unruled := p.cfg.Record == nil && !p.cfg.Frames && !p.concerned(number)
	l := newLink(p, number, client, !unruled)
	if unruled {
		l.lanes[0].mode.Store(plain)
		l.lanes[1].mode.Store(plain)
	}
	serve := !p.closed && refused == nil
	if serve {
		p.links = append(p.links, l)
		p.running.Add(1)
	}
	p.mu.Unlock()

	if !serve {
		p.turnAway(l, refused)
		return nil
	}
	l.record(Event{What: Accepted, Local: client.LocalAddr().String(), Remote: client.RemoteAddr().String(), Note: client.RemoteAddr().String()})
	go func() {
		defer p.running.Done()
		l.serve()
	}()
	return nil
}

// turnAway resets a client that a rule refuses, or that came too late.
func (p *Proxy) turnAway(l *link, refused *rule) {
	l.cancel()
	l.client.reset()
	if refused != nil {
		refused.hits.add()
		l.record(Event{What: Refused, Rule: refused.id, Note: l.client.RemoteAddr().String()})
	}
}
