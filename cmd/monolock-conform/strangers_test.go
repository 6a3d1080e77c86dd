package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"io"
	"math/big"
	"net"
	"net/http"
	"testing"
	"time"
)

// TestStrangersAreNoSubjects: a target that is no monolock server is exit 3 within
// seconds, with what was seen and what to try.
func TestStrangersAreNoSubjects(t *testing.T) {
	for _, row := range []struct {
		name  string
		serve func(net.Listener)
		says  []string
	}{
		{"refusing", nil, []string{"refused"}},
		{"slamming", func(l net.Listener) { accept(l, func(c net.Conn) { c.Close() }) }, []string{"in answer to ACQUIRE"}},
		{"mute", func(l net.Listener) { accept(l, func(c net.Conn) { io.Copy(io.Discard, c) }) }, []string{"no answer"}},
		{"HTTP", func(l net.Listener) { http.Serve(l, http.NotFoundHandler()) }, []string{"HTTP"}},
		{"TLS", serveTLS, []string{"TLS"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			l, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			defer l.Close()
			if row.serve == nil {
				l.Close()
			} else {
				go row.serve(l)
			}
			started := time.Now()
			code, stdout, _ := conform("--server", l.Addr().String())
			if code != exitUndecided {
				t.Errorf("exit %d, want %d", code, exitUndecided)
			}
			const seconds = 15 * time.Second
			if took := time.Since(started); took > seconds {
				t.Errorf("took %v, more than %v", took, seconds)
			}
			wantText(t, stdout, row.says...)
			wantText(t, stdout, "undecided")
		})
	}
}

// accept serves each connection of l until l is closed.
func accept(l net.Listener, serve func(net.Conn)) {
	for {
		c, err := l.Accept()
		if err != nil {
			return
		}
		go func() {
			defer c.Close()
			serve(c)
		}()
	}
}

func serveTLS(l net.Listener) {
	key, _ := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour)}
	der, _ := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	config := &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}}
	accept(tls.NewListener(l, config), func(c net.Conn) { io.Copy(io.Discard, c) })
}
