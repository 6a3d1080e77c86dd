package capture

import (
	"errors"
	"io"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/timeline"
	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

// Options say how a capture is read, and who is told. Calls come in the order of the
// packets; what they are given is valid until they return.
type Options struct {
	// Port is the server's; with 0 it is [DefaultPort], and wherever an ACQUIRE is
	// answered.
	Port uint16
	// Begin tells of a connection that speaks monolock, before its first event.
	Begin func(*Conn)
	// Event tells what happened on it, as a proxy at the place of the capture sees it:
	// the client sends, and is the suite's side. Remarks with the note
	// [timeline.Missed] stand where bytes are missing, frames whose place proves
	// nothing have the note [timeline.Late].
	Event func(*Conn, *timeline.Event)
	// End tells that nothing more comes of it.
	End func(*Conn)
}

// Summary is what a capture held, and what could not be seen of it.
type Summary struct {
	Packets     int
	First, Last time.Time
	Cut         bool           // the file ends inside a packet
	Bytes       int64          // that were read of the file
	Dropped     uint64         // packets that the capture says it lost
	Links       map[uint32]int // packets of link types that are not read
	NotTCP      int
	Fragments   int // of IP, which are not put together
	Shortened   int // segments of monolock that the snap length cut
	Segments    int

	Conns     int // that speak monolock
	Unstarted int // of those, began before the capture
	Foreign   int // connections that do not speak it
	TLS       int // of those, encrypted
	OtherPort int // of those, left out for their port
	Evicted   int // connections that were forgotten, for there were too many

	Frames     int
	Holes      int // places where bytes are missing
	Missing    int // bytes at those places
	Unread     int // bytes that came where no frame's beginning was known
	Repeated   int // segments that were sent again
	Disordered int // segments that came before their turn
}

// ErrForeign says that a capture was read, and that nothing in it speaks monolock.
var ErrForeign = errors.New("no connection in this capture speaks monolock")

// Read reads a capture to its end and tells what the connections that speak monolock
// did. Memory is bounded whatever the capture holds. The errors are *FormatError for
// a file that is no capture or damaged, [ErrForeign], and those of r; the summary
// holds what was read up to there.
func Read(r io.Reader, o Options) (Summary, error) {
	in := &reader{
		options: o, frames: newFrameReader(), servers: map[endpoint]bool{},
		table: table{byKey: map[pairKey]*follow{}}, closed: closed{isn: map[pairKey]uint32{}}, summary: Summary{Links: map[uint32]int{}},
	}
	file, err := openFile(r)
	if err != nil {
		return in.summary, err
	}
	err = in.all(file)
	in.summary.Bytes, in.summary.Dropped = file.at, file.dropped
	if errors.Is(err, errCut) {
		in.summary.Cut, err = true, nil
	}
	if err == nil && in.summary.Conns == 0 {
		err = ErrForeign
	}
	return in.summary, err
}

// reader follows the connections of a capture.
type reader struct {
	options Options
	summary Summary
	table   table
	last    *follow // the connection of the last segment: often also that of the next
	closed  closed
	servers map[endpoint]bool // that spoke monolock
	frames  frameReader
	first   int64 // the stamp that At counts from
	seq     int
	now     int64
	event   timeline.Event
	frame   wire.Frame
}

func (r *reader) all(f *file) error {
	var s segment
	for {
		packet, err := f.next()
		if err != nil {
			r.finishAll()
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
		r.packet(packet, &s)
	}
}

func (r *reader) packet(p record, s *segment) {
	if r.summary.Packets == 0 {
		r.first, r.summary.First = p.nanos, time.Unix(0, p.nanos).UTC()
		r.summary.Last = r.summary.First
	}
	r.summary.Packets++
	if p.nanos > r.now || r.summary.Packets == 1 {
		r.now, r.summary.Last = p.nanos, time.Unix(0, p.nanos).UTC()
	}
	if !knownLink(p.link) {
		r.link(p.link)
		return
	}
	switch parseIP(network(p.link, p.data), s) {
	case isSegment:
		r.summary.Segments++
		s.nanos = p.nanos
		r.segment(s)
	case isFragment:
		r.summary.Fragments++
	case isOther:
		r.summary.NotTCP++
	}
}

// link counts packets of a link type that is not read; a hostile file has many.
func (r *reader) link(link uint32) {
	const most = 64
	if _, known := r.summary.Links[link]; known || len(r.summary.Links) < most {
		r.summary.Links[link]++
	}
}

// finishAll ends what the capture left open, in the order of use.
func (r *reader) finishAll() {
	for r.table.oldest != nil {
		r.finish(r.table.oldest)
	}
}
