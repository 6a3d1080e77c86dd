package monitor

import (
	"cmp"
	"math"
	"slices"

	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/conformance/timeline"
)

// Watch runs the monitors of one role over events as they come. It remembers of
// each session what the monitors need, until [Watch.End], and never an event.
// One goroutine may use it.
type Watch struct {
	checks   []check
	findings []Finding
	sessions map[string]*session
	orders   map[string]*ledger // by the server's address; "" where that is not told
	keep     int                // violations of one finding that are kept
	facts    *Facts
	role     spec.Role
	capture  bool
	seq      int // of the last event
	news     []News
}

// check is one monitor: what it does with an event of a session.
type check struct {
	id   spec.ID
	step func(s *session, e *timeline.Event, f *Finding)
}

// serverChecks are the monitors of a server's side, in the order of the catalogue.
var serverChecks = []check{
	{spec.S_FRM_04, onlyWholeFrames},
	{spec.S_FRM_05, reasonsAreUTF8},
	{spec.S_ACQ_21, nothingAfterError},
	{spec.S_HB_03, oneAnswerAMessage},
	{spec.S_Q_07, neverBackToWaiting},
	{spec.S_TOK_01, oneTokenASession},
	{spec.S_TOK_02, tokensGrowOnOneLock},
	{spec.S_TOK_03, tokensGrowOverLocks},
	{spec.S_TOK_04, tokensAreUnique},
}

// clientChecks are those of a client's side.
var clientChecks = []check{
	{spec.C_ACQ_02, oneAcquireAConnection},
	{spec.C_ACQ_06, onlyHeartbeatsAfterAcquire},
	{spec.C_HB_04, oneHeartbeatInFlight},
}

// New returns a Watch of the monitors that any timeline allows. It keeps every
// violation.
func New(role spec.Role) *Watch {
	if role == spec.RoleClient {
		return newWatch(clientChecks, math.MaxInt)
	}
	return newWatch(serverChecks, math.MaxInt)
}

func newWatch(checks []check, keep int) *Watch {
	w := &Watch{
		checks: checks, findings: make([]Finding, len(checks)), keep: keep,
		sessions: map[string]*session{}, facts: &Facts{},
	}
	w.orders = map[string]*ledger{"": newLedger(w.facts)}
	for i, c := range checks {
		w.findings[i].ID = c.id
	}
	return w
}

// News is a violation or a doubt that an event showed.
type News struct {
	ID spec.ID
	Violation
	Doubt bool
}

// Step takes the next event. It keeps nothing of it but strings. What it returns is
// valid until the next step.
func (w *Watch) Step(e *timeline.Event) []News {
	w.news = w.news[:0]
	switch e.What {
	case timeline.Remark, timeline.Fault:
		w.remark(e)
		return nil
	}
	s := w.session(e.Who)
	w.seq = e.Seq
	if e.Note == timeline.Late {
		s.unordered()
	}
	s.order.step(s, e)
	for i := range w.checks {
		w.checks[i].step(s, e, &w.findings[i])
	}
	if w.capture {
		w.noteDrop(s, e)
		s.timing.step(e, w.fromClient(e))
	}
	return w.news
}

// remark takes what concerns the monitors: a restart of the server, and bytes
// that nobody saw.
func (w *Watch) remark(e *timeline.Event) {
	switch e.Note {
	case Restart:
		for _, order := range w.orders {
			order.restart()
		}
	case timeline.Missed:
		w.session(e.Who).missed()
	}
}

func (w *Watch) session(who string) *session {
	s, known := w.sessions[who]
	if !known {
		s = &session{who: who, watch: w, order: w.orders[""]}
		w.sessions[who] = s
	}
	return s
}

// End forgets a session: no event of it comes any more.
func (w *Watch) End(who string) {
	s, known := w.sessions[who]
	if !known {
		return
	}
	for i := range w.findings {
		s.surplus.settle(s, &w.findings[i])
	}
	s.order.end(s)
	s.order.lull.end(w.seq)
	delete(w.sessions, who)
}

// Findings returns one finding for each monitor. Further steps may follow.
func (w *Watch) Findings() []Finding {
	all := slices.Clone(w.findings)
	for i := range all {
		f := &all[i]
		f.Violations, f.Doubts = slices.Clone(f.Violations), slices.Clone(f.Doubts)
		for _, s := range w.sessions {
			s.surplus.settle(s, f)
		}
		bySeq := func(a, b Violation) int { return cmp.Compare(a.Event, b.Event) }
		slices.SortStableFunc(f.Violations, bySeq)
		slices.SortStableFunc(f.Doubts, bySeq)
	}
	return all
}

// violated notes that the event contradicts the requirement.
func (s *session) violated(f *Finding, e *timeline.Event, expected, actual string) {
	v := violationOf(e, expected, actual)
	s.watch.news = append(s.watch.news, News{f.ID, v, false})
	s.watch.add(f, v)
}

func violationOf(e *timeline.Event, expected, actual string) Violation {
	return Violation{Expected: expected, Actual: actual, Event: e.Seq, Who: e.Who, At: e.At}
}

func (w *Watch) add(f *Finding, v Violation) {
	if len(f.Violations) >= w.keep {
		f.MoreViolations++
		return
	}
	f.Violations = append(f.Violations, v)
}

// doubted notes that the event may contradict the requirement.
func (s *session) doubted(f *Finding, e *timeline.Event, expected, actual string) {
	v := violationOf(e, expected, actual)
	s.watch.news = append(s.watch.news, News{f.ID, v, true})
	if len(f.Doubts) >= s.watch.keep {
		f.MoreDoubts++
		return
	}
	f.Doubts = append(f.Doubts, v)
}
