// Package virtual runs scenarios in virtual time: an in-process server on an
// in-memory network, inside a testing/synctest bubble. Nothing waits and nothing
// is late, so a lease of minutes passes in milliseconds and every run is alike.
//
// The suite proves itself here: every defect against every scenario that could
// see it.
package virtual

import (
	"context"
	"net"
	"testing"
	"testing/synctest"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/memnet"
	"github.com/monolock-dev/monolock-conform/conformance/subject"
)

// Server runs one scenario in a bubble of its own against the servers that
// newServer makes, and returns what came of it. A goroutine that is left over
// fails t.
// With regardless the scenario runs also where the server never serves.
func Server(t *testing.T, s conformance.Scenario, p conformance.Params, regardless bool, newServer func() subject.Running) conformance.Result {
	var outcome *conformance.Outcome
	synctest.Test(t, func(t *testing.T) {
		launcher := onMemory(newServer)
		shared, err := launcher.Launch(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		outcome = conformance.Run(t.Context(), conformance.Plan{
			Scenarios: []conformance.Scenario{s}, Params: p, Quiet: true, Regardless: regardless,
			Target: conformance.Target{Server: shared, Launcher: launcher},
		})
		if err := shared.Close(); err != nil {
			t.Errorf("the server did not end in order: %v", err)
		}
	})
	return outcome.Results[0]
}

// Client runs one scenario in a bubble of its own against the client that newClient
// makes; dial is how it reaches an address of the bubble's network.
func Client(t *testing.T, s conformance.Scenario, p conformance.Params, newClient func(dial Dial) subject.Client) conformance.Result {
	var outcome *conformance.Outcome
	synctest.Test(t, func(t *testing.T) {
		network := memnet.New()
		network.SetServerBuffer(1) // so that writes block where nobody reads
		servers := onNetwork(network, nil)
		dial := func(ctx context.Context, addr string) (net.Conn, error) { return servers.Dial(ctx, addr) }
		outcome = conformance.Run(t.Context(), conformance.Plan{
			Scenarios: []conformance.Scenario{s}, Params: p, Quiet: true,
			Target: conformance.Target{
				Client: newClient(dial), Listen: servers.Listen, Dial: servers.Dial,
				Features: conformance.ClientFeatures(nil),
			},
		})
	})
	return outcome.Results[0]
}

// Dial connects to an address of an in-memory network.
type Dial func(ctx context.Context, addr string) (net.Conn, error)

// onMemory launches servers on an in-memory network of their own. The servers may
// be wrong ones, so readiness asks them nothing.
func onMemory(newServer func() subject.Running) subject.InProcess {
	return onNetwork(memnet.New(), newServer)
}

func onNetwork(network *memnet.Network, newServer func() subject.Running) subject.InProcess {
	return subject.InProcess{
		New: newServer, ListenOnly: true,
		Listen: func(addr string) (net.Listener, error) { return network.Listen(addr) },
		Dial: func(ctx context.Context, addr string) (subject.Conn, error) {
			conn, err := network.Dial(ctx, addr)
			if err != nil {
				return nil, err
			}
			return conn, nil
		},
	}
}
