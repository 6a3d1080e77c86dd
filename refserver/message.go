package refserver

import "github.com/monolock-dev/monolock-conform/conformance/wire"

// Kind is what a client said.
type Kind uint8

// The kinds. AcquireBegun comes before every Acquire: the type byte is
// enough to refuse a second one, whose rest may never come.
const (
	AcquireBegun Kind = iota + 1
	Acquire
	Heartbeat
	Unknown
)

// Message is one thing that a client said. Kind says which field counts:
// Acquire for Acquire, Type for Unknown.
type Message struct {
	Kind    Kind
	Acquire wire.Acquire
	Type    byte
}

// Action is what a message leads to. The zero Action ignores it.
type Action uint8

// The actions.
const (
	Ignore Action = iota
	Claim         // take up the ACQUIRE: grant the lock or queue
	Answer        // acknowledge with WAITING or ACQUIRED
	Refuse        // ERROR with the decision's code, and the end of the session
	Drop          // the end of the session without a word
)

// Decision is an Action with its code. Detail follows the code's canonical
// text in the reason.
type Decision struct {
	Do     Action
	Code   wire.Code
	Detail string
}

// Occasion is why something happens to a session.
type Occasion uint8

// The occasions. Each end of a session has one, and so has each frame.
const (
	OnAcquire   Occasion = iota + 1 // its ACQUIRE
	OnPartial                       // a message that has only begun
	OnHeartbeat                     // its HEARTBEAT
	OnPromotion                     // the lock came to it
	OnFIN                           // the client closed
	OnReset                         // the connection broke, or a write to it failed
	OnExpiry                        // silent for more than its lease
	OnIOTimeout                     // no whole ACQUIRE within the io-timeout
	OnRefusal                       // a message that is not allowed
	OnShutdown                      // the server stops
)

// String names o as a log does.
func (o Occasion) String() string {
	return [...]string{"", "acquire", "partial message", "heartbeat", "promotion", "closed by client",
		"connection lost", "lease expired", "io timeout", "refused", "shutdown"}[o]
}
