package refclient

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
)

// TCPDialer returns a dialer of plain TCP to addr, host:port.
func TCPDialer(addr string) func(context.Context) (net.Conn, error) {
	return func(ctx context.Context) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "tcp", addr)
	}
}

// TLSDialer returns a dialer of TLS on top of another one. It does the whole
// handshake, so that a server which is refused never sees an ACQUIRE. config
// needs a ServerName, and for mutual TLS a certificate; it is cloned.
// Source: TLS.
func TLSDialer(dial func(context.Context) (net.Conn, error), config *tls.Config) func(context.Context) (net.Conn, error) {
	config = config.Clone()
	return func(ctx context.Context) (net.Conn, error) {
		raw, err := dial(ctx)
		if err != nil {
			return nil, err
		}
		nc := tls.Client(raw, config)
		if err := nc.HandshakeContext(ctx); err != nil {
			_ = raw.Close()
			return nil, err
		}
		return nc, nil
	}
}

// dial connects within the time-out.
func (c *Client) dial(ctx context.Context) (net.Conn, *Error) {
	limited, cancel := context.WithTimeout(ctx, c.cfg.DialTimeout)
	defer cancel()
	nc, err := c.cfg.Dial(limited)
	switch {
	case err == nil:
		return nc, nil
	case ctx.Err() != nil:
		return nil, &Error{Err: context.Cause(ctx), final: true}
	}
	return nil, &Error{Err: err, final: hopeless(err)}
}

// hopeless reports whether a connect that failed with err will fail again: the
// server is not who it should be, or the dialer is closed.
func hopeless(err error) bool {
	var untrusted *tls.CertificateVerificationError
	return errors.As(err, &untrusted) || errors.Is(err, net.ErrClosed)
}

// hangUp closes nc at once. TLS would first wait for room for its farewell,
// which a peer that has stopped reading never gives.
func hangUp(nc net.Conn) {
	if t, ok := nc.(*tls.Conn); ok {
		nc = t.NetConn()
	}
	_ = nc.Close()
}
