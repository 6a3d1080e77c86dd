package monitor

import (
	"fmt"
	"slices"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/timeline"
)

// grant is one session's hold, as far as the order of grants needs it.
type grant struct {
	who   string
	lock  string
	token uint64
	asked int // Seq of its ACQUIRE
	// until is when its lease could first run out, had it never sent a heartbeat.
	until time.Duration
	got   timeline.Event
	left  int // Seq of the suite's ending it, or -1
	run   int // which run of the server granted it
}

// grants lists the holds in the order in which they were received.
func grants(sessions []session) []grant {
	var all []grant
	restarts := restartsOf(sessions)
	for _, s := range sessions {
		got, granted := s.grant()
		name, asked, known := s.lock()
		if !granted || !known {
			continue
		}
		g := grant{who: s.who, lock: name, token: got.Frame.Token, asked: asked.Seq, until: asked.At + lease(asked), got: got, left: -1}
		if left, ended := s.left(); ended {
			g.left = left.Seq
		}
		for g.run < len(restarts) && restarts[g.run] < got.Seq {
			g.run++
		}
		all = append(all, g)
	}
	slices.SortFunc(all, func(a, b grant) int { return a.got.Seq - b.got.Seq })
	return all
}

// lease is what an ACQUIRE asks for.
func lease(asked timeline.Event) time.Duration {
	return time.Duration(asked.Frame.Acquire.LeaseMS) * time.Millisecond
}

// restartsOf lists the Seqs at which the suite stopped the server, in order.
func restartsOf(sessions []session) []int {
	var seqs []int
	for _, s := range sessions {
		for _, e := range s.events {
			if e.What == timeline.Remark && e.Note == Restart {
				seqs = append(seqs, e.Seq)
			}
		}
	}
	return seqs
}

// before reports whether a was surely granted before b: a was received before
// b was asked for, or b was received on the same lock after the suite gave a back.
// Grants that overlap in time have no order to check; nor has b when its lease may
// have run out before it was read, for then it may have been first.
func (a grant) before(b grant) bool {
	askedLater := a.got.Seq < b.asked
	givenBack := a.lock == b.lock && a.left >= 0 && a.got.Seq < a.left && a.left < b.got.Seq && b.got.At < b.until
	return a.run == b.run && (askedLater || givenBack)
}

// tokensGrowOnOneLock: a later grant of the same lock has a larger token (S-TOK-02).
func tokensGrowOnOneLock(sessions []session, f *Finding) {
	checkGrowth(grants(sessions), f, func(a, b grant) bool { return a.lock == b.lock })
}

// tokensGrowOverLocks: a later grant of another lock has a larger token, too (S-TOK-03).
func tokensGrowOverLocks(sessions []session, f *Finding) {
	checkGrowth(grants(sessions), f, func(a, b grant) bool { return a.lock != b.lock })
}

// checkGrowth compares each grant with the largest token among those that are
// surely before it and that concern it.
func checkGrowth(line []grant, f *Finding, concerns func(earlier, later grant) bool) {
	for i, later := range line {
		var largest *grant
		for j := range line[:i] {
			earlier := &line[j]
			if concerns(*earlier, later) && earlier.before(later) && (largest == nil || earlier.token > largest.token) {
				largest = earlier
			}
		}
		if largest == nil {
			continue
		}
		f.Examined++
		if later.token <= largest.token {
			f.violated(later.got, fmt.Sprintf("a token larger than %d, granted before to %s", largest.token, largest.who),
				fmt.Sprintf("%s was granted token %d", later.who, later.token))
		}
	}
}

// tokensAreUnique: no two grants share a token (S-TOK-04).
func tokensAreUnique(sessions []session, f *Finding) {
	type issue struct {
		run   int
		token uint64
	}
	holders := map[issue]string{}
	for _, g := range grants(sessions) {
		f.Examined++
		if other, taken := holders[issue{g.run, g.token}]; taken {
			f.violated(g.got, "a token of its own for each grant",
				fmt.Sprintf("%s and %s were both granted token %d", other, g.who, g.token))
		}
		holders[issue{g.run, g.token}] = g.who
	}
}
