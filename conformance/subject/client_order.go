package subject

import (
	"fmt"
	"strconv"
	"time"
)

// order is what an adapter has told so far, as far as it decides what may come
// next and what is due. It is a value without I/O or clock.
type order struct {
	mode   Mode
	limits clientLimits

	begun    time.Time // the start, or the end of a pause
	hello    bool
	standing int // the line of the grant whose claim stands, else 0
	grants   int
	working  int  // pieces of work between granted and finished
	lost     bool // the last granted work got its stop signal
	words    int  // release and fail that no finished has answered
	word     string

	workedAt   time.Time // the later of the grant and the last word
	finishedAt time.Time // zero: no finish that waits for a result
	resultAt   time.Time
}

// take checks an event against those before it and notes it.
func (o *order) take(ev *ClientEvent) *AdapterError {
	switch {
	case !o.resultAt.IsZero():
		return &AdapterError{What: fmt.Sprintf("wrote %s after result", ev.Kind), Try: "result is the last line; then the adapter exits"}
	case ev.Kind == Hello && o.hello:
		return &AdapterError{What: "wrote a second hello", Try: "one process is one claim, with one hello at its beginning"}
	case ev.Kind != Hello && !o.hello:
		return &AdapterError{What: fmt.Sprintf("wrote %s before hello", ev.Kind), Try: "hello is the first event"}
	}
	return o.takeInOrder(ev)
}

func (o *order) takeInOrder(ev *ClientEvent) *AdapterError {
	switch ev.Kind {
	case Hello:
		o.hello = true
	case Waiting:
		o.finishedAt = time.Time{}
	case Granted:
		return o.grant(ev)
	case Lost:
		return o.lose()
	case Finished:
		return o.finish(ev.At)
	case Result:
		return o.result(ev)
	}
	return nil
}

func (o *order) grant(ev *ClientEvent) *AdapterError {
	if o.standing > 0 {
		return &AdapterError{What: "wrote a second granted while the claim of line " + strconv.Itoa(o.standing) + " stands",
			Try: "a claim ends with finished or lost, and only then another begins"}
	}
	o.standing, o.lost, o.workedAt, o.finishedAt = ev.Line, false, ev.At, time.Time{}
	o.grants++
	o.working++
	return nil
}

// lose ends the claim. A signal that reaches work which has just finished, or
// reaches it twice, is a race of the adapter's threads and harmless.
func (o *order) lose() *AdapterError {
	if o.grants == 0 {
		return &AdapterError{What: "wrote lost without granted", Try: "lost says that the stop signal reached the work, which begins with granted"}
	}
	o.standing, o.lost = 0, true
	return nil
}

func (o *order) finish(at time.Time) *AdapterError {
	if o.working == 0 {
		return &AdapterError{What: "wrote finished without granted", Try: "granted is the first statement of the work and finished its last"}
	}
	o.standing, o.finishedAt = 0, at
	o.working--
	o.words = max(0, o.words-1)
	return nil
}

// result ends it all. Work that goes on beside another outcome may be the
// client's doing: a call that returned at a loss and told the work nothing.
func (o *order) result(ev *ClientEvent) *AdapterError {
	if o.standing > 0 && (ev.Outcome == OutcomeOK || ev.Outcome == OutcomeFailed) {
		return &AdapterError{What: fmt.Sprintf("wrote the result %s while the claim of line %d stands", ev.Outcome, o.standing),
			Try: "finished, the last statement of the work, comes first"}
	}
	o.resultAt = ev.At
	return nil
}

// said notes a word that the adapter is told.
func (o *order) said(at time.Time, word string) {
	if word == Cancel {
		return
	}
	o.words++
	o.word, o.workedAt = word, later(o.workedAt, at)
}

// resumed starts the limits afresh after a pause.
func (o *order) resumed(at time.Time) { o.begun = at }

// due is what the adapter is waited for next, if anything.
func (o *order) due() (wait, bool) {
	w := wait{}
	switch {
	case !o.hello:
		w = wait{o.begun, o.limits.start, o.noHello}
	case !o.resultAt.IsZero():
		w = wait{o.resultAt, o.limits.exit, o.noExit}
	case o.working > 0 && o.words > 0:
		w = wait{o.workedAt, o.limits.word, o.noFinished}
	case !o.finishedAt.IsZero() && (o.mode == Once || !o.lost):
		w = wait{o.finishedAt, o.limits.result, o.noResult}
	default:
		return wait{}, false
	}
	w.since = later(w.since, o.begun)
	return w, true
}

func (o *order) noHello() *AdapterError {
	return &AdapterError{What: fmt.Sprintf("wrote no hello in %v", o.limits.start),
		Try: "hello is its first line: flush standard output after each, or raise --start-timeout"}
}

func (o *order) noExit() *AdapterError {
	return &AdapterError{What: fmt.Sprintf("did not exit within %v of result", o.limits.exit),
		Try: "result is the last line; then it exits, whatever threads it still has"}
}

func (o *order) noFinished() *AdapterError {
	return &AdapterError{What: fmt.Sprintf("wrote no finished within %v of %s", o.limits.word, o.word),
		Try: "it reads its words while the work runs, and the work ends at release and at fail"}
}

func (o *order) noResult() *AdapterError {
	return &AdapterError{What: fmt.Sprintf("wrote no result within %v of finished", o.limits.result),
		Try: "result follows as soon as the client's call has returned"}
}

// stage says how far the adapter came, after "exited with code 1".
func (o *order) stage() string {
	switch {
	case !o.hello:
		return "before hello"
	case o.resultAt.IsZero():
		return "without result"
	}
	return "after result"
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
