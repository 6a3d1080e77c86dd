package subject

import (
	"context"
	"time"
)

// Client is a client under test: it starts claims, one adapter each, that
// speak the adapter contract, version 1.
type Client interface {
	// Start starts an adapter and returns at once, without waiting for hello;
	// ctx is for the start alone. The caller closes the result.
	// Errors: a claim that cannot be asked for, *AdapterError where the adapter
	// cannot be started, and ctx's.
	Start(ctx context.Context, c Claim) (RunningClaim, error)
	// Target names the client for people: its command.
	Target() string
}

// The words that an adapter reads, for [RunningClaim.Say].
const (
	Release = "release" // the work returns
	Fail    = "fail"    // the work ends with an error of its own
	Cancel  = "cancel"  // the caller cancels
)

// RunningClaim is one started adapter. All methods may be called from several
// goroutines.
//
// The adapter's own part of the contract is enforced here: form and order of
// its lines, its time limits (see [ResultLimit] and those beside it), its exit.
// Where it breaks that part, a Broken event says how. What the client under
// test did, right or wrong, is left to whoever reads the events and the wire.
type RunningClaim interface {
	// Events are the adapter's, in order. At most one Broken is among them, and
	// nothing but Ended follows it. Ended is the last; then the channel is
	// closed. Nothing waits for the reader: of one that leaves more than a
	// thousand events unread, the adapter is called Broken.
	Events() <-chan ClientEvent
	// Say writes a word: Release, Fail or Cancel. It blocks for a moment only.
	// Errors: an adapter that has exited or closed its input, an unknown word.
	Say(word string) error
	// EndInput ends standard input, which asks the adapter to exit, and returns
	// at once. From here on no exit is an error; after [EndLimit] the adapter is
	// killed.
	EndInput() error
	// Pause stops all threads of the adapter and of what it started (SIGSTOP) and
	// returns when the adapter's own stand. Its time limits stand still as well.
	// Errors: errors.ErrUnsupported in this program and on Windows.
	Pause() error
	// Continue lets them go on (SIGCONT); its time limits start afresh.
	Continue() error
	// Kill sends SIGKILL to the adapter, and not to what it started, and returns
	// at once. An adapter that has exited is an error.
	Kill() error
	// Waits is how long each thread of the adapter and of what it started has waited
	// for a processor so far, by thread; empty where the system does not tell (Linux
	// does), and in this program.
	Waits() map[int]time.Duration
	// Exited is closed when the adapter has exited, whatever it started may live
	// on. The Ended event comes a little later, when its output has been read.
	Exited() <-chan struct{}
	// Exit says in words how it exited: "exit code 0", "killed by SIGKILL". It is
	// "" while the adapter runs.
	Exit() string
	// Stderr is the tail of standard error, 64 KiB, unescaped.
	Stderr() string
	// Log is the tail of what is no event on standard output, 64 KiB, unescaped.
	Log() string
	// Close ends the input, waits for the exit at most [EndLimit], then kills the
	// adapter and all that it started, except what left its process group, and
	// waits for that. A Broken adapter is killed at once. Closing again waits for
	// the first to be done and returns its error.
	Close() error
}
