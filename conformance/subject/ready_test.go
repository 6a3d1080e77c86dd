package subject

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"math/big"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

// serve runs a server of one connection handler until the test's end.
func serve(t *testing.T, handle func(net.Conn)) Address {
	t.Helper()
	l, err := ListenLoopback("")
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	t.Cleanup(func() { l.Close(); all.Wait() })
	all.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			all.Go(func() { defer c.Close(); handle(c) })
		}
	})
	return Address(l.Addr().String())
}

// says reads the request and answers with fixed bytes.
func says(answer string) func(net.Conn) {
	return func(c net.Conn) {
		c.Read(make([]byte, 512))
		io.WriteString(c, answer)
	}
}

func mute(c net.Conn) { io.Copy(io.Discard, c) }

func TestAskTakesAnyFrame(t *testing.T) {
	for _, want := range []wire.Frame{
		wire.WaitingFrame, wire.AcquiredFrame(1 << 60), wire.ErrorFrame(wire.CodeNotAuthorized, "no"),
	} {
		a, err := Ask(t.Context(), serve(t, says(string(wire.Bytes(want)))), "x")
		if err != nil || a.Frame != want || a.RoundTrip <= 0 {
			t.Errorf("Ask: %+v, %v, want %v", a, err, want)
		}
	}
}

func TestAskNamesWhatAnswers(t *testing.T) {
	for _, test := range []struct {
		name   string
		handle func(net.Conn)
		kind   Kind
		want   string
	}{
		{"HTTP", says("HTTP/1.1 400 Bad Request\r\n\r\n"), Foreign,
			"connected, but the answer to ACQUIRE was not a monolock frame: 48 54 54 50 2f"},
		{"HTTP, advice", says("HTTP/1.1 400 Bad Request\r\n\r\n"), Foreign, "is this an HTTP server?"},
		{"TLS alert", says("\x15\x03\x01\x00\x02\x02\x46"), Foreign, "this port speaks TLS"},
		{"SSH", says("SSH-2.0-OpenSSH_9.6\r\n"), Foreign, "is this an SSH server?"},
		{"redis", says("-ERR unknown command\r\n"), Foreign, "is this a redis server?"},
		{"HTTP/2", says("\x00\x00\x12\x04\x00\x00\x00\x00\x00\x00\x03"), Foreign, "HTTP/2 or gRPC"},
		{"echo", func(c net.Conn) { io.Copy(c, c) }, Foreign, "is this an echo server?"},
		{"escapes", says("\x1b]0;x\a"), Foreign, `1b 5d 30 3b 78 07 "\x1b]0;x\a"`},
		{"cut frame", says("\x12\x00\x00"), Foreign, "a beginning of ACQUIRED, 3 of 9 bytes, and then the connection was closed"},
		{"slam", func(net.Conn) {}, Slammed, "without a byte in answer to ACQUIRE"},
		{"TLS that closes", closingTLS(t), Slammed, "takes a TLS handshake: this port speaks TLS"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := Ask(t.Context(), serve(t, test.handle), "x")
			none, ok := errors.AsType[*NoAnswerError](err)
			if !ok || none.Kind != test.kind || !strings.Contains(err.Error(), test.want) {
				t.Errorf("Ask: %v\nwant kind %s and %q", err, test.kind, test.want)
			}
		})
	}
}

// closingTLS is a TLS server that closes on plaintext without a word.
func closingTLS(t *testing.T) func(net.Conn) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	cert := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour)}
	der, err := x509.CreateCertificate(rand.Reader, cert, cert, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	config := &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}}
	return func(c net.Conn) { tls.Server(c, config).Handshake() }
}

func TestAskFindsNobody(t *testing.T) {
	l, err := ListenLoopback("")
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	for _, test := range []struct {
		target Address
		kind   Kind
		want   string
	}{
		{Address(l.Addr().String()), Refused, "is the server running, and is the port right?"},
		{"host.invalid:7070", Unreachable, "is the host name spelled right?"},
		{"127.0.0.1", Unreachable, "missing port"},
	} {
		_, err := Ask(t.Context(), test.target, "x")
		none, ok := errors.AsType[*NoAnswerError](err)
		if !ok || none.Kind != test.kind || !strings.Contains(err.Error(), test.want) {
			t.Errorf("Ask(%s): %v\nwant kind %s and %q", test.target, err, test.kind, test.want)
		}
	}
}

