package capture

import (
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/timeline"
	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

// payload decodes bytes in their turn.
func (r *reader) payload(c *follow, dir int, data []byte, nanos int64, late bool) {
	if c.kind == undecided {
		if r.classify(c, dir, data); c.kind != speaks {
			return
		}
	}
	d := &c.streams[dir].frames
	c.streams[1-dir].frames.turn = true
	switch {
	case d.broken:
		return
	case d.lost:
		if !d.regain(data) {
			r.summary.Unread += len(data)
			r.tellMissed(c) // what was not read may have been an answer
			return
		}
	}
	note := ""
	if late {
		note = timeline.Late
	}
	for len(data) > 0 {
		frame, rest, stray := d.next(data)
		if stray {
			r.stray(c, dir, frame, nanos)
			return
		}
		if frame != nil && !r.tellFrame(c, dir, frame, nanos, note) {
			return
		}
		data = rest
	}
}

// stray takes bytes that begin no frame. Behind missing bytes they prove nothing. A
// server that never spoke monolock is none.
func (r *reader) stray(c *follow, dir int, data []byte, nanos int64) {
	d := &c.streams[dir].frames
	switch {
	case d.regained:
		d.lose()
		r.summary.Unread += len(data)
		r.tellMissed(c)
	case !c.sure && dir != c.client:
		r.disown(c)
	default:
		d.broken = true
		r.tell(c, dir, nanos, timeline.Event{Bytes: data[:min(len(data), timeline.KeptBytes)], Size: len(data), Note: "bytes that are no frame"})
	}
}

// tellFrame tells of one whole frame. It returns false where the connection turned
// out to speak something else.
func (r *reader) tellFrame(c *follow, dir int, whole []byte, nanos int64, note string) bool {
	frame, err := r.frames.read(whole, dir == c.client)
	if err != nil {
		return false
	}
	if !c.sure {
		if _, good := frame.Acquire.Check(); frame.Type == wire.TypeAcquire && !good && !r.knownServer(c.ends[1-c.client]) {
			r.disown(c)
			return false
		}
		if frame.Type != wire.TypeHeartbeat {
			r.sureOf(c)
		}
	}
	r.summary.Frames++
	r.frame = frame
	r.tell(c, dir, nanos, timeline.Event{Frame: &r.frame, Bytes: whole[:min(len(whole), timeline.KeptBytes)], Size: len(whole), Note: note})
	return true
}

// tell fills in who, when and which way, and tells.
func (r *reader) tell(c *follow, dir int, nanos int64, e timeline.Event) {
	e.Who, e.At = c.conn.Who, time.Duration(nanos-r.first)
	if dir == c.client {
		e.By = timeline.Suite
	} else {
		e.By = timeline.Subject
	}
	if e.What == "" {
		e.What = timeline.Recv
		if dir == c.client {
			e.What = timeline.Send
		}
	}
	r.seq++
	e.Seq = r.seq
	if r.options.Event != nil {
		r.event = e
		r.options.Event(c.conn, &r.event)
	}
}

func (r *reader) tellBegin(c *follow) {
	if r.options.Begin != nil {
		r.options.Begin(c.conn)
	}
	if !c.conn.Started {
		r.tellMissed(c)
		return
	}
	r.tell(c, c.client, max(c.start.syn, c.start.answer), timeline.Event{
		What: timeline.Open, Ends: timeline.Ends{Suite: c.conn.Client.String(), Peer: c.conn.Server.String()},
	})
	if c.streams[0].frames.lost || c.streams[1].frames.lost {
		r.tellMissed(c) // before it was known what the connection speaks
	}
}

func (r *reader) tellMissed(c *follow) {
	if c.kind == speaks {
		r.tell(c, c.client, r.now, timeline.Event{What: timeline.Remark, Note: timeline.Missed})
	}
}

// tellEnd tells how a side ended its direction, and which frame it left unfinished.
func (r *reader) tellEnd(c *follow, dir int, what timeline.What, nanos int64) {
	if c.kind != speaks {
		return
	}
	if d := &c.streams[dir].frames; what == timeline.FIN && len(d.part) > 0 && !d.lost && !d.regained && !d.broken {
		r.tell(c, dir, nanos, timeline.Event{Size: len(d.part), Note: d.cutText()})
	}
	note := ""
	if c.streams[1-dir].beyond() {
		note = timeline.Late
	}
	r.tell(c, dir, nanos, timeline.Event{What: what, Note: note})
}
