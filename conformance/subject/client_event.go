package subject

import "time"

// EventKind is what a [ClientEvent] tells.
type EventKind string

// The events that an adapter writes, and two that tell of the adapter itself.
const (
	Hello    EventKind = "hello"
	Waiting  EventKind = "waiting"  // optional
	Granted  EventKind = "granted"  // first statement of the work
	Lost     EventKind = "lost"     // the stop signal reached the work
	Finished EventKind = "finished" // last statement of the work
	Result   EventKind = "result"   // last line

	Broken EventKind = "broken" // the adapter broke the contract: Err
	Ended  EventKind = "ended"  // the adapter has exited and its output is read: Exit
)

// Outcome is what a client's call came to.
type Outcome string

// The outcomes of a Result.
const (
	OutcomeOK        Outcome = "ok"
	OutcomeFailed    Outcome = "failed" // the work ended with its own error
	OutcomeLost      Outcome = "lost"   // lost while holding
	OutcomeRetry     Outcome = "retry"  // another attempt makes sense, says the client
	OutcomeStop      Outcome = "stop"   // none does, says the client
	OutcomeCancelled Outcome = "cancelled"
)

// The features that an adapter may decline in its hello.
const (
	LacksRetry    = "retry"
	LacksCancel   = "cancel"
	LacksFail     = "fail"
	LacksClassify = "classify"
	LacksTLS      = "tls"
	LacksMTLS     = "mtls"
)

// ClientEvent is one event of an adapter. Which fields are set depends on its
// kind. Text is the adapter's own: escape it before showing it.
type ClientEvent struct {
	At   time.Time // right after the read that completed the line; never before the event ahead
	Kind EventKind
	Line int // of standard output, from 1; 0: none

	Hello   ClientHello // of a Hello
	Token   uint64      // of a Granted
	Cause   string      // of a Lost
	Outcome Outcome     // of a Result
	Code    *int        // of a Result: the ERROR's code, 0 to 255; nil: there was none
	Message string      // of a Result
	Exit    string      // of an Ended: "exit code 0", "killed by SIGKILL"
	Err     error       // of a Broken: an *AdapterError
}

// ClientHello is what an adapter says of its client.
type ClientHello struct {
	Client, Version, Language string
	Lacks                     []string // what it declines, each once, in its order
}
