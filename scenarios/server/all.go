// Package server holds the scenarios that judge a server, a file for each topic
// of the catalogue. Each is a value; its Run reads like the sentence it tests.
package server

import (
	"slices"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/spec"
)

// All returns every scenario for servers, in the order of the catalogue.
func All() []conformance.Scenario {
	return slices.Concat(
		documented, framing, acquire, names, refusals, heartbeats, leases, queue, tokens, load, robustness, capacity, process, shutdown,
	)
}

// control is the feature that the suite starts and stops the server itself.
var control = []spec.Feature{spec.FeatureControl}
