package scenarios_test

import (
	"context"
	"net"
	"testing"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/subject"
	"github.com/monolock-dev/monolock-conform/refserver"
	"github.com/monolock-dev/monolock-conform/scenarios"
)

// The suite as subtests of a server author's own `go test`. Whoever implements
// subject.Running, in the manner of net/http.Server, lets the suite start and
// stop the server itself.
func ExampleTestServer() {
	test := func(t *testing.T) {
		launcher := subject.InProcess{
			Listen: subject.ListenLoopback,
			New:    func() subject.Running { return refserver.New(refserver.Config{}) },
		}
		server, err := launcher.Launch(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer server.Close()
		scenarios.TestServer(t, conformance.Target{Server: server, Launcher: launcher})
	}
	_ = test // func TestConformance(t *testing.T) { test(t) }
}

// A server that runs somewhere is tested by its address; what needs the suite to
// stop it is skipped.
func ExampleTestServer_address() {
	test := func(t *testing.T) {
		scenarios.TestServer(t, conformance.Target{Server: subject.Address("127.0.0.1:7070")})
	}
	_ = test
}

func TestTestServerPassesTheReferenceServer(t *testing.T) {
	launcher := subject.InProcess{
		Listen: func(addr string) (net.Listener, error) { return subject.ListenLoopback(addr) },
		New:    func() subject.Running { return refserver.New(refserver.Config{}) },
	}
	server, err := launcher.Launch(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	scenarios.TestServer(t, conformance.Target{Server: server, Launcher: launcher})
}
