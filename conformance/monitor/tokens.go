package monitor

import (
	"fmt"

	"github.com/monolock-dev/monolock-conform/conformance/timeline"
)

// tokensGrowOnOneLock: a later grant of the same lock has a larger token (S-TOK-02).
func tokensGrowOnOneLock(s *session, e *timeline.Event, f *Finding) {
	checkGrowth(s, e, f, s.hold.same)
}

// tokensGrowOverLocks: a later grant of another lock has a larger token, too (S-TOK-03).
func tokensGrowOverLocks(s *session, e *timeline.Event, f *Finding) {
	checkGrowth(s, e, f, s.hold.other)
}

// checkGrowth compares a grant with the largest token among those that are surely
// before it and that concern it.
func checkGrowth(s *session, e *timeline.Event, f *Finding, largest issue) {
	if !s.hold.news || !largest.some {
		return
	}
	if largest.close && s.watch.capture && e.Frame.Token <= largest.token {
		return // which of the two was first is not sure
	}
	f.Examined++
	if token := e.Frame.Token; token <= largest.token {
		s.misgranted(f, e, largest, fmt.Sprintf("a token larger than %d, granted before to %s", largest.token, largest.who),
			fmt.Sprintf("%s was granted token %d", s.who, token))
	}
}

// tokensAreUnique: no two grants share a token (S-TOK-04).
func tokensAreUnique(s *session, e *timeline.Event, f *Finding) {
	if !s.hold.news {
		return
	}
	f.Examined++
	if twin := s.hold.twin; twin.some {
		s.misgranted(f, e, twin, "a token of its own for each grant",
			fmt.Sprintf("%s and %s were both granted token %d", twin.who, s.who, e.Frame.Token))
	}
}

// misgranted is a violation, unless the server may have been restarted between the
// two grants: only after a second must the new run's tokens be larger (S-TOK-05).
func (s *session) misgranted(f *Finding, e *timeline.Event, earlier issue, expected, actual string) {
	if s.order.mayHaveRestarted(earlier, e) {
		s.doubted(f, e, expected, actual+", unless the server was restarted in between, as its ends of all sessions suggest")
		return
	}
	s.violated(f, e, expected, actual)
}
