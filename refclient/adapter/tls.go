package adapter

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net"
	"os"

	"github.com/monolock-dev/monolock-conform/refclient"
)

// tlsFiles are the contract's TLS variables. An empty one is unset.
type tlsFiles struct{ ca, cert, key, serverName string }

func readTLSFiles(getenv func(string) string) tlsFiles {
	return tlsFiles{
		ca:         getenv("MONOLOCK_TLS_CA"),
		cert:       getenv("MONOLOCK_TLS_CERT"),
		key:        getenv("MONOLOCK_TLS_KEY"),
		serverName: getenv("MONOLOCK_TLS_SERVER_NAME"),
	}
}

// dialer returns the client's way to the server: TCP, or TLS on top of it
// where a CA is given.
func (s settings) dialer(sockets *sockets) (func(context.Context) (net.Conn, error), error) {
	dial := func(ctx context.Context) (net.Conn, error) { return sockets.dial(ctx, s.addr) }
	if s.tls.ca == "" {
		return dial, nil
	}
	config, err := s.tls.config(s.addr)
	if err != nil {
		return nil, err
	}
	return refclient.TLSDialer(dial, config), nil
}

func (f tlsFiles) config(addr string) (*tls.Config, error) {
	pem, err := os.ReadFile(f.ca)
	if err != nil {
		return nil, fmt.Errorf("MONOLOCK_TLS_CA: %w", err)
	}
	config := &tls.Config{RootCAs: x509.NewCertPool(), ServerName: f.serverName, MinVersion: tls.VersionTLS12}
	if !config.RootCAs.AppendCertsFromPEM(pem) {
		return nil, fmt.Errorf("MONOLOCK_TLS_CA: no certificate in %s", f.ca)
	}
	if config.ServerName == "" {
		config.ServerName, _, _ = net.SplitHostPort(addr)
	}
	if f.cert != "" {
		own, err := tls.LoadX509KeyPair(f.cert, f.key)
		if err != nil {
			return nil, fmt.Errorf("MONOLOCK_TLS_CERT, MONOLOCK_TLS_KEY: %w", err)
		}
		config.Certificates = []tls.Certificate{own}
	}
	return config, nil
}
