// Package defects holds wrong servers as values: each is the reference server
// with one decision changed, and says which requirements must see it.
//
// A defect changes one of two things: a rule ([refserver.Rules], by way of
// the changed type), or bytes and connections on their way (a listener that
// wraps them). The reference server itself knows of none of them.
//
// The files are by topic of the catalogue. A new defect is a literal in its
// topic's list: an ID, the sentence that says what is wrong, the requirements
// that must fail, those that may fail with them, and the change.
package defects

import (
	"context"
	"net"
	"slices"
	"strings"

	"github.com/monolock-dev/monolock-conform/refserver"
)

// Server is what a defect makes; *refserver.Server is one.
type Server interface {
	Serve(l net.Listener) error
	Shutdown(ctx context.Context) error
	Close() error
}

// Defect is a server that is wrong in one way.
type Defect struct {
	ID       string   // unique, kebab-case
	Sentence string   // what the server does wrong
	Must     []string // requirements that fail; a SHOULD that is not held counts
	May      []string // requirements that may fail as a consequence
	Past     bool     // a preflight refuses such a server: scenarios are run past it
	Process  bool     // only a process can show it

	// New returns a server that does not serve yet. Servers of one Defect
	// value on one address count as restarts of each other; nothing else is
	// shared. Take a fresh Defect, by Get or All, for each run.
	New func(refserver.Config) Server
}

// All returns every defect, in the order of the catalogue's topics.
func All() []Defect {
	return slices.Concat(
		strangers(), framing(), refusals(), requests(), names(), sessionEnds(),
		heartbeats(), leases(), queue(), tokens(), robustness(), shutdown(),
	)
}

// Get returns the defect with that ID.
func Get(id string) (Defect, bool) {
	for _, d := range All() {
		if d.ID == id {
			return d, true
		}
	}
	return Defect{}, false
}

// ids splits a list of requirements.
func ids(list string) []string { return strings.Fields(list) }
