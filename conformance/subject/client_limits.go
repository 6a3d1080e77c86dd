package subject

import (
	"cmp"
	"time"
)

// The time limits of the adapter contract. [DefaultStartTimeout] is the one
// until hello. They are wide beside what they bound, so that a loaded machine
// breaks none, and short beside any scenario, so that no hang costs a long
// wait. They say nothing of the client under test: its deadlines are read off
// the wire.
const (
	// WordLimit is from release or fail, or from the grant where the word came
	// before it, to finished. The adapter's own work sees to that, in
	// milliseconds. The contract names no limit: a hang must not be one either.
	WordLimit = 5 * time.Second
	// ResultLimit is from finished to result: a close, and the client's way back
	// to its caller. In retry mode it holds for work that was not lost, since
	// after a loss the client may queue again for any time.
	ResultLimit = 5 * time.Second
	// ExitLimit is from result to the exit, and from the end of standard output:
	// an interpreter that shuts down.
	ExitLimit = 5 * time.Second
	// EndLimit is from the end of input to the exit, which needs no result. Then
	// the adapter is killed.
	EndLimit = 2 * time.Second
)

// unlimited is longer than anybody sits at a debugger.
const unlimited = 24 * time.Hour

// clientLimits are the limits in use. A zero one stands for its default.
type clientLimits struct{ start, word, result, exit, end time.Duration }

func (l clientLimits) orDefaults() clientLimits {
	return clientLimits{
		start:  cmp.Or(l.start, DefaultStartTimeout),
		word:   cmp.Or(l.word, WordLimit),
		result: cmp.Or(l.result, ResultLimit),
		exit:   cmp.Or(l.exit, ExitLimit),
		end:    cmp.Or(l.end, EndLimit),
	}
}

// wait is what an adapter is waited for.
type wait struct {
	since time.Time
	limit time.Duration
	err   func() *AdapterError // what it is called once the limit is over
}

func (w wait) due() time.Time { return w.since.Add(w.limit) }
