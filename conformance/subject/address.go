package subject

import (
	"context"
	"net"
)

// Address is a server that runs somewhere and is reached at HOST:PORT.
type Address string

// Dial connects over TCP, with Nagle's algorithm off.
func (a Address) Dial(ctx context.Context) (Conn, error) {
	var d net.Dialer
	if smallSegments(ctx) {
		d.Control = askSmallSegments
	}
	conn, err := d.DialContext(ctx, "tcp", string(a))
	if err != nil {
		return nil, err
	}
	return conn.(*net.TCPConn), nil
}

// Target returns the address.
func (a Address) Target() string { return string(a) }

// DialTCP connects to addr over TCP, as [Address] does.
func DialTCP(ctx context.Context, addr string) (Conn, error) { return Address(addr).Dial(ctx) }