func TestAskAMuteTarget(t *testing.T) {
	for _, test := range []struct {
		name string
		new  func() Running
		took time.Duration
		want string
	}{
		// The web server answers the TLS probe with a 400, and so at once.
		{"web server", func() Running { return &http.Server{Handler: http.NotFoundHandler()} }, answerLimit,
			"got no answer in 5s, and it answers an HTTP request: is this an HTTP server?"},
		{"silent", func() Running { return &tinyServer{handle: mute} }, answerLimit + 2*probeLimit,
			"got no answer in 5s: is this monolock's protocol port"},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := onPipes(test.new)
				s.ListenOnly = true
				target, err := s.Launch(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				defer target.Close()
				begun := time.Now()
				_, err = Ask(t.Context(), target, "x")
				if none, ok := errors.AsType[*NoAnswerError](err); !ok || none.Kind != Mute || !strings.Contains(err.Error(), test.want) {
					t.Errorf("Ask: %v\nwant %q", err, test.want)
				}
				if took := time.Since(begun); took != test.took || took >= 9*time.Second {
					t.Errorf("it took %v, want %v", took, test.took)
				}
			})
		})
	}
}

func TestAskAnUnreachableTarget(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := dialer{"192.0.2.1:7070", func(ctx context.Context) (Conn, error) { <-ctx.Done(); return nil, ctx.Err() }}
		begun := time.Now()
		_, err := Ask(t.Context(), s, "x")
		want := "192.0.2.1:7070: no connection (nothing came back in 5s): check host and port"
		if err == nil || !strings.HasPrefix(err.Error(), want) || time.Since(begun) != dialLimit {
			t.Errorf("Ask: %v after %v\nwant %q", err, time.Since(begun), want)
		}
	})
}

func TestAskIsCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	target := serve(t, func(c net.Conn) { c.Read(make([]byte, 1)); cancel(); mute(c) })
	if _, err := Ask(ctx, target, "x"); !errors.Is(err, context.Canceled) {
		t.Errorf("Ask: %v, want the cancellation", err)
	}
}

func TestAskOverTLSToAPlainPort(t *testing.T) {
	target := serve(t, says("\x13\x13\x00\x00\x00\x00"))
	s := dialer{target, func(ctx context.Context) (Conn, error) {
		_, err := (&tls.Dialer{Config: &tls.Config{InsecureSkipVerify: true}}).DialContext(ctx, "tcp", string(target))
		return nil, err
	}}
	_, err := Ask(t.Context(), s, "x")
	if none, ok := errors.AsType[*NoAnswerError](err); !ok || none.Kind != Handshake ||
		!strings.Contains(err.Error(), "does this port speak plaintext?") {
		t.Errorf("Ask: %v, want a failed handshake", err)
	}
}

// dialer is a Server with a Dial of its own.
type dialer struct {
	Address
	dial func(context.Context) (Conn, error)
}

func (d dialer) Dial(ctx context.Context) (Conn, error) { return d.dial(ctx) }

func TestRoundTrip(t *testing.T) {
	took, err := RoundTrip(t.Context(), serve(t, answerLocks), "x", 5)
	if err != nil || took <= 0 || took > time.Second {
		t.Errorf("RoundTrip: %v, %v", took, err)
	}
	denied := serve(t, says(string(wire.Bytes(wire.ErrorFrame(wire.CodeNotAuthorized, "")))))
	if _, err := RoundTrip(t.Context(), denied, "x", 5); err == nil || !strings.Contains(err.Error(), "a grant was expected") {
		t.Errorf("RoundTrip of a refused claim: %v", err)
	}
	_, err = RoundTrip(t.Context(), serve(t, says("\x12\x00\x00\x00\x00\x00\x00\x00\x01")), "x", 2)
	if none, ok := errors.AsType[*NoAnswerError](err); !ok || none.To != "HEARTBEAT" {
		t.Errorf("RoundTrip of a server that closes: %v", err)
	}
}
