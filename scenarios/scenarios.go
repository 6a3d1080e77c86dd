// Package scenarios is the registry of all experiments, and their door into
// somebody's own `go test`: [TestServer] and [TestClient].
package scenarios

import (
	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/scenarios/client"
	"github.com/monolock-dev/monolock-conform/scenarios/server"
)

// All returns every scenario of a role, in the order of the catalogue.
func All(role spec.Role) []conformance.Scenario {
	if role == spec.RoleServer {
		return server.All()
	}
	return client.All()
}

func init() {
	if err := conformance.Validate(append(server.All(), client.All()...)); err != nil {
		panic(err)
	}
}
