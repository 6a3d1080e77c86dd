// Package history checks what many clients saw of a few locks: one holder at a
// time, first in first out, and tokens that grow. The checks are pure functions
// of recorded claims.
//
// All instants are offsets from one start, read at the suite's sockets, and more
// than 0: a 0 stands for never. A claim
// begins when ACQUIRED was read and ends when the client began to give it back
// or when its lease could first run out. Both shorten the claim as the server
// sees it, so that an overlap of two claims is certain.
package history

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/spec"
)

// Claim is one connection's story.
type Claim struct {
	Client  int
	Who     string // the connection, as the timeline names it
	Lock    string
	Asked   time.Duration // before ACQUIRE was sent
	Waiting time.Duration // when WAITING was read; 0 for a grant at once
	Granted time.Duration // when ACQUIRED was read; 0 when it never was
	End     time.Duration
	Token   uint64
}

// Ended returns the claim with its end.
func (c Claim) Ended(at time.Duration) Claim {
	c.End = at
	return c
}

// Problem is a requirement that a history breaks, and where: at an instant of one
// connection, which is "" where it is the whole history.
type Problem struct {
	ID               spec.ID
	Sentence, Actual string
	Who              string
	At               time.Duration
}

// Check runs every check. An empty history holds nothing, and is a problem.
func Check(claims []Claim) []Problem {
	granted := certain(claims)
	if len(granted) == 0 {
		return []Problem{{ID: spec.S_Q_10, Sentence: "clients are granted locks", Actual: "no claim was granted at all"}}
	}
	return slices.Concat(exclusion(granted), order(claims), uniqueTokens(granted), growingTokens(granted), linear(granted))
}

// certain returns the claims that surely held for a while, in the order of their
// grants. One that was read only after its lease could have run out is none.
func certain(claims []Claim) []Claim {
	held := slices.DeleteFunc(slices.Clone(claims), func(c Claim) bool { return c.Granted == 0 || c.Granted >= c.End })
	slices.SortStableFunc(held, func(a, b Claim) int { return cmp.Compare(a.Granted, b.Granted) })
	return held
}

// exclusion: on one lock no claim begins before the one before it has ended.
func exclusion(granted []Claim) []Problem {
	latest := map[string]Claim{}
	for _, c := range granted {
		before, held := latest[c.Lock]
		if held && c.Granted < before.End {
			return []Problem{{
				spec.S_Q_10, "one holder at a time",
				fmt.Sprintf("%s was granted at %v while %s held until %v at least", c.Who, short(c.Granted), before.Who, short(before.End)),
				c.Who, c.Granted,
			}}
		}
		if !held || c.End > before.End {
			latest[c.Lock] = c
		}
	}
	return nil
}

// order: who was told WAITING before another one asked is granted before that
// one, unless it left.
func order(claims []Claim) []Problem {
	for _, first := range claims {
		if first.Waiting == 0 || first.Granted >= first.End {
			continue
		}
		for _, later := range claims {
			behind := later.Lock == first.Lock && later.Granted != 0 && first.Waiting < later.Asked
			passed := first.Granted == 0 && later.Granted < first.End || first.Granted != 0 && later.Granted < first.Granted
			if behind && passed {
				return []Problem{{
					spec.S_Q_01, "waiters are granted in their order",
					fmt.Sprintf("%s waited since %v, and %s, which asked at %v, was granted before it at %v",
						first.Who, short(first.Waiting), later.Who, short(later.Asked), short(later.Granted)),
					later.Who, later.Granted,
				}}
			}
		}
	}
	return nil
}

// uniqueTokens: no two grants share a token.
func uniqueTokens(granted []Claim) []Problem {
	owner := map[uint64]Claim{}
	for _, c := range granted {
		if other, taken := owner[c.Token]; taken {
			return []Problem{{
				spec.S_TOK_04, "tokens are unique",
				fmt.Sprintf("%s and %s were both granted token %d", other.Who, c.Who, c.Token),
				c.Who, c.Granted,
			}}
		}
		owner[c.Token] = c
	}
	return nil
}

// growingTokens: a grant that surely came later has a larger token: a later one
// of the same lock, or one that was asked for after the other was granted.
func growingTokens(granted []Claim) []Problem {
	for i, later := range granted {
		for _, earlier := range granted[:i] {
			sure := earlier.Lock == later.Lock && earlier.End <= later.Granted || earlier.Granted < later.Asked
			if sure && later.Token <= earlier.Token {
				return []Problem{{
					spec.S_TOK_04, "tokens are ordered under concurrent grants",
					fmt.Sprintf("%s was granted token %d at %v, after %s with token %d at %v",
						later.Who, later.Token, short(later.Granted), earlier.Who, earlier.Token, short(earlier.Granted)),
					later.Who, later.Granted,
				}}
			}
		}
	}
	return nil
}

// short shows an instant as precisely as a reader of the timeline needs it.
func short(at time.Duration) time.Duration { return at.Round(time.Microsecond) }
