package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/scenarios"
)

// otherwiseKnown says of a pattern that names no scenario of this run what else it
// names: something of the other role, a requirement without a scenario, or a label.
func otherwiseKnown(err error, tested []spec.Role) error {
	none, ok := errors.AsType[*conformance.NoMatchError](err)
	if !ok {
		return err
	}
	pattern := conformance.ParsePattern(none.Pattern)
	for _, role := range roles {
		if !slices.Contains(tested, role) && slices.ContainsFunc(scenarios.All(role), pattern.Matches) {
			return fmt.Errorf("%q names scenarios for a %s, and this run tests a %s: %s", none.Pattern, role, tested[0], subjectFlags[role])
		}
	}
	if r, known := spec.Get(spec.ID(none.Pattern)); known {
		return fmt.Errorf("%s is a requirement, but no scenario of this version judges it; `monolock-conform list` shows which are judged", r.ID)
	}
	if label, is := labelOf(none.Pattern); is {
		return fmt.Errorf("%q is a label, and no ID of a scenario or requirement: --label-filter %s", none.Pattern, label)
	}
	return err
}

// subjectFlags say how a subject of a role is named.
var subjectFlags = map[spec.Role]string{
	spec.RoleServer: "name a server, with --server or --server-cmd", spec.RoleClient: "name a client, with --client",
}

// labelOf finds the label of some scenario that a word names, as label filters see it.
func labelOf(word string) (label string, found bool) {
	for _, role := range roles {
		for _, s := range scenarios.All(role) {
			for _, label := range s.AllLabels() {
				if strings.EqualFold(label, word) {
					return label, true
				}
			}
		}
	}
	return "", false
}
