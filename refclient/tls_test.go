package refclient

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"errors"
	"math/big"
	"testing"
	"testing/synctest"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

// newCertificate returns a certificate of its own for the name "lock", and the
// pool that trusts it. It is valid in a bubble's time, too.
func newCertificate(t *testing.T) (tls.Certificate, *x509.CertPool) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "lock"}, DNSNames: []string{"lock"},
		NotBefore: time.Unix(0, 0), NotAfter: time.Unix(1<<33, 0),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	leaf, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AddCert(leaf)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, pool
}

// secure lets the client and the test speak mutual TLS, the server known as name.
func (h *house) secure(name string) (server *tls.Config) {
	own, pool := newCertificate(h.t)
	h.cfg.Dial = TLSDialer(h.cfg.Dial, &tls.Config{RootCAs: pool, ServerName: name, Certificates: []tls.Certificate{own}})
	return &tls.Config{Certificates: []tls.Certificate{own}, ClientCAs: pool, ClientAuth: tls.RequireAndVerifyClientCert}
}

func TestOverTLS(t *testing.T) {
	inHouse(t, func(h *house) {
		config := h.secure("lock")
		c := h.do()
		raw, err := h.l.Accept()
		if err != nil {
			t.Fatal(err)
		}
		nc := tls.Server(raw, config)
		p := &peer{t: t, frames: wire.NewReader(nc)}
		p.want("under TLS", wire.TypeAcquire)
		if n := len(nc.ConnectionState().PeerCertificates); n != 1 {
			t.Errorf("the client shows %d certificates, want 1", n)
		}
		_, _ = nc.Write(wire.Bytes(wire.AcquiredFrame(5)))
		<-c.granted
		c.finish <- nil
		c.wantResult(nil)
		if f, err := p.frames.ReadClient(); err == nil {
			t.Errorf("got %v, want the close", f)
		}
		_ = raw.Close()
	})
}

func TestAStrangerIsRefusedForGood(t *testing.T) {
	inHouse(t, func(h *house) {
		config := h.secure("other")
		c := h.doRetry()
		raw, err := h.l.Accept()
		if err != nil {
			t.Fatal(err)
		}
		if err := tls.Server(raw, config).HandshakeContext(h.t.Context()); err == nil {
			t.Error("the handshake succeeds under another name")
		}
		_ = raw.Close()
		err = <-c.result
		if e, ok := errors.AsType[*Error](err); !ok || e.Temporary() {
			t.Errorf("result %v, want one for good", err)
		}
	})
}

// A peer that has stopped reading cannot delay the close of a lost claim.
func TestALossUnderTLSClosesAtOnce(t *testing.T) {
	inHouse(t, func(h *house) {
		config := h.secure("lock")
		c := h.do()
		raw, err := h.l.Accept()
		if err != nil {
			t.Fatal(err)
		}
		nc := tls.Server(raw, config)
		(&peer{t: t, frames: wire.NewReader(nc)}).want("under TLS", wire.TypeAcquire)
		_, _ = nc.Write(wire.Bytes(wire.AcquiredFrame(5)))
		<-c.granted
		<-c.stopped
		c.finish <- nil
		c.wantResult(ErrTimeout)
		c.wantAt("with the claim's end", limit)
		_ = raw.Close()
	})
}

func TestDialTimeout(t *testing.T) {
	inHouse(t, func(h *house) {
		h.secure("lock") // and nobody answers the handshake
		c := h.do()
		synctest.Wait()
		c.wantResult(context.DeadlineExceeded)
		c.wantAt("given up", DefaultDialTimeout)
	})
}
