package adapters

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/monolock-dev/monolock-conform/refserver"
)

// authority signs certificates for one test.
type authority struct {
	t    *testing.T
	dir  string
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
}

func newAuthority(t *testing.T) *authority {
	a := &authority{t: t, dir: t.TempDir()}
	a.key = a.newKey()
	template := a.template("ca")
	template.IsCA, template.KeyUsage = true, x509.KeyUsageCertSign
	a.cert = a.sign("ca", template, template, a.key, a.key)
	return a
}

func (a *authority) newKey() *ecdsa.PrivateKey {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		a.t.Fatal(err)
	}
	return key
}

func (a *authority) template(name string) *x509.Certificate {
	return &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: pkix.Name{CommonName: name}, DNSNames: []string{name},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		BasicConstraintsValid: true, KeyUsage: x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}
}

// sign writes NAME.pem and NAME.key.
func (a *authority) sign(name string, template, parent *x509.Certificate, own, signer *ecdsa.PrivateKey) *x509.Certificate {
	der, err := x509.CreateCertificate(rand.Reader, template, parent, own.Public(), signer)
	if err != nil {
		a.t.Fatal(err)
	}
	key, err := x509.MarshalPKCS8PrivateKey(own)
	if err != nil {
		a.t.Fatal(err)
	}
	a.write(name+".pem", "CERTIFICATE", der)
	a.write(name+".key", "PRIVATE KEY", key)
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		a.t.Fatal(err)
	}
	return cert
}

func (a *authority) write(name, kind string, der []byte) {
	b := pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der})
	if err := os.WriteFile(a.file(name), b, 0o600); err != nil {
		a.t.Fatal(err)
	}
}

func (a *authority) file(name string) string { return filepath.Join(a.dir, name) }

// issue makes a certificate for name.
func (a *authority) issue(name string) tls.Certificate {
	a.sign(name, a.template(name), a.cert, a.newKey(), a.key)
	c, err := tls.LoadX509KeyPair(a.file(name+".pem"), a.file(name+".key"))
	if err != nil {
		a.t.Fatal(err)
	}
	return c
}

// serveTLS starts a reference server with mutual TLS, known as "lock".
func (a *authority) serveTLS() (addr string) {
	l, addr := listen(a.t)
	pool := x509.NewCertPool()
	pool.AddCert(a.cert)
	s := refserver.New(refserver.Config{})
	served := make(chan struct{})
	secure := tls.NewListener(l, &tls.Config{
		Certificates: []tls.Certificate{a.issue("lock")}, ClientCAs: pool, ClientAuth: tls.RequireAndVerifyClientCert,
	})
	go func() {
		defer close(served)
		_ = s.Serve(secure)
	}()
	a.t.Cleanup(func() {
		_ = s.Close()
		<-served
	})
	_, port, _ := net.SplitHostPort(addr)
	return net.JoinHostPort("localhost", port)
}

func (a *authority) env(serverName string) []string {
	return []string{
		"MONOLOCK_TLS_CA=" + a.file("ca.pem"), "MONOLOCK_TLS_CERT=" + a.file("client.pem"),
		"MONOLOCK_TLS_KEY=" + a.file("client.key"), "MONOLOCK_TLS_SERVER_NAME=" + serverName,
	}
}

func TestMutualTLS(t *testing.T) {
	each(t, func(t *testing.T, argv []string) {
		ca := newAuthority(t)
		ca.issue("client")
		addr := ca.serveTLS()
		a := start(t, argv, addr, ca.env("lock")...)
		a.want("granted")
		time.Sleep(2 * lease)
		a.say("release")
		a.want("finished")
		a.wantResult("ok", nil)
	})
}

func TestAStrangerIsRefused(t *testing.T) {
	each(t, func(t *testing.T, argv []string) {
		ca := newAuthority(t)
		ca.issue("client")
		addr := ca.serveTLS()
		start(t, argv, addr, ca.env("other")...).wantResult("stop", nil)
		stranger := newAuthority(t)
		stranger.issue("client")
		start(t, argv, addr, stranger.env("lock")...).wantResult("stop", nil)
	})
}
