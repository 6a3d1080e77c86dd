package reports

import (
	"encoding/hex"
	"fmt"
	"strings"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/monitor"
	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/conformance/timeline"
	"github.com/monolock-dev/monolock-conform/conformance/timeline/capture"
	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

// traceWatch judges one role of a capture, and keeps the evidence.
type traceWatch struct {
	role  spec.Role
	watch *monitor.Watch
	shown []*traced       // connections with findings, as many as are kept
	told  map[spec.ID]int // findings that stand in those
}

// recorded are the last events of a connection that is followed.
type recorded struct {
	lease time.Duration
	ring  []moment
	next  int
	by    [2]*traced // the evidence of each watch
}

// keptBefore is how many events before a finding are kept, keptAfter how many behind.
const (
	keptBefore = 10
	keptAfter  = 3
)

// moment is an event, kept cheaply: its frame's bytes can be written again.
type moment struct {
	seq   int
	at    time.Duration
	by    timeline.Side
	what  timeline.What
	frame wire.Frame
	bytes []byte // where there is no frame
	size  int
	note  string
}

// traced is the evidence of one connection, for one role.
type traced struct {
	id, title  string
	role       spec.Role
	lease      time.Duration
	judgements []Judgement
	entries    []Event
	last       int // Seq of the last event among the entries
	after      int // events that are still to be added
	started    time.Duration
}

// mostEvidence bounds the entries of one connection.
const mostEvidence = keptOfFinding

func beginTraced(c *capture.Conn, watches []*traceWatch) {
	c.Note = &recorded{}
	path := monitor.Path{Known: c.WaysKnown, Client: c.ClientWay, Server: c.ServerWay}
	for _, w := range watches {
		w.watch.Begin(c.Who, c.Server.String(), path)
	}
}

func endTraced(c *capture.Conn, watches []*traceWatch) {
	for _, w := range watches {
		w.watch.End(c.Who)
	}
}

// stepTraced passes an event to the monitors of each role, as that role sees it.
func stepTraced(c *capture.Conn, e *timeline.Event, watches []*traceWatch) {
	record := c.Note.(*recorded)
	record.add(e)
	for i, w := range watches {
		if w.role == spec.RoleClient {
			flip(e)
		}
		news := w.watch.Step(e)
		if w.role == spec.RoleClient {
			flip(e)
		}
		if t := record.by[i]; t != nil && t.after > 0 {
			t.after--
			t.take(record)
		}
		if len(news) > 0 {
			w.tell(c, record, i, news)
		}
	}
}

// flip makes of an event the one that the other end sees.
func flip(e *timeline.Event) {
	e.What, e.By = flipped(e.What, e.By)
}

func flipped(what timeline.What, by timeline.Side) (timeline.What, timeline.Side) {
	switch what {
	case timeline.Send:
		what = timeline.Recv
	case timeline.Recv:
		what = timeline.Send
	}
	if by == timeline.Suite {
		return what, timeline.Subject
	}
	return what, timeline.Suite
}

func (r *recorded) add(e *timeline.Event) {
	if len(r.ring) < keptBefore {
		r.ring = append(r.ring, moment{})
		r.next = len(r.ring) - 1
	}
	m := &r.ring[r.next]
	r.next = (r.next + 1) % keptBefore
	m.seq, m.at, m.by, m.what, m.size, m.note = e.Seq, e.At, e.By, e.What, e.Size, e.Note
	m.frame, m.bytes = wire.Frame{}, nil
	if e.Frame != nil {
		m.frame = *e.Frame
		if e.Frame.Type == wire.TypeAcquire && r.lease == 0 {
			r.lease = time.Duration(e.Frame.Acquire.LeaseMS) * time.Millisecond
		}
		return
	}
	m.bytes = append([]byte(nil), e.Bytes...)
}

// tell notes findings with the events before them.
func (w *traceWatch) tell(c *capture.Conn, record *recorded, i int, news []monitor.News) {
	t := record.by[i]
	if t == nil {
		if len(w.shown) == keptTraced {
			return
		}
		t = &traced{
			id: traceScenarios + c.Who, title: fmt.Sprintf("the connection from %s to %s", c.Client, c.Server),
			role: w.role, started: record.ring[0].at,
		}
		record.by[i] = t
		w.shown = append(w.shown, t)
	}
	t.lease = record.lease
	for _, n := range news {
		if len(t.entries) >= mostEvidence {
			return
		}
		t.take(record)
		t.after = keptAfter
		w.told[n.ID]++
		j := newTraceJudgement(n.ID, n.Violation, n.Doubt)
		t.judgements = append(t.judgements, j)
		t.entries = append(t.entries, verdictEvent(timeline.Event{At: n.At}, conformance.Judgement{ID: n.ID, Verdict: j.Verdict, Sentence: n.Expected}))
	}
}

// take adds the events that are not among the entries yet.
func (t *traced) take(record *recorded) {
	for i := range record.ring {
		m := record.ring[(record.next+i)%len(record.ring)]
		if m.seq > t.last && len(t.entries) < mostEvidence {
			t.last = m.seq
			t.entries = append(t.entries, m.entry(strings.TrimPrefix(t.id, traceScenarios), t.role))
		}
	}
}

func (m moment) entry(who string, role spec.Role) Event {
	e := timeline.Event{At: m.at, Who: who, By: m.by, What: m.what, Bytes: m.bytes, Size: m.size, Note: m.note}
	if m.frame.Type != 0 {
		e.Frame, e.Bytes = &m.frame, wire.Bytes(m.frame)
	}
	if role == spec.RoleClient {
		flip(&e)
	}
	entry := newEvent(e)
	entry.Hex = hex.EncodeToString(e.Bytes[:min(len(e.Bytes), timeline.KeptBytes)])
	return entry
}

func (t *traced) scenario() Scenario {
	entry := emptyTrace(t.id, cleanLine(t.title))
	entry.LeaseMS, entry.StartMS, entry.Requirements = t.lease.Milliseconds(), milli(t.started), t.judgements
	entry.Timeline = append(entry.Timeline, t.entries...)
	for _, j := range t.judgements {
		entry.Verdict = conformance.Worst(entry.Verdict, j.Verdict)
	}
	if n := len(t.entries); n > 0 {
		entry.DurationMS = max(t.entries[n-1].TUS/1000-entry.StartMS, 0)
	}
	return entry
}
