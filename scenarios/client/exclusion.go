package client

import "github.com/monolock-dev/monolock-conform/conformance"

// exclusion is filled in exclusion scenarios.
var exclusion []conformance.Scenario
