package spec

import "slices"

// CatalogueVersion is the version of the catalogue's IDs and levels.
const CatalogueVersion = 1

// section is a topic of one role with its requirements, which leave the role
// and the topic to be filled in.
type section struct {
	role         Role
	topic        Topic
	requirements []Requirement
}

// sections is the whole catalogue in its order.
var sections = []section{
	serverFraming,
	serverAcquire,
	serverHeartbeat,
	serverQueue,
	serverToken,
	serverRobustness,
	serverShutdown,
	serverAdmin,
	serverTLS,
	serverIdentity,
	serverACL,
	serverOperations,
	serverAudit,
	serverConfig,

	clientConnect,
	clientReading,
	clientHeartbeats,
	clientRevocation,
	clientErrors,
	clientDoubt,
	clientRelease,
	clientLoss,
	clientToken,
	clientCancel,
	clientExclusion,
	clientTLS,
}

var (
	catalogue = mustAssemble(sections)
	position  = positions(catalogue)
)

// All returns every requirement, the server's first, in the catalogue's order.
// The result shares no memory with the catalogue.
func All() []Requirement {
	all := make([]Requirement, len(catalogue))
	for i, r := range catalogue {
		all[i] = clone(r)
	}
	return all
}

// Get returns the requirement with this ID. It reports false for an ID that
// the catalogue lacks.
func Get(id ID) (Requirement, bool) {
	i, known := position[id]
	if !known {
		return Requirement{}, false
	}
	return clone(catalogue[i]), true
}

// Of returns the requirements of one role in the catalogue's order.
func Of(role Role) []Requirement {
	return slices.DeleteFunc(All(), func(r Requirement) bool { return r.Role != role })
}

// Topics returns the topics of one role in the catalogue's order.
func Topics(role Role) []Topic {
	var topics []Topic
	for _, s := range sections {
		if s.role == role {
			topics = append(topics, s.topic)
		}
	}
	return topics
}

// mustAssemble joins the sections into one list. It panics where they are
// broken: a suite that misreads its own catalogue must not start.
func mustAssemble(sections []section) []Requirement {
	if err := check(sections); err != nil {
		panic("spec: the catalogue is broken, nothing can be tested with it:\n" + err.Error())
	}
	return assemble(sections)
}

func assemble(sections []section) []Requirement {
	var all []Requirement
	for _, s := range sections {
		for _, r := range s.requirements {
			r.Role, r.Topic = s.role, s.topic
			all = append(all, r)
		}
	}
	return all
}

func positions(all []Requirement) map[ID]int {
	at := make(map[ID]int, len(all))
	for i, r := range all {
		at[r.ID] = i
	}
	return at
}

func clone(r Requirement) Requirement {
	r.Features = slices.Clone(r.Features)
	r.Sources = slices.Clone(r.Sources)
	return r
}
