package conformance

import (
	"context"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/onsi/gomega"
	"github.com/onsi/gomega/types"

	"github.com/monolock-dev/monolock-conform/conformance/spec"
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
	ends     []func() // what closes what the attempt opened
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

// Band is a time in which something was in force, such as a silence.
type Band struct {
	What     string
	From, To time.Time // a zero To lasts to the end
}

// Limit is an instant by which something had to happen.
type Limit struct {
	What string
	At   time.Time
}

// Attachment is evidence beside the timeline, such as the picture of a history.
type Attachment struct {
	Name string // a file name without folder
	Data []byte
}

// Lock returns a lock name that no other scenario and no other run uses. The
// label makes it readable.
func (t *T) Lock(label string) string {
	return fmt.Sprintf("%s%s/%s", t.params.LockPrefix, t.Nonce(), label)
}

// LockOf is a lock name of exactly that many bytes, filled up with fill, which
// must be one character; where its bytes do not come out even, a dash joins in.
func (t *T) LockOf(bytes int, fill string) string {
	name := t.params.LockPrefix + t.Nonce()
	if len(name) > bytes {
		t.quitUnclear(fmt.Sprintf("the lock prefix of %d bytes leaves no room for a name of %d", len(t.params.LockPrefix), bytes))
	}
	for (bytes-len(name))%len(fill) != 0 {
		name += "-"
	}
	return name + strings.Repeat(fill, (bytes-len(name))/len(fill))
}

// quitUnclear ends the calling part for a reason that lies in the run's options.
func (t *T) quitUnclear(why string) {
	for _, id := range t.scenario.Judges {
		t.Unclear(id, "a name that the case needs", why)
	}
	t.quit()
}

// Nonce is a short text that no other call and no other run gets: for names
// that must not be as long as those of [T.Lock].
func (t *T) Nonce() string {
	return fmt.Sprintf("%s%s.%d.%d", t.params.Nonce, shortHash(t.scenario.ID), t.number, t.locks.Add(1))
}

// Prefix is what lock names begin with.
func (t *T) Prefix() string { return t.params.LockPrefix }

// Sessions is how many sessions at once the user asked for.
func (t *T) Sessions() int { return t.params.Sessions }

// IOTimeout is the io-timeout that the server is said to have.
func (t *T) IOTimeout() time.Duration { return t.params.IOTimeout }

// RTT is the measured round trip to the subject.
func (t *T) RTT() time.Duration { return t.params.RTT }

// Seed is the run's seed.
func (t *T) Seed() uint64 { return t.params.Seed }

// Context ends when the attempt must end.
func (t *T) Context() context.Context { return t.ctx }

// Noise is how late the suite itself was at most since the attempt began.
func (t *T) Noise() time.Duration { return t.canary.since(t.tl.Start()) }

// Pass records that a requirement held here.
func (t *T) Pass(id spec.ID, sentence string) {
	t.record(Judgement{ID: id, Verdict: Pass, Sentence: sentence, Event: -1})
}

// PassAfter records that a requirement held, with the time that was judged.
func (t *T) PassAfter(id spec.ID, sentence string, measured time.Duration) {
	t.record(Judgement{ID: id, Verdict: Pass, Sentence: sentence, Event: -1, Measured: measured, Timed: true})
}

// Fail records that a requirement does not hold. For a MUST it does not return.
func (t *T) Fail(id spec.ID, sentence, expected, actual string) {
	t.judge(Judgement{ID: id, Verdict: failed(id), Sentence: sentence, Expected: expected, Actual: actual, Event: t.tl.Len() - 1})
}

// Late records that something did not come in time. For a MUST it does not return.
// Before it counts the scenario runs again alone.
func (t *T) Late(id spec.ID, sentence, expected, actual string) {
	t.judge(Judgement{ID: id, Verdict: failed(id), Timing: true, Sentence: sentence, Expected: expected, Actual: actual, Event: t.tl.Len() - 1})
}

// FailAll records that several requirements do not hold, for one reason, and does
// not return where one of them is a MUST.
func (t *T) FailAll(sentence, expected, actual string, ids ...spec.ID) {
	worst := Judgement{}
	for _, id := range ids {
		j := Judgement{ID: id, Verdict: failed(id), Sentence: sentence, Expected: expected, Actual: actual, Event: t.tl.Len() - 1}
		if worst.ID == "" || Worst(worst.Verdict, j.Verdict) == j.Verdict {
			worst = j
		}
		t.record(j)
	}
	if worst.Verdict == Fail {
		t.quit()
	}
}

// JudgeLate records that something came too late, in words that the scenario
// gives; by less than the suite's own delay it is a doubt.
func (t *T) JudgeLate(id spec.ID, sentence, expected, actual string, at time.Time, w Window) {
	t.limit(sentence, w.By)
	j := Judgement{ID: id, Verdict: failed(id), Sentence: sentence, Expected: expected, Actual: actual, Event: t.tl.Len() - 1, Measured: at.Sub(w.From), Timed: true, Timing: true}
	if at.Sub(w.By) <= t.Noise() {
		j.Verdict, j.Doubt = Inconclusive, true
	}
	t.judge(j)
}

// Doubt records that the suite itself was too late to tell, and does not return.
// The scenario runs again alone.
func (t *T) Doubt(id spec.ID, sentence, expected, actual string) {
	t.judge(Judgement{ID: id, Verdict: Inconclusive, Doubt: true, Sentence: sentence, Expected: expected, Actual: actual, Event: t.tl.Len() - 1})
}

// Unclear records that a requirement could not be told for a reason that
// another run would not mend. It returns.
func (t *T) Unclear(id spec.ID, sentence, why string) {
	t.record(Judgement{ID: id, Verdict: Inconclusive, Sentence: sentence, Expected: sentence, Actual: why, Event: t.tl.Len() - 1})
}

// Unsupported records that the requirement cannot be tested on this subject or
// from this machine. It returns.
func (t *T) Unsupported(id spec.ID, why string) {
	t.record(Judgement{ID: id, Verdict: Unsupported, Actual: why, Event: -1})
}

// Observe records a fact that the documents leave open.
func (t *T) Observe(id spec.ID, key, value string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.observed = append(t.observed, Observation{ID: id, Key: key, Value: value})
	if r, _ := spec.Get(id); r.Level == spec.LevelObserve {
		t.verdicts = append(t.verdicts, Judgement{ID: id, Verdict: Observed, Sentence: key, Actual: value, Event: -1, Case: t.part})
	}
}

// Expect judges a value with a Gomega matcher; the requirement fails with the
// matcher's message.
func (t *T) Expect(id spec.ID, sentence string, actual any, matcher types.GomegaMatcher) {
	held := true
	g := gomega.NewGomega(func(message string, _ ...int) {
		held = false
		t.Fail(id, sentence, sentence, strings.Join(strings.Fields(message), " "))
	})
	g.Expect(actual).To(matcher)
	if held {
		t.Pass(id, sentence)
	}
}

// onHangUp has a function called when the attempt ends.
func (a *attempt) onHangUp(end func()) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.ends = append(a.ends, end)
}

