package refclient

import (
	"context"
	"net"
	"time"
)

const (
	// DefaultFloor is the shortest interval between heartbeats of a client
	// whose lease allows that.
	// Source: writing a client, rule 3.
	DefaultFloor = 100 * time.Millisecond
	// DefaultDialTimeout bounds a connect, with the TLS handshake if there is one.
	DefaultDialTimeout = 5 * time.Second
)

// Config is what a client can be told. Only Addr or Dial is needed.
type Config struct {
	// Addr is host:port of the server, for a nil Dial.
	Addr string
	// Dial connects to the server; nil: TCP to Addr. [TLSDialer] makes one
	// for TLS. A connection need not do more than net.Conn asks.
	Dial func(ctx context.Context) (net.Conn, error)
	// DialTimeout bounds one Dial. 0: DefaultDialTimeout.
	DialTimeout time.Duration
	// Floor is the shortest interval between heartbeats. 0: DefaultFloor.
	// Where a quarter of the lease is shorter, that quarter is the interval.
	Floor time.Duration
	// OnWaiting is called when a claim stands in the queue; nil: nobody cares.
	// It must not block.
	OnWaiting func()
	// Clock is the time of leases, heartbeats and pauses; nil: the system's.
	Clock Clock
	// Rules are the client's decisions; nil: StandardRules.
	Rules Rules
}

func (c Config) withDefaults() Config {
	if c.Dial == nil {
		c.Dial = TCPDialer(c.Addr)
	}
	if c.DialTimeout <= 0 {
		c.DialTimeout = DefaultDialTimeout
	}
	if c.Floor <= 0 {
		c.Floor = DefaultFloor
	}
	if c.OnWaiting == nil {
		c.OnWaiting = func() {}
	}
	if c.Clock == nil {
		c.Clock = systemClock{}
	}
	if c.Rules == nil {
		c.Rules = StandardRules{}
	}
	return c
}
