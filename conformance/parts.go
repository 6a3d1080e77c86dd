package conformance

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
)

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

// quit ends the calling part.
func (t *T) quit() {
	t.mu.Lock()
	t.aborted = true
	t.mu.Unlock()
	runtime.Goexit()
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
