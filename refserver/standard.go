package refserver

import (
	"fmt"
	"slices"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

// StandardRules are the documents' rules.
type StandardRules struct{}

var _ Rules = StandardRules{}

// Judge is the state machine. The first message must be an ACQUIRE: anything
// else is 0x11, also a type that does not exist. After it only HEARTBEAT is
// allowed. A second ACQUIRE is refused at its type byte, because a message
// that never completes must not keep the session.
// Source: wire protocol, "Messages"; error codes.
func (StandardRules) Judge(s *Session, m Message, _ time.Time) Decision {
	switch s.State() {
	case Connected:
		return judgeFirst(m)
	case Waiting, Acquired:
		return judgeLater(m)
	}
	return Decision{Do: Ignore}
}

func judgeFirst(m Message) Decision {
	switch m.Kind {
	case AcquireBegun:
		return Decision{Do: Ignore}
	case Acquire:
		return Decision{Do: Claim}
	case Unknown:
		return Decision{Do: Refuse, Code: wire.CodeNotAcquire, Detail: fmt.Sprintf("0x%02x", m.Type)}
	}
	return Decision{Do: Refuse, Code: wire.CodeNotAcquire}
}

func judgeLater(m Message) Decision {
	switch m.Kind {
	case Heartbeat:
		return Decision{Do: Answer}
	case Unknown:
		return Decision{Do: Refuse, Code: wire.CodeUnknownType, Detail: fmt.Sprintf("0x%02x", m.Type)}
	}
	return Decision{Do: Refuse, Code: wire.CodeDuplicateAcquire}
}

// Check is [wire.Acquire.Check]: version, lease, length, UTF-8, in that order.
func (StandardRules) Check(a wire.Acquire) (wire.Code, bool) { return a.Check() }

// Key is the name: it is neither normalised nor trimmed nor folded.
func (StandardRules) Key(name string) string { return name }

// Lease is the client's own choice, without an upper limit.
func (StandardRules) Lease(a wire.Acquire) time.Duration {
	return time.Duration(a.LeaseMS) * time.Millisecond
}

// Refreshes is true for the two messages that a client can say, and false for
// what the server does of itself and for parts of messages.
func (StandardRules) Refreshes(_ *Session, why Occasion) bool {
	return why == OnAcquire || why == OnHeartbeat
}

// Deadline is one lease after the last message; before the ACQUIRE, one
// io-timeout after the connect, however the bytes trickle in.
func (StandardRules) Deadline(s *Session, _ time.Time) time.Time {
	if s.State() == Connected {
		return s.Opened().Add(s.IOTimeout())
	}
	return s.LastSeen().Add(s.Lease())
}

// Admits grants a lock that nobody holds and nobody waits for.
func (StandardRules) Admits(l *Lock, _ *Session) bool {
	return l.Owner() == nil && len(l.Queue()) == 0
}

// Insert puts s last.
func (StandardRules) Insert(queue []*Session, s *Session) []*Session { return append(queue, s) }

// Remove takes s out and leaves the others in order.
func (StandardRules) Remove(queue []*Session, s *Session, _ Occasion) []*Session {
	if i := slices.Index(queue, s); i >= 0 {
		return slices.Delete(queue, i, i+1)
	}
	return queue
}

// Next is the one who has waited longest, at once.
func (StandardRules) Next(l *Lock, _ Occasion, _ time.Time) *Session {
	if len(l.Queue()) == 0 {
		return nil
	}
	return l.Queue()[0]
}

// Token counts on from the grant before, whatever its lock. The first one is
// the wall clock in milliseconds with room for 2^20 grants in each, so that
// tokens also grow over a restart without a file.
func (StandardRules) Token(_ *Lock, _ *Session, last uint64, now time.Time) uint64 {
	if last == 0 {
		return uint64(now.UnixMilli()) << 20
	}
	return last + 1
}

// Say sends f as it is.
func (StandardRules) Say(out []wire.Frame, _ *Session, f wire.Frame, _ Occasion) []wire.Frame {
	return append(out, f)
}

// Releases is always true: whatever ends a session ends its hold.
func (StandardRules) Releases(*Session, Occasion) bool { return true }

// HangsUp is always true: the connection is the lease.
func (StandardRules) HangsUp(*Session, Occasion) bool { return true }
