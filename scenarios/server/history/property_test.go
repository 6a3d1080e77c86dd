package history

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/monolock-dev/monolock-conform/conformance/spec"
)

// simulation is a sequential server of a few locks with its clients: whatever it
// does is right, so that its histories must be accepted.
type simulation struct {
	now    time.Duration
	token  uint64
	holder map[string]*Claim
	queue  map[string][]*Claim
	claims []*Claim
}

// tick moves the clock on, so that no two events share an instant.
func (s *simulation) tick(rt *rapid.T) time.Duration {
	s.now += time.Duration(rapid.IntRange(1, 1000).Draw(rt, "tick"))
	return s.now
}

// ask lets a new client ask for a lock, and is what it reads.
func (s *simulation) ask(rt *rapid.T, lock string) {
	c := &Claim{Client: len(s.claims), Who: fmt.Sprintf("conn-%d", len(s.claims)+1), Lock: lock, Asked: s.tick(rt)}
	s.claims = append(s.claims, c)
	if s.holder[lock] == nil {
		s.grant(rt, c)
		return
	}
	s.queue[lock] = append(s.queue[lock], c)
	c.Waiting = s.tick(rt)
}

func (s *simulation) grant(rt *rapid.T, c *Claim) {
	s.token += uint64(rapid.IntRange(1, 3).Draw(rt, "step"))
	s.holder[c.Lock], c.Token = c, s.token
	c.Granted = s.tick(rt)
}

// release ends the hold of a lock; the first waiter is next.
func (s *simulation) release(rt *rapid.T, lock string) {
	s.holder[lock].End = s.tick(rt)
	s.holder[lock] = nil
	if waiters := s.queue[lock]; len(waiters) > 0 {
		s.queue[lock] = waiters[1:]
		s.grant(rt, waiters[0])
	}
}

// leave lets one of the waiters go.
func (s *simulation) leave(rt *rapid.T, lock string) {
	i := rapid.IntRange(0, len(s.queue[lock])-1).Draw(rt, "who leaves")
	s.queue[lock][i].End = s.tick(rt)
	s.queue[lock] = slices.Delete(s.queue[lock], i, i+1)
}

// history runs a simulation to its end and returns what the clients saw.
func history(rt *rapid.T) []Claim {
	s := &simulation{holder: map[string]*Claim{}, queue: map[string][]*Claim{}}
	s.ask(rt, "a") // at least one is granted
	for range rapid.IntRange(0, 60).Draw(rt, "steps") {
		lock := rapid.SampledFrom([]string{"a", "b", "c"}).Draw(rt, "lock")
		switch what := rapid.IntRange(0, 4).Draw(rt, "what"); {
		case what == 0 && len(s.queue[lock]) > 0:
			s.leave(rt, lock)
		case what <= 2 && s.holder[lock] != nil:
			s.release(rt, lock)
		default:
			s.ask(rt, lock)
		}
	}
	for _, lock := range []string{"a", "b", "c"} {
		for s.holder[lock] != nil {
			s.release(rt, lock)
		}
	}
	claims := make([]Claim, len(s.claims))
	for i, c := range s.claims {
		claims[i] = *c
	}
	return claims
}

func TestACorrectHistoryIsAccepted(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		claims := history(rt)
		if problems := Check(claims); len(problems) > 0 {
			rt.Fatalf("a correct history is refused: %v\n%v", problems, claims)
		}
	})
}

// With one hold stretched into the next of its lock, the history is refused for
// exactly that.
func TestAnInjectedOverlapIsRefused(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		claims := history(rt)
		before, after := successors(claims)
		if len(before) == 0 {
			rt.Skip("no lock was held twice")
		}
		i := rapid.IntRange(0, len(before)-1).Draw(rt, "which")
		claims[before[i]].End = claims[after[i]].Granted + 1
		problems := Check(claims)
		if !slices.ContainsFunc(problems, func(p Problem) bool { return p.ID == spec.S_Q_10 }) {
			rt.Fatalf("%s overlaps %s, and nobody says so: %v", claims[before[i]].Who, claims[after[i]].Who, problems)
		}
	})
}

// A waiter that is exchanged with the one behind it is passed.
func TestAnInjectedPassIsRefused(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		claims := history(rt)
		before, after := successors(claims)
		for i := range before {
			first, second := &claims[before[i]], &claims[after[i]]
			if first.Waiting == 0 || first.Waiting >= second.Asked {
				continue
			}
			first.Granted, second.Granted = second.Granted, first.Granted
			first.End, second.End = second.End, first.End
			first.Token, second.Token = second.Token, first.Token
			if second.Granted <= second.Asked {
				rt.Skip("the exchange is no possible history")
			}
			if !slices.ContainsFunc(Check(claims), func(p Problem) bool { return p.ID == spec.S_Q_01 }) {
				rt.Fatalf("%s passed %s, and nobody says so", second.Who, first.Who)
			}
			return
		}
		rt.Skip("nobody waited behind another")
	})
}

// A token that is handed out again is seen, whichever it is.
func TestAnInjectedTokenIsRefused(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		claims := history(rt)
		before, after := successors(claims)
		if len(before) == 0 {
			rt.Skip("no lock was held twice")
		}
		i := rapid.IntRange(0, len(before)-1).Draw(rt, "which")
		back := rapid.Uint64Range(0, claims[before[i]].Token-1).Draw(rt, "back")
		claims[after[i]].Token = claims[before[i]].Token - back
		if !slices.ContainsFunc(Check(claims), func(p Problem) bool { return p.ID == spec.S_TOK_04 }) {
			rt.Fatalf("%s and then %s, and nobody says so", claims[before[i]].Who, claims[after[i]].Who)
		}
	})
}

// successors lists pairs of claims that held one lock one right after the other.
func successors(claims []Claim) (before, after []int) {
	var granted []int
	for i, c := range claims {
		if c.Granted != 0 {
			granted = append(granted, i)
		}
	}
	slices.SortFunc(granted, func(a, b int) int { return int(claims[a].Granted - claims[b].Granted) })
	last := map[string]int{}
	for _, i := range granted {
		if b, held := last[claims[i].Lock]; held {
			before, after = append(before, b), append(after, i)
		}
		last[claims[i].Lock] = i
	}
	return before, after
}
