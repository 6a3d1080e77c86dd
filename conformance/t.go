package conformance

import (
	"context"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/subject"
	"github.com/monolock-dev/monolock-conform/conformance/timeline"
)

// T is what a scenario acts and judges with. It belongs to one attempt of one
// scenario and is of no use after it. Its methods may be called from any
// goroutine that T started ([T.Together]); a judgement that a MUST does not
// hold ends the calling goroutine's part, as testing.T.FailNow does.
type T struct {
	*attempt
	// Lease is the base lease; a scenario scales its own from it.
	Lease time.Duration
	// Rand is seeded from the run's seed and the scenario's ID.
	Rand *rand.Rand

	part string // which of several cases, or ""
	item bool   // runs in a lane of ForEach
}

// attempt is one run of one scenario: all that its Ts share.
type attempt struct {
	ctx      context.Context
	scenario Scenario
	params   Params
	server   subject.Server
	instance subject.Instance                // nil unless the suite started the server
	restart  func(ctx context.Context) error // the restart command, or nil
	world    *world                          // nil where nobody else shares the server
	canary   *canary
	tl       *timeline.Timeline

	clientSide

	number   int64 // of the attempt, so that a second one meets no lock of the first
	locks    atomic.Int64
	workers  sync.WaitGroup
	mu       sync.Mutex
	sessions []*Session
	lanes    map[string]string // connections and claims by name, to their case
	ends     []func()          // what closes what the attempt opened
	bands    []Band
	limits   []Limit
	verdicts []Judgement
	observed []Observation
	kept     []Attachment
	aborted  bool // a part ended early
	absent   error
	// disturbed is set once the scenario itself ends or restarts the server.
	disturbed bool
}

// Attachment is evidence beside the timeline, such as the picture of a history.
type Attachment struct {
	Name string // a file name without folder
	Data []byte
}

// Prefix is what lock names begin with.
func (t *T) Prefix() string { return t.params.LockPrefix }

// Sessions is how many sessions at once the user asked for.
func (t *T) Sessions() int { return t.params.Sessions }

// IOTimeout is the io-timeout that the server is said to have.
func (t *T) IOTimeout() time.Duration { return t.params.IOTimeout }

// RTT is the measured round trip to the subject.
func (t *T) RTT() time.Duration { return t.params.RTT }

// Patient is the time d, and a person's patience where one plays the subject: for
// scenarios that look at several things in turn.
func (t *T) Patient(d time.Duration) time.Duration { return d + t.params.Patience }

// Seed is the run's seed.
func (t *T) Seed() uint64 { return t.params.Seed }

// Context ends when the attempt must end.
func (t *T) Context() context.Context { return t.ctx }

// Noise is how late the suite itself was at most since the attempt began.
func (t *T) Noise() time.Duration { return t.canary.since(t.tl.Start()) }

// NoiseSince is how late the suite itself was at most since an instant.
func (t *T) NoiseSince(from time.Time) time.Duration { return t.canary.since(from) }

// onHangUp has a function called when the attempt ends.
func (a *attempt) onHangUp(end func()) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.ends = append(a.ends, end)
}

// Remark puts words on the timeline.
func (t *T) Remark(who, format string, args ...any) {
	t.tl.Add(time.Now(), timeline.Event{Who: who, By: timeline.Suite, What: timeline.Remark, Note: fmt.Sprintf(format, args...)})
}

// Attach keeps evidence for the report.
func (t *T) Attach(name string, data []byte) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept = append(t.kept, Attachment{Name: name, Data: data})
}

// Negative notes that a negative case begins which a weak server may not
// survive, and returns the function that closes it. A server that stops
// serving meanwhile, or right after, fails S-ROB-01.
func (t *T) Negative(what string) (done func()) {
	if t.world == nil {
		return func() {}
	}
	return t.world.openNegative(t.scenario.ID, what)
}

// seeded returns the random source of a scenario.
func seeded(seed uint64, scenario string) *rand.Rand {
	h := fnv.New64a()
	h.Write([]byte(scenario))
	return rand.New(rand.NewPCG(seed, h.Sum64()))
}
