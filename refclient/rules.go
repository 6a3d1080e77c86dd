package refclient

import (
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

// Rules are the decisions that a client can get wrong, one method each.
// [StandardRules] are the right ones; a wrong client embeds them and replaces
// a method. A client asks from one goroutine an attempt, so an implementation
// that serves one claim at a time may keep state without a lock. None may block.
type Rules interface {
	// Check refuses a name or a lease before anything is sent; nil: none.
	Check(name string, lease time.Duration) *Error

	// Acquire returns the first bytes of a connection.
	Acquire(name string, leaseMS uint32) []byte

	// Judge decides what f leads to, by the session's state. An ERROR comes
	// here, too; a message of an unknown type does not, see OnUnknown.
	Judge(s *Session, f wire.Frame) Decision

	// Confirms returns the instant from which the lease is counted after
	// this occasion: OnSent, OnAnswer or OnPush. sent is the send of the
	// message that was sent or answered.
	Confirms(s *Session, why Occasion, sent, now time.Time) time.Time

	// Deadline returns when a session that nothing confirms is given up or
	// lost; the zero time stands for never.
	Deadline(s *Session) time.Time

	// Smooth returns the smoothed round trip after a further sample.
	Smooth(s *Session, sample time.Duration) time.Duration

	// Interval returns the time between two heartbeats; 0 stands for none
	// besides the way of the answer.
	Interval(s *Session) time.Duration

	// Due returns when the next heartbeat goes, once Allows permits it.
	Due(s *Session, interval time.Duration) time.Time

	// Allows reports whether a heartbeat may go at all.
	Allows(s *Session) bool

	// Ends returns what this occasion (OnTimeout and the others there) ends.
	Ends(s *Session, why Occasion) Ending

	// Again reports whether another attempt follows one that failed with e.
	Again(e *Error) bool

	// Pause returns how long to wait before that attempt.
	Pause(a *Attempts, e *Error) time.Duration

	// Resets reports whether pauses begin again with the shortest when an
	// attempt has come that far: OnOpen, OnWaiting or OnGrant.
	Resets(why Occasion) bool
}

// Decision is what a frame leads to.
type Decision struct {
	Do  Action
	Why Occasion // End: what it ends for
}

// Action is the kind of a decision.
type Action uint8

// The actions.
const (
	Ignore  Action = iota // the frame never came
	Confirm               // it says that things are as they were
	Queue                 // the session stands in the queue
	Grant                 // the lock is held, and the work starts
	End                   // see Rules.Ends
)

// Ending is what an occasion ends; the zero value ends nothing.
type Ending struct {
	Tell  bool // the work gets its stop signal: the claim ends
	Close bool // the connection is closed
}
