package client

import (
	"context"
	"io"
	"math"
	"testing"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/conformance/subject"
	"github.com/monolock-dev/monolock-conform/conformance/virtual"
	"github.com/monolock-dev/monolock-conform/conformance/wire"
	"github.com/monolock-dev/monolock-conform/refclient"
	"github.com/monolock-dev/monolock-conform/refclient/adapter"
)

// signed refuses a lease that a signed number of 32 bits does not hold.
type signed struct{ refclient.StandardRules }

func (signed) Check(name string, lease time.Duration) *refclient.Error {
	if lease > math.MaxInt32*time.Millisecond {
		return &refclient.Error{Local: true, Code: wire.CodeLeaseNotPositive}
	}
	return nil
}

// TestAClientMayRefuseALongLease: the documents say what a lease is on the wire, and
// not what a client takes from its callers. A refusal is recorded and never judged.
func TestAClientMayRefuseALongLease(t *testing.T) {
	refuses := func(cfg refclient.Config) adapter.Client {
		cfg.Rules = signed{}
		return refclient.New(cfg)
	}
	result := virtual.Client(t, scenarioOf(t, "client/connect/longest-leases"), conformance.DefaultParams(), func(dial virtual.Dial) subject.Client {
		return subject.InProcessClient{Run: func(ctx context.Context, getenv func(string) string, stdin io.Reader, stdout, stderr io.Writer) int {
			return adapter.Run(ctx, adapter.Env{Getenv: getenv, Stdin: stdin, Stdout: stdout, Stderr: stderr, Dial: dial}, refuses)
		}}
	})
	if result.Verdict != conformance.Pass {
		t.Errorf("%s: %+v; want pass", result.Verdict, result.Judgements)
	}
	for _, o := range result.Observations {
		if o.ID != spec.C_ACQ_01 || o.Value != "the client refuses it itself: result stop" {
			t.Errorf("observed %+v", o)
		}
	}
	if len(result.Observations) != 2 {
		t.Errorf("%d observations, want one for each lease", len(result.Observations))
	}
}

func scenarioOf(t *testing.T, id string) conformance.Scenario {
	for _, s := range All() {
		if s.ID == id {
			return s
		}
	}
	t.Fatalf("there is no scenario %s", id)
	return conformance.Scenario{}
}
