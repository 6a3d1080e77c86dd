package reports

import (
	"slices"

	"github.com/monolock-dev/monolock-conform/conformance/spec"
)

// otherTopic holds the requirements that this suite's catalogue does not.
var otherTopic = spec.Topic{Key: "other", Title: "other"}

// topicGroup is a topic with those requirements of a result that belong to it.
type topicGroup struct {
	spec.Topic
	requirements []Requirement
}

// byTopic groups the requirements of a result by topic, in the catalogue's order.
func byTopic(r Result) []topicGroup {
	var groups []topicGroup
	for _, q := range r.Requirements {
		requirement, isKnown := spec.Get(q.ID)
		if !isKnown {
			requirement.Topic = otherTopic
		}
		at := slices.IndexFunc(groups, func(g topicGroup) bool { return g.Topic == requirement.Topic })
		if at < 0 {
			at = len(groups)
			groups = append(groups, topicGroup{Topic: requirement.Topic})
		}
		groups[at].requirements = append(groups[at].requirements, q)
	}
	return groups
}

// sentenceOf is the sentence of a requirement, or words for one that this suite's
// catalogue does not hold.
func sentenceOf(id spec.ID) string {
	if requirement, isKnown := spec.Get(id); isKnown {
		return requirement.Sentence
	}
	return "a requirement that this suite's catalogue does not hold"
}
