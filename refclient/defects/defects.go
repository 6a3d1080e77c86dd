// Package defects holds wrong clients as values: each is the reference client
// with one decision changed, and says which requirements must see it.
//
// A defect changes one of three things: a rule ([refclient.Rules], by way of the
// changed type), bytes and connections on their way (a dialer that wraps them),
// or a whole call (a client around the client). The reference client itself
// knows of none of them.
//
// The files are by topic of the catalogue. A new defect is a literal in its
// topic's list: an ID, the sentence that says what is wrong, the requirements
// that must fail, those that may fail with them, and the change.
package defects

import (
	"slices"
	"strings"

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

	// New returns a client for one call, as adapter.Run wants it. Clients of
	// one Defect value share nothing.
	New func(refclient.Config) adapter.Client
}

// All returns every defect, in the order of the catalogue's topics.
func All() []Defect {
	return slices.Concat(
		connecting(), names(), reading(), tokens(), pacing(), flight(), revocation(), silence(), later(), lateWords(),
		retries(), classes(), refusals(), held(), doubts(), releases(), losses(), untoldLosses(), cancels(),
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
