package conformance

import (
	"context"
	"slices"

	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/conformance/subject"
)

// Target is the subject of a run: a server that the scenarios share, and what
// may be done to it.
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
}

// Offers lists the features that the subject offers to scenarios.
func (t Target) Offers() []spec.Feature {
	offers := slices.Clone(t.Features)
	if t.Launcher != nil {
		offers = append(offers, spec.FeatureControl)
	}
	return offers
}
