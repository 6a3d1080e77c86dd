package faultproxy

import (
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

// What says what kind of thing an Event reports.
type What string

// The kinds of events.
const (
	Accepted    What = "accepted"     // a client connected
	Refused     What = "refused"      // a client was reset, nobody was dialled
	Opened      What = "opened"       // the upstream connection stands
	DialFailed  What = "dial-failed"  // Note says why; the client was reset
	Received    What = "received"     // bytes or an ending came in
	Released    What = "released"     // bytes or an ending went out
	Lost        What = "lost"         // bytes were thrown away by Rule
	Bit         What = "bit"          // Rule acted on a receipt or a frame
	Severed     What = "severed"      // the proxy cut or reset the connection
	Closed      What = "closed"       // both connections are gone
	RuleAdded   What = "rule-added"   // Note is its text form
	RuleRemoved What = "rule-removed" // Note is its text form
)

// Event is one thing that happened in a proxy. Which fields are set depends on
// What.
type Event struct {
	At   time.Time
	What What
	Conn int // number of the connection, from 1; 0: none
	Dir  Dir // of bytes, endings and decisions

	// Offset is where Bytes begin in the stream of that direction. Bytes are one
	// frame, or what one read or write moved that was no frame; they are lent
	// for the duration of the call. Frame is set where they are a whole frame.
	Offset int64
	Bytes  []byte
	Frame  *wire.Frame
	Ending string // "fin" or "rst", of Received, Released and Severed
	Side   Side   // of Severed

	// Local and Remote are the addresses of a connection of the proxy's, of Accepted
	// and Opened.
	Local, Remote string

	Rule ID     // the rule that acted, was added or was removed
	Note string // in words: an address, an error, the delay that was drawn
}

// record hands e to whoever wants it. No mutex is held.
func (p *Proxy) record(e Event) {
	if p.cfg.Record != nil {
		p.cfg.Record(e)
	}
}
