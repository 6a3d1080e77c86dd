package refclient

import "time"

// State is how far a session has come. It only grows.
type State uint8

// The states of a session.
const (
	Opening State = iota // connected, ACQUIRE not sent yet
	Asking               // ACQUIRE sent, not answered
	Waiting              // in the queue
	Holding              // ACQUIRED
	Over                 // closed, or about to be: nothing is sent any more
)

// Session is one connection's claim as the rules see it. The core owns it;
// rules read it during the call and do not keep it.
type Session struct {
	lease time.Duration
	floor time.Duration
	state State
	token uint64

	confirmed time.Time   // the lease is counted from here
	sent      time.Time   // the last message
	heard     time.Time   // the last whole frame
	pending   []time.Time // sends that nothing has answered, oldest first
	surplus   bool        // a frame came that was a promotion or an answer
	rtt       time.Duration
	samples   int
	lost      bool // the work was told to stop
}

// Lease returns the lease that the server was asked for.
func (s *Session) Lease() time.Duration { return s.lease }

// Floor returns the shortest interval that the caller wants.
func (s *Session) Floor() time.Duration { return s.floor }

// State returns how far the session has come.
func (s *Session) State() State { return s.state }

// Token returns the token of the grant; 0 before it.
func (s *Session) Token() uint64 { return s.token }

// Confirmed returns when the last answered message was sent; for a session
// without any, when its ACQUIRE was.
func (s *Session) Confirmed() time.Time { return s.confirmed }

// Sent returns when the last message was sent.
func (s *Session) Sent() time.Time { return s.sent }

// Heard returns when the last frame came; the zero time before the first.
func (s *Session) Heard() time.Time { return s.heard }

// Unanswered returns how many messages nothing has answered yet.
func (s *Session) Unanswered() int { return len(s.pending) }

// Surplus reports whether one of the unanswered messages may have been
// answered after all: see [Rules.Allows].
func (s *Session) Surplus() bool { return s.surplus }

// RTT returns the smoothed round trip, and of how many samples; 0 of none.
func (s *Session) RTT() (smoothed time.Duration, samples int) { return s.rtt, s.samples }

// Lost reports whether the work was told to stop.
func (s *Session) Lost() bool { return s.lost }

// SafeRTT is twice the smoothed round trip.
// Source: wire protocol, "Heartbeats".
func (s *Session) SafeRTT() time.Duration { return 2 * s.rtt }

// Base is a quarter of the lease, the longest interval between heartbeats.
// Source: wire protocol, "Heartbeats".
func (s *Session) Base() time.Duration { return s.lease / 4 }
