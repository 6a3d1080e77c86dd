package faultproxy

import (
	"fmt"
	"time"
)

// Connection describes a client's connection while it is open.
type Connection struct {
	Number   int       `json:"number"`             // in the order of acceptance, from 1
	Client   string    `json:"client"`             // the client's address
	Upstream string    `json:"upstream,omitempty"` // the address that was dialled; "" before
	Local    string    `json:"local,omitempty"`    // the address that it was dialled from
	Since    time.Time `json:"since"`
	Plain    bool      `json:"plain"`     // no rule has concerned it yet
	HeldUp   int       `json:"held_up"`   // bytes held, client to server
	HeldDown int       `json:"held_down"` // bytes held, server to client
}

// Connections returns the open connections, in the order of their numbers.
func (p *Proxy) Connections() []Connection {
	list := []Connection{}
	for _, l := range p.open() {
		list = append(list, l.describe())
	}
	return list
}

func (l *link) describe() Connection {
	c := Connection{Number: l.number, Client: l.client.RemoteAddr().String(), Since: l.since,
		HeldUp: l.lanes[0].queue.held(), HeldDown: l.lanes[1].queue.held()}
	c.Plain = l.lanes[0].mode.Load() == plain && l.lanes[1].mode.Load() == plain
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.opened {
		c.Upstream, c.Local = l.server.RemoteAddr().String(), l.server.LocalAddr().String()
	}
	return c
}

// Kill ends a connection at once, on both sides: with a FIN or a reset. What
// the proxy holds of it is lost. It does not wait.
// Errors: ErrNotFound where no such connection is open; how is neither Cut nor Reset.
func (p *Proxy) Kill(number int, how Fault) error {
	if how != Cut && how != Reset {
		return fmt.Errorf("faultproxy: a connection is killed by %s or %s, not by %q", Cut, Reset, how)
	}
	for _, l := range p.open() {
		if l.number == number {
			l.sever(BothSides, how == Cut, 0)
			return nil
		}
	}
	return fmt.Errorf("%w: connection %d is not open", ErrNotFound, number)
}
