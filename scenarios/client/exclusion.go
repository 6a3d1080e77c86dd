package client

import (
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/conformance/subject"
	"github.com/monolock-dev/monolock-conform/faultproxy"
	"github.com/monolock-dev/monolock-conform/scenarios/server/history"
)

var exclusion = []conformance.Scenario{
	{
		ID: "client/exclusion/random-faults", Role: spec.RoleClient,
		Title:  "two clients, one lock, random network faults: at no instant do both claim it",
		Judges: []spec.ID{spec.C_EXC_01}, Leases: 90,
		Method: "Thirty-two fault plans from the seed. In each, two claims of the client compete for one lock of the reference server, each behind a proxy of its own, while partitions, delays, resets and a restart of the server disturb them. No two holds may overlap by more than the suite's own delay.",
		Run: func(t *conformance.T) {
			const plans, lanes = 32, 6
			var holds atomic.Int64
			t.ForEach(plans, lanes, func(t *conformance.T, i int) {
				plan := drawPlan(t, i)
				ended := t.Case(fmt.Sprintf("plan %d, %s", i+1, plan), func(t *conformance.T) { holds.Add(int64(compete(t, plan))) })
				t.EndUnless(ended)
			})
			if n := holds.Load(); n < 2*plans {
				t.Unclear(spec.C_EXC_01, "at no instant do two clients claim one lock", fmt.Sprintf("the lock was held only %d times in %d plans, too seldom to tell", n, plans))
				return
			}
			t.Pass(spec.C_EXC_01, "at no instant do two clients claim one lock")
		},
	},
}

// plan is what disturbs one competition.
type plan struct {
	kind string
	// when is how long into a hold it begins: late enough for a heartbeat of the
	// holder to be confirmed, so that open point 6 explains nothing.
	when time.Duration
	rule faultproxy.Rule
}

func (p plan) String() string { return p.kind }

// drawPlan draws a plan from the seed. Return delays stay at or below 0.1 lease,
// others at 0.3; a partition outlasts the lease, for one that ends sooner is a
// return delay too.
func drawPlan(t *conformance.T, i int) plan {
	l := lease(t)
	p := plan{when: l*4/10 + time.Duration(t.Rand.Int64N(int64(l/3)))}
	kinds := []string{"partition both ways", "partition up", "partition down", "slow return path", "slow way there", "reset", "server restart", "none"}
	p.kind = kinds[i%len(kinds)]
	switch p.kind {
	case kinds[0]:
		p.rule = faultproxy.Rule{Fault: faultproxy.Partition}
	case kinds[1]:
		p.rule = faultproxy.Rule{Fault: faultproxy.Partition, Dir: faultproxy.Up}
	case kinds[2]:
		p.rule = faultproxy.Rule{Fault: faultproxy.Partition, Dir: faultproxy.Down}
	case kinds[3]:
		p.rule = faultproxy.Rule{Fault: faultproxy.Delay, Dir: faultproxy.Down, Delay: time.Duration(1 + t.Rand.Int64N(int64(l/10)))}
	case kinds[4]:
		p.rule = faultproxy.Rule{Fault: faultproxy.Delay, Dir: faultproxy.Up, Delay: time.Duration(1 + t.Rand.Int64N(int64(l*3/10)))}
	case kinds[5]:
		p.rule = faultproxy.Rule{Fault: faultproxy.Reset}
	}
	return p
}

