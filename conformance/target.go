package conformance

import (
	"context"
	"net"
	"slices"

	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/conformance/subject"
)

// Target is the subject of a run: a server that the scenarios share, and what
// may be done to it; or a client.
type Target struct {
	// Server is the one that scenarios share.
	Server subject.Server
	// Launcher starts servers for the scenarios that need one of their own
	// (feature control); nil where the suite cannot.
	Launcher subject.Launcher
	// Restart restarts Server in place and returns when it answers again; nil
	// where there is no restart command.
	Restart func(ctx context.Context) error
	// Features are those that the subject offers, control aside.
	Features []spec.Feature

	// Client is the subject of a run for clients; then Server, Launcher and Restart
	// are not used.
	Client subject.Client
	// Listen opens the port of a scripted server: on addr, or for "" on a fresh one.
	Listen func(addr string) (net.Listener, error)
	// Dial connects to an address of Listen, for the suite's own proxy.
	Dial func(ctx context.Context, addr string) (subject.Conn, error)
}

// Offers lists the features that the subject offers to scenarios.
func (t Target) Offers() []spec.Feature {
	offers := slices.Clone(t.Features)
	if t.Launcher != nil {
		offers = append(offers, spec.FeatureControl)
	}
	return offers
}

// clientFeatures are what a client has unless its adapter declines it.
var clientFeatures = []spec.Feature{spec.FeatureRetry, spec.FeatureCancel, spec.FeatureFail, spec.FeatureClassify}

// ClientFeatures lists the features of a client whose adapter lacks these. TLS is
// not tested by this version and not among them.
func ClientFeatures(lacks []string) []spec.Feature {
	return slices.DeleteFunc(slices.Clone(clientFeatures), func(f spec.Feature) bool { return slices.Contains(lacks, string(f)) })
}
