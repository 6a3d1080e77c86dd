package monitor

import (
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/timeline"
	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

// ledger keeps the order of grants over all sessions with one server, as far as it
// is sure. It holds the largest tokens and not all of them, so that it stays small.
type ledger struct {
	run    int // which run of the server this is
	locks  map[string]*line
	top    issue // the largest token of all
	second issue // the largest of the other locks
	recent recent
	lull   lull
	facts  *Facts
}

// The bounds of what is remembered of sessions that are over. Whoever has more
// locks or grants than these is checked against the last ones.
const (
	keptLocks  = 1 << 16
	keptTokens = 1 << 16
)

// issue is a token that was granted.
type issue struct {
	some  bool
	token uint64
	who   string
	line  *line
	seq   int
	at    time.Duration
	// close says that it stands so near before what it is compared with that a capture
	// may have told the two in the wrong order.
	close bool
}

// captureOrder is by how much a capture may tell packets of two connections in the
// wrong order: they come by different queues and processors.
const captureOrder = time.Millisecond

// before is the issue as it stands before an instant.
func (i issue) before(at time.Duration) issue {
	i.close = at-i.at < captureOrder
	return i
}

func (i *issue) raise(other issue) {
	if other.some && (!i.some || other.token > i.token) {
		*i = other
	}
}

// line is what is known of one lock.
type line struct {
	name     string
	granted  issue // the largest token granted
	back     issue // the largest token granted and then given back
	last     turn  // the grant that was read last
	freed    time.Duration
	free     bool // freed is when the last grant ended
	sessions int
}

// turn is one grant of a lock.
type turn struct {
	who            string
	asked, got     int // Seq of its ACQUIRE, and of the grant
	askedAt, gotAt time.Duration
}

// hold is a session's place in the ledger.
type hold struct {
	line    *line
	run     int
	asked   int // Seq of its ACQUIRE
	askedAt time.Duration
	known   bool          // the order of that among other events is known
	until   time.Duration // when its lease could first run out without a heartbeat
	// same and other are the largest tokens surely granted before: of this lock, and
	// of all others. twin is an equal one.
	same, other, twin issue
	news              bool // this event is the grant
	granted           bool
	left              bool // the suite ended the session
	seq               int  // of the grant
	twice             bool // another one's hold beside it was said
	issue             issue
}

func newLedger(facts *Facts) *ledger {
	l := &ledger{facts: facts}
	l.reset()
	return l
}

func (l *ledger) reset() {
	l.locks, l.top, l.second = map[string]*line{}, issue{}, issue{}
	l.recent = recent{issued: map[uint64]issue{}}
}

// restart begins another run of the server, whose tokens may count afresh.
func (l *ledger) restart() {
	l.reset()
	l.run++
}

// step notes what an event says of the order of grants.
func (l *ledger) step(s *session, e *timeline.Event) {
	h := &s.hold
	h.news = false
	switch {
	case sent(e, wire.TypeAcquire) && h.line == nil && !h.granted:
		l.ask(h, e)
	case received(e, wire.TypeAcquired) && !h.granted:
		l.grant(s, e)
	case ended(e) || received(e, wire.TypeError):
		l.leave(s, e)
	}
}

// ask notes which grants are surely before whatever this ACQUIRE draws: those that
// were received already.
func (l *ledger) ask(h *hold, e *timeline.Event) {
	h.line = l.line(e.Frame.Acquire.Name)
	h.line.sessions++
	h.run, h.asked, h.until, h.known = l.run, e.Seq, e.At+lease(e), e.Note != timeline.Late
	if !h.known {
		return
	}
	h.askedAt = e.At
	h.same, h.other = h.line.granted.before(e.At), l.top.before(e.At)
	if l.top.line == h.line {
		h.other = l.second.before(e.At)
	}
}

// lease is what an ACQUIRE asks for.
func lease(asked *timeline.Event) time.Duration {
	return time.Duration(asked.Frame.Acquire.LeaseMS) * time.Millisecond
}

// grant completes what is before this grant, and enters it. Before it is also what
// the suite gave back on the same lock, unless this session was over before its grant
// was read, by its own end or because its lease may have run out: then it may have been
// first. Grants that overlap in time have no order to check.
func (l *ledger) grant(s *session, e *timeline.Event) {
	h := &s.hold
	h.granted, h.seq = true, e.Seq
	h.issue = issue{some: true, token: e.Frame.Token, who: s.who, line: h.line, seq: e.Seq, at: e.At}
	if h.line == nil {
		return // the lock is not known
	}
	if h.run != l.run {
		h.run, h.same, h.other = l.run, issue{}, issue{}
		h.line = l.line(h.line.name)
		h.line.sessions++
		h.issue.line = h.line
	}
	if h.known && !s.blind && !h.left && e.At < h.until {
		h.same.raise(h.line.back.before(e.At))
	}
	h.news = true
	h.twin = l.recent.add(h.issue)
	h.line.granted.raise(h.issue)
	switch {
	case !l.top.some || l.top.line == h.line:
		l.top.raise(h.issue)
	case h.issue.token > l.top.token:
		l.top, l.second = h.issue, l.top
	default:
		l.second.raise(h.issue)
	}
	l.handOver(s, e)
}

// leave notes what the end of a session says: what the suite ended was given back.
func (l *ledger) leave(s *session, e *timeline.Event) {
	h := &s.hold
	if h.line != nil && h.granted && h.line.last.who == s.who && !h.line.free {
		h.line.free, h.line.freed = true, e.At
	}
	if e.By != timeline.Suite || !ended(e) || h.left {
		l.lull.dropped(s, e)
		return
	}
	h.left = true
	if h.granted && h.line != nil && h.run == l.run {
		h.line.back.raise(h.issue)
	}
}

func (l *ledger) line(name string) *line {
	found, known := l.locks[name]
	if !known {
		found = &line{name: name}
		l.locks[name] = found
	}
	return found
}

// end forgets a lock that nobody is at, where there are too many.
func (l *ledger) end(s *session) {
	at := s.hold.line
	if at == nil {
		return
	}
	if at.sessions--; at.sessions == 0 && len(l.locks) > keptLocks {
		delete(l.locks, at.name)
	}
}

// recent are the last tokens that were granted.
type recent struct {
	issued map[uint64]issue
	ring   []uint64
	next   int
}

// add enters a token and returns the grant that had it before, if any.
func (r *recent) add(i issue) (twin issue) {
	twin, known := r.issued[i.token]
	r.issued[i.token] = i
	switch {
	case known:
	case len(r.ring) < keptTokens:
		r.ring = append(r.ring, i.token)
	default:
		delete(r.issued, r.ring[r.next])
		r.ring[r.next] = i.token
		r.next = (r.next + 1) % keptTokens
	}
	return twin
}
