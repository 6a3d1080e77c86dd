package refserver

import (
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

// Rules are the decisions that a server can get wrong, one method each.
// [StandardRules] are the right ones; a wrong server embeds them and replaces
// a method. The loop calls all of them, one at a time, so an implementation
// may keep state without a lock. None may block.
type Rules interface {
	// Judge decides what m leads to, by the session's state.
	Judge(s *Session, m Message, now time.Time) Decision

	// Check returns the code that a deserves, and ok for a good ACQUIRE.
	Check(a wire.Acquire) (code wire.Code, ok bool)

	// Key returns the identity of the lock called name: two names with one
	// key are one lock.
	Key(name string) string

	// Lease returns how long the session may be silent.
	Lease(a wire.Acquire) time.Duration

	// Refreshes reports whether silence is counted anew from this occasion.
	// The core asks on OnAcquire, OnPartial, OnHeartbeat and OnPromotion.
	Refreshes(s *Session, why Occasion) bool

	// Deadline returns the last instant at which a message of s is in time;
	// the zero time stands for never. The core asks when s opens, after each
	// message and promotion, and after an end that does not release.
	Deadline(s *Session, now time.Time) time.Time

	// Admits reports whether s gets l now, without queueing.
	Admits(l *Lock, s *Session) bool

	// Insert returns queue with s in it.
	Insert(queue []*Session, s *Session) []*Session

	// Remove returns queue without s, which leaves for that reason. It is
	// not asked when s is promoted.
	Remove(queue []*Session, s *Session, why Occasion) []*Session

	// Next returns which waiter gets l, which is free, and nil for nobody
	// yet. The core asks whenever a holder or a waiter has left l, and when
	// a waiter of a free lock is heard of.
	Next(l *Lock, why Occasion, now time.Time) *Session

	// Token returns the token of a grant of l to s; last is the token of
	// the grant before, 0 for the first one since the start.
	Token(l *Lock, s *Session, last uint64, now time.Time) uint64

	// Say appends to out what is sent to s where f is due, and returns it.
	// Every frame of the server passes here.
	Say(out []wire.Frame, s *Session, f wire.Frame, why Occasion) []wire.Frame

	// Releases reports whether what s holds, or its place in the queue, ends
	// on this occasion: OnFIN, OnReset, OnRefusal or OnShutdown. If not, it
	// goes on until its deadline, which ends it in any case.
	Releases(s *Session, why Occasion) bool

	// HangsUp reports whether the connection of s is closed on this
	// occasion: OnExpiry, OnIOTimeout, OnRefusal or OnShutdown.
	HangsUp(s *Session, why Occasion) bool
}