// compete lets two clients hold one lock in turn, disturbs the first, and checks
// that their holds do not overlap. It returns how many holds there were.
func compete(t *conformance.T, p plan) int {
	server, lock := t.Reference(), t.Lock("job")
	disturbed, quiet := t.Proxy(server), t.Proxy(server)
	claims := make([][]*conformance.Claim, 2)
	t.Together(
		func(t *conformance.T) {
			first := ask(t, disturbed.Addr(), lock)
			claims[0] = append(claims[0], first)
			if _, ok := first.Next(time.Now().Add(conformance.AnswerTime), subject.Granted); ok {
				t.Pause(p.when)
				disturb(p, disturbed, server)
				letGo(first, time.Now().Add(lease(t)*3/2))
			}
			disturbed.Restore()
			claims[0] = append(claims[0], takeTurn(t, disturbed.Addr(), lock))
		},
		func(t *conformance.T) {
			t.Pause(lease(t) / 5)
			for range 2 {
				claims[1] = append(claims[1], takeTurn(t, quiet.Addr(), lock))
			}
		},
	)
	return judgeOverlap(t, lock, slices.Concat(claims...))
}

// disturb applies a plan.
func disturb(p plan, proxy *conformance.Proxy, server *conformance.Reference) {
	switch {
	case p.rule.Fault != "":
		proxy.Disturb(p.rule)
	case p.kind == "server restart":
		server.Restart()
	}
}

func ask(t *conformance.T, addr, lock string) *conformance.Claim {
	options := []conformance.ClaimOption{conformance.Named(lock), conformance.ForLease(lease(t))}
	if t.Offers(spec.FeatureRetry) {
		options = append(options, conformance.Retrying())
	}
	return t.Claim(addr, options...)
}

// takeTurn claims the lock, holds it for a moment once it is granted, and lets go.
func takeTurn(t *conformance.T, addr, lock string) *conformance.Claim {
	claim := ask(t, addr, lock)
	if e, ok := claim.Next(time.Now().Add(4*lease(t)), subject.Granted, subject.Result); ok && e.Kind == subject.Granted {
		letGo(claim, time.Now().Add(time.Duration(t.Rand.Int64N(int64(lease(t)/2)))))
	} else {
		claim.Close()
	}
	return claim
}

// letGo waits for the end of a claim, at most until an instant, and has its work
// return.
func letGo(claim *conformance.Claim, until time.Time) {
	claim.Next(until, subject.Lost, subject.Finished)
	claim.Release()
	claim.Next(time.Now().Add(conformance.AnswerTime), subject.Finished, subject.Result)
	claim.Close()
}

// judgeOverlap wants no two holds of different claims at one time, and returns how
// many there were. The picture of a history with an overlap is kept.
func judgeOverlap(t *conformance.T, lock string, claims []*conformance.Claim) int {
	var holds []conformance.Hold
	for _, c := range claims {
		holds = append(holds, c.Holds()...)
	}
	slices.SortFunc(holds, func(a, b conformance.Hold) int { return a.From.Compare(b.From) })
	for i, later := range holds {
		for _, earlier := range holds[:i] {
			if earlier.To.IsZero() {
				earlier.To = time.Now()
			}
			overlap := earlier.To.Sub(later.From)
			if earlier.Who == later.Who || overlap <= conformance.LineTime+t.Noise() {
				continue
			}
			const why, expected = "at no instant do two clients claim one lock", "holds that do not overlap"
			actual := fmt.Sprintf("%s (token %d) and %s (token %d) both claimed the lock for %s", earlier.Who, earlier.Token, later.Who, later.Token, ms(overlap))
			if overlap <= conformance.LineTime+t.LatenessUntil(later.From, earlier.To) {
				t.Doubt(spec.C_EXC_01, why, expected, actual)
			}
			t.Attach("history.html", picture(lock, holds))
			t.Fail(spec.C_EXC_01, why, expected, actual)
		}
	}
	return len(holds)
}

// picture draws the holds of one lock.
func picture(lock string, holds []conformance.Hold) []byte {
	var claims []history.Claim
	for i, h := range holds {
		end := h.To
		if end.IsZero() {
			end = time.Now()
		}
		from := h.From.Sub(holds[0].From) + 1
		claims = append(claims, history.Claim{Client: i, Who: h.Who, Lock: lock, Asked: from, Granted: from, End: end.Sub(holds[0].From), Token: h.Token})
	}
	return history.Picture(claims)
}
