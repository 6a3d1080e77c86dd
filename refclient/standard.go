package refclient

import (
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

// StandardRules are the documented decisions. Embed it to change one. It has
// no state. Its methods never call each other, so that replacing one changes
// nothing else.
type StandardRules struct{}

var _ Rules = StandardRules{}

// maxLease is the longest lease that lease_ms can hold.
const maxLease = (1<<32 - 1) * time.Millisecond

// Check refuses what every server refuses: names that are empty, longer than
// 255 bytes or not UTF-8, and leases below a millisecond. It also refuses a
// lease that the wire cannot carry.
func (StandardRules) Check(name string, lease time.Duration) *Error {
	if code, ok := wire.CheckName(name); !ok {
		return &Error{Local: true, Code: code}
	}
	switch {
	case lease < time.Millisecond:
		return &Error{Local: true, Code: wire.CodeLeaseNotPositive}
	case lease > maxLease:
		return &Error{Local: true, Code: wire.CodeLeaseNotPositive, Reason: "longer than 49 days, which the wire cannot carry"}
	}
	return nil
}

// Acquire is one ACQUIRE with the name as it is.
func (StandardRules) Acquire(name string, leaseMS uint32) []byte {
	return wire.Bytes(wire.AcquireFrame(name, leaseMS))
}

// Judge takes each frame for what it says. WAITING behind ACQUIRED and another
// token are impossible, thus doubt. A claim that has ended is never revived.
// Source: writing a client, rules 4, 7 and 8.
func (StandardRules) Judge(s *Session, f wire.Frame) Decision {
	switch {
	case s.state == Over || s.lost:
		return Decision{Do: Ignore}
	case f.Type == wire.TypeError:
		return Decision{Do: End, Why: OnError}
	case f.Type == wire.TypeWaiting && s.state == Holding:
		return Decision{Do: End, Why: OnStepBack}
	case f.Type == wire.TypeWaiting:
		return Decision{Do: Queue}
	case s.state != Holding:
		return Decision{Do: Grant}
	case f.Token != s.token:
		return Decision{Do: End, Why: OnOther}
	}
	return Decision{Do: Confirm}
}

// Confirms counts from the send of the answered message. What the client sends
// confirms nothing, and a promotion says nothing about the last message that
// the server saw.
// Source: wire protocol, "Heartbeats": lastSeenAt is refreshed by messages.
func (StandardRules) Confirms(s *Session, why Occasion, sent, _ time.Time) time.Time {
	if why == OnAnswer && sent.After(s.confirmed) {
		return sent
	}
	return s.confirmed
}

// Deadline is four fifths of the lease, holding, waiting and asking alike.
// Source: wire protocol, "Heartbeats".
func (StandardRules) Deadline(s *Session) time.Time {
	return s.confirmed.Add(s.lease * 4 / 5)
}

// Smooth is the exponentially weighted moving average with alpha 0.2. It
// starts at its first sample.
// Source: wire protocol, "Heartbeats".
func (StandardRules) Smooth(s *Session, sample time.Duration) time.Duration {
	if s.samples == 0 {
		return sample
	}
	return s.rtt + (sample-s.rtt)/5
}

// Interval is clamp(base - safeRTT, floor, base), and nothing at all where
// safeRTT eats up the base. Where the base is below the floor, the base counts:
// a client that is slower than the schedule endangers its lease, one that is
// faster than its floor only costs traffic.
// Source: wire protocol, "Heartbeats".
func (StandardRules) Interval(s *Session) time.Duration {
	base, safe := s.Base(), s.SafeRTT()
	if safe >= base {
		return 0
	}
	return min(max(base-safe, s.floor), base)
}

// Due counts from send to send. While it is open whether the last heartbeat
// was answered, its answer gets the time that it takes, within the base.
func (StandardRules) Due(s *Session, interval time.Duration) time.Time {
	if s.surplus && len(s.pending) > 0 {
		interval = max(interval, min(s.SafeRTT(), s.Base()))
	}
	return s.sent.Add(interval)
}

// Allows lets one heartbeat be in flight, and none before the ACQUIRE is
// answered or after the end.
//
// A promotion that crosses a heartbeat leaves open whether it was the answer:
// some servers answer once for both. Then a second heartbeat may go, so that
// such a server does not starve the client; every later frame counts for the
// oldest of the two, which is safe with both kinds of server; and as soon as
// nothing is unanswered the question is settled.
func (StandardRules) Allows(s *Session) bool {
	if s.state != Waiting && s.state != Holding || s.lost {
		return false
	}
	return len(s.pending) == 0 || s.surplus && len(s.pending) == 1
}

// Ends ends everything on every occasion but one: a caller that cancels while
// the lock is held keeps it until the work returns, for work that winds down
// needs the lock, too.
// Source: writing a client, rules 7 and 8.
func (StandardRules) Ends(s *Session, why Occasion) Ending {
	if why == OnCancel && s.state == Holding {
		return Ending{}
	}
	return Ending{Tell: true, Close: true}
}

// Again goes by [Error.Temporary]. A lost lock is never asked for again.
func (StandardRules) Again(e *Error) bool { return !e.Held && e.Temporary() }

// atOnce is how many reconnects in a row go without a pause.
const atOnce = 3

// Pause is none after 0x01 and else the backoff's next. A server that says
// 0x01 for ever would make a busy loop of that, so from the fourth time in a
// row on the backoff applies to it, too.
// Source: writing a client, rule 6.
func (StandardRules) Pause(a *Attempts, e *Error) time.Duration {
	if e.Refused && e.Code == wire.CodeShuttingDown && a.Shutdowns() <= atOnce {
		return 0
	}
	return a.NextBackOff()
}

// Resets is true once a server has taken up the claim. A connect alone proves
// nothing: a proxy without a server behind it does that much.
func (StandardRules) Resets(why Occasion) bool { return why == OnWaiting || why == OnGrant }
