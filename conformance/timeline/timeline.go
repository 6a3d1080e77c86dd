// Package timeline records everything that happens in one scenario, on one
// monotonic clock: frames with their stamps, openings and endings of
// connections, remarks. Monitors, reports and the timeline around a failure
// read it; nothing else is evidence.
package timeline

import (
	"sync"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

// What says what kind of thing happened. The words are those of the result
// (DESIGN: "The result").
type What string

// The kinds. Send and Recv are seen from the suite's end of a connection.
const (
	Open   What = "open"  // a connection stands
	Send   What = "send"  // the suite sent bytes
	Recv   What = "recv"  // a frame, or bytes that are none, came
	FIN    What = "fin"   // one side ended its direction
	RST    What = "rst"   // one side reset the connection
	Remark What = "event" // anything else, in words
	Fault  What = "fault" // a fault began or ended
)

// Side says who did it.
type Side string

// The two sides of every connection to the subject; behind the suite's proxy there
// is the reference server in the subject's place.
const (
	Suite     Side = "suite"
	Subject   Side = "subject"
	Reference Side = "reference server"
)

// Event is one thing that happened.
type Event struct {
	Seq  int           // position in the timeline, from 0; breaks ties of At
	At   time.Duration // since the timeline's start
	Who  string        // the connection ("conn-3") or part that it happened to
	By   Side
	What What
	// Frame is set where Bytes are one whole frame.
	Frame *wire.Frame
	// Bytes are what went over the wire, at most KeptBytes of it; Size counts all.
	Bytes []byte
	Size  int
	Note  string // in words; text of a subject is escaped by whoever shows it
	// Ends are the addresses of the connection, in its Open event.
	Ends Ends
}

// Ends are the two addresses of a connection, HOST:PORT: that of the suite's end
// and that of the other. Either is "" where it is not known.
type Ends struct{ Suite, Peer string }

// KeptBytes is how much of one send or receipt the timeline keeps: an ACQUIRE
// with the longest legal name, and some more.
const KeptBytes = 512

// Timeline collects events. Any goroutine may add; a zero Timeline is not
// usable, see [New].
type Timeline struct {
	start time.Time

	mu     sync.Mutex
	events []Event
}

// New returns an empty timeline that starts at start.
func New(start time.Time) *Timeline { return &Timeline{start: start} }

// Start returns the instant that At counts from.
func (tl *Timeline) Start() time.Time { return tl.start }

// Add records e as having happened at the instant at and returns its number.
// Seq, At and Size are filled in; Bytes are copied.
func (tl *Timeline) Add(at time.Time, e Event) int {
	e.Size = max(e.Size, len(e.Bytes))
	e.Bytes = append([]byte(nil), e.Bytes[:min(len(e.Bytes), KeptBytes)]...)
	e.At = at.Sub(tl.start)
	tl.mu.Lock()
	defer tl.mu.Unlock()
	e.Seq = len(tl.events)
	tl.events = append(tl.events, e)
	return e.Seq
}

// Events returns a copy of what was recorded so far, in the order of Seq.
// Stamps of different connections may stand out of order by the delay between
// the socket and Add.
func (tl *Timeline) Events() []Event {
	tl.mu.Lock()
	defer tl.mu.Unlock()
	return append([]Event(nil), tl.events...)
}

// Len returns how many events were recorded.
func (tl *Timeline) Len() int {
	tl.mu.Lock()
	defer tl.mu.Unlock()
	return len(tl.events)
}

// Around returns the events that matter for the moment of event seq: at most
// before events up to it and after events behind it. A seq below 0 is no event, and
// nothing matters for it.
func Around(events []Event, seq, before, after int) []Event {
	if seq < 0 {
		return nil
	}
	from := min(max(seq-before, 0), len(events))
	to := min(max(seq+after+1, from), len(events))
	return events[from:to]
}
