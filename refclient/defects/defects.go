// Package defects holds wrong clients as values: each is the reference client
// with one decision changed, and says which requirements must see it.
package defects

import (
	"github.com/monolock-dev/monolock-conform/refclient"
	"github.com/monolock-dev/monolock-conform/refclient/adapter"
)

// Defect is a client that is wrong in one way.
type Defect struct {
	ID       string   // unique, kebab-case
	Sentence string   // what the client does wrong
	Must     []string // requirements that fail; a SHOULD that is not held counts
	May      []string // requirements that may fail as a consequence
	Process  bool     // only a process can show it

	// New returns a client of its own; it goes with adapter.Run.
	New func(refclient.Config) adapter.Client
}

// All returns every defect, in the order of the catalogue's topics.
func All() []Defect { return nil }

// Get returns the defect with that ID.
func Get(id string) (Defect, bool) {
	for _, d := range All() {
		if d.ID == id {
			return d, true
		}
	}
	return Defect{}, false
}
