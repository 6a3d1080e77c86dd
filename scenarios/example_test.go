package scenarios_test

import (
	"context"
	"io"
	"net"
	"testing"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/subject"
	"github.com/monolock-dev/monolock-conform/refclient/adapter"
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

// A client author's own `go test`: an adapter is a function of its environment and
// its streams. Around a client with the calls Do and DoRetry, adapter.Run is that
// function whole; any other client writes the lines of conformance/ADAPTER.md itself.
func ExampleTestClient() {
	test := func(t *testing.T) {
		scenarios.TestClient(t, subject.InProcessClient{
			Run: func(ctx context.Context, getenv func(string) string, stdin io.Reader, stdout, stderr io.Writer) int {
				env := adapter.Env{Getenv: getenv, Stdin: stdin, Stdout: stdout, Stderr: stderr}
				return adapter.Run(ctx, env, adapter.Standard)
			},
		})
	}
	_ = test // func TestConformance(t *testing.T) { test(t) }
}

// A client in another language is tested by its adapter's command.
func ExampleTestClient_process() {
	test := func(t *testing.T) {
		client, err := subject.ParseClient("python3 ../refclient/adapters/python/adapter.py")
		if err != nil {
			t.Skip(err)
		}
		scenarios.TestClient(t, client)
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