// band notes that something is in force from an instant on.
func (a *attempt) band(what string, from time.Time) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.bands = append(a.bands, Band{What: what, From: from})
}

// limit notes an instant that a judgement is about.
func (a *attempt) limit(what string, at time.Time) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.limits = append(a.limits, Limit{What: what, At: at})
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

// Case runs part as one of several cases: when it fails, the others still run. It
// reports whether the case came to its end.
func (t *T) Case(name string, part func(*T)) (ended bool) {
	done := make(chan struct{})
	t.start(t.as(name), func(t *T) {
		part(t)
		ended = true
	}, func() { close(done) })
	<-done
	return ended
}

// Together runs parts side by side and waits for all of them. Each is a case of
// its own.
func (t *T) Together(parts ...func(*T)) {
	var all sync.WaitGroup
	for i, part := range parts {
		all.Add(1)
		one := *t
		one.Rand = rand.New(rand.NewPCG(t.Rand.Uint64(), uint64(i)))
		t.start(&one, part, all.Done)
	}
	all.Wait()
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

// ForEach runs part for 0..count-1, at most lanes of them at once, and hands out
// no more once one has failed.
func (t *T) ForEach(count, lanes int, part func(t *T, i int)) {
	var next atomic.Int64
	var stop atomic.Bool
	seed := t.Rand.Uint64()
	lane := func(t *T) {
		for i := int(next.Add(1)) - 1; i < count && !stop.Load(); i = int(next.Add(1)) - 1 {
			ended := t.Case("", func(t *T) {
				t.Rand = rand.New(rand.NewPCG(seed, uint64(i))) // the item's, whichever lane takes it
				t.item = true
				part(t, i)
			})
			if !ended {
				stop.Store(true)
			}
		}
	}
	parts := make([]func(*T), min(lanes, count))
	for i := range parts {
		parts[i] = lane
	}
	t.Together(parts...)
}

// EndUnless ends the calling item of a ForEach, without a further judgement, unless
// its case came to the end.
func (t *T) EndUnless(ended bool) {
	if !ended && t.item {
		t.quit()
	}
}

// as returns a T that names its judgements after a case.
func (t *T) as(name string) *T {
	one := *t
	switch {
	case name == "":
	case one.part == "":
		one.part = name
	default:
		one.part += ", " + name
	}
	return &one
}

// start runs part in a goroutine that the attempt owns and guards. A part that
// finds the run over ends quietly.
func (a *attempt) start(t *T, part func(*T), done func()) {
	a.workers.Add(1)
	go func() {
		defer a.workers.Done()
		defer done()
		defer a.guard(t.part)
		part(t)
	}()
}

// background runs work of the suite's own that the attempt owns and guards.
func (a *attempt) background(work func()) {
	a.workers.Add(1)
	go func() {
		defer a.workers.Done()
		defer a.guard("")
		work()
	}()
}

// guard turns a panic of scenario code into a verdict.
func (a *attempt) guard(part string) {
	if p := recover(); p != nil {
		a.add(Judgement{
			ID: a.scenario.Judges[0], Verdict: Error, Case: part, Event: a.tl.Len() - 1,
			Expected: "a scenario that runs to its end", Actual: escapeLines(fmt.Sprintf("the suite's own scenario panicked: %v; %s", p, panicPlace())),
		})
	}
}

// panicPlace names the function and line in which the present panic began.
func panicPlace() string {
	var pcs [32]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(1, pcs[:])])
	panicked := false
	for {
		frame, more := frames.Next()
		if panicked && !strings.HasPrefix(frame.Function, "runtime.") {
			return fmt.Sprintf("%s (%s:%d)", frame.Function, filepath.Base(frame.File), frame.Line)
		}
		panicked = panicked || frame.Function == "runtime.gopanic"
		if !more {
			return "somewhere"
		}
	}
}

// judge records j and ends the calling part unless the part can go on.
func (t *T) judge(j Judgement) {
	t.record(j)
	if j.Verdict == Warn {
		return
	}
	t.quit()
}

// quit ends the calling part.
func (t *T) quit() {
	t.mu.Lock()
	t.aborted = true
	t.mu.Unlock()
	runtime.Goexit()
}

// hasWarned reports whether a requirement was found not to hold so far.
func (a *attempt) hasWarned(id spec.ID) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.ContainsFunc(a.verdicts, func(j Judgement) bool { return j.ID == id && j.Verdict == Warn })
}

// hasFailed reports whether a requirement did not hold so far.
func (a *attempt) hasFailed() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.ContainsFunc(a.verdicts, func(j Judgement) bool { return j.Verdict == Fail || j.Verdict == Warn })
}

// missing ends the calling part because the server cannot be reached.
func (t *T) missing(err error) {
	t.mu.Lock()
	if t.absent == nil {
		t.absent = err
	}
	t.mu.Unlock()
	t.quit()
}

func (t *T) record(j Judgement) {
	j.Case = t.part
	t.add(j)
}

func (a *attempt) add(j Judgement) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.verdicts = append(a.verdicts, j)
}

// shortHash tells scenarios apart in names without their length.
func shortHash(s string) string {
	h := fnv.New32a()
	h.Write([]byte(s))
	return fmt.Sprintf("%06x", h.Sum32()&0xffffff)
}

// seeded returns the random source of a scenario.
func seeded(seed uint64, scenario string) *rand.Rand {
	h := fnv.New64a()
	h.Write([]byte(scenario))
	return rand.New(rand.NewPCG(seed, h.Sum64()))
}
