package conformance_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/conformance/subject"
	"github.com/monolock-dev/monolock-conform/conformance/timeline"
	"github.com/monolock-dev/monolock-conform/conformance/virtual"
	"github.com/monolock-dev/monolock-conform/conformance/wire"
	"github.com/monolock-dev/monolock-conform/refserver"
)

// This file is a tutorial. It writes scenarios and runs them, against a right
// server and against wrong ones. Read it from top to bottom; it is a test, so
// what it says is true.

// Step 1: a scenario is a value.
//
// Run is the experiment, and reads like the document's sentence: one client
// holds a lock, another waits; the holder closes, and the waiter is promoted.
// Everything that it needs comes from T, and everything that it judges names
// the requirement that it speaks for.
var handover = conformance.Scenario{
	// role/topic/what-it-shows: unique and never changed, for baselines and
	// reports speak of it.
	ID:    "server/tutorial/handover",
	Title: "the owner closes, and the waiter is promoted, with no message of its own",
	Role:  spec.RoleServer,

	// What this scenario promises to judge. A promise that it does not keep
	// is an error, never a pass.
	Judges: []spec.ID{spec.S_Q_02, spec.S_Q_03},

	// How it tests, for people: `explain` and the documentation show it.
	Method: "One client holds, another waits. The holder closes, and ACQUIRED must come to the waiter at once.",

	Run: func(t *conformance.T) {
		// A name that no other scenario uses: many run side by side on one server.
		lock := t.Lock("job")

		// Acquire and Queue connect, ask and judge the answer (S-ACQ-01, S-ACQ-02).
		// Their leases outlast the scenario unless WithLease says otherwise.
		holder := t.Acquire(lock)
		waiter := t.Queue(lock)

		// What is sent has a stamp, the instants before and after; windows begin
		// at stamps, for only these are known. "At once" is such a window.
		closed := holder.Close()
		waiter.WantGrant(spec.S_Q_03, "the owner closed", t.AtOnce(closed))

		// A MUST that does not hold ends the scenario, so here the grant has come,
		// and the waiter said nothing for it.
		t.Pass(spec.S_Q_02, "the waiter was silent")
	},
}

// Step 2: run it in virtual time.
//
// The server runs as goroutines on a network in memory, and the clock moves on
// only when everybody waits. So nothing is late, and an hour costs nothing.
func TestTutorialARightServer(t *testing.T) {
	// The registry checks scenarios at the start of each run.
	if err := conformance.Validate([]conformance.Scenario{handover}); err != nil {
		t.Fatal(err)
	}

	result := run(t, handover, refserver.StandardRules{})

	// The reference server trips nothing. The requirements come in the order in
	// which they were first judged, those of Acquire and Queue among them.
	wantVerdict(t, result, conformance.Pass)
	var judged []spec.ID
	for _, j := range result.Judgements {
		judged = append(judged, j.ID)
	}
	if want := []spec.ID{spec.S_ACQ_01, spec.S_ACQ_02, spec.S_Q_03, spec.S_Q_02}; !slices.Equal(judged, want) {
		t.Errorf("judged %v; want %v", judged, want)
	}

	// A judgement with a window keeps what it measured: here no time at all.
	if j := judgement(t, result, spec.S_Q_03); !j.Timed || j.Measured != 0 {
		t.Errorf("measured %v; want 0s, for a handover takes no virtual time", j.Measured)
	}
}

// Step 3: prove that it sees.
//
// A scenario that cannot fail is worth nothing. So make a server that is wrong in
// just this: the reference server with one rule replaced. (Kept for good, such
// a server is a defect in refserver/defects, with the requirements that must
// fail.)
type quietPromotion struct{ refserver.StandardRules }

// Say is asked for every frame that is due, and leaves out the pushed ACQUIRED.
func (quietPromotion) Say(out []wire.Frame, _ *refserver.Session, f wire.Frame, why refserver.Occasion) []wire.Frame {
	if why == refserver.OnPromotion {
		return out
	}
	return append(out, f)
}

func TestTutorialAWrongServer(t *testing.T) {
	result := run(t, handover, quietPromotion{})
	wantVerdict(t, result, conformance.Fail)

	// WantGrant waited a while longer than its window, then asked with a heartbeat.
	// The server answers ACQUIRED: so it did promote, and did not push. That is
	// another requirement than "at once", and the judgement names that one.
	pushed := judgement(t, result, spec.S_Q_02)
	want := conformance.Judgement{
		ID: spec.S_Q_02, Verdict: conformance.Fail,
		Sentence: "a promotion is pushed",
		Expected: "ACQUIRED, pushed",
		Actual:   "conn-2: no ACQUIRED for 1.25s, and then one in answer to a heartbeat",
		Event:    pushed.Event,
	}
	if pushed != want {
		t.Errorf("judged %+v; want %+v", pushed, want)
	}

	// The scenario ended there. What it did not come to is neither passed nor
	// failed.
	if j := judgement(t, result, spec.S_Q_03); j.Verdict != conformance.Inconclusive {
		t.Errorf("S-Q-03 is %s; want inconclusive: not reached", j.Verdict)
	}

	// The evidence: everything that happened, and the event that shows it.
	var lines []string
	for _, e := range timeline.Around(result.Events, pushed.Event, 2, 0) {
		text, _, _ := strings.Cut(e.Text(), " token=") // tokens are the server's choice
		lines = append(lines, e.Who+" "+text)
	}
	if want := []string{"conn-1 fin by the suite", "conn-2 -> HEARTBEAT", "conn-2 <- ACQUIRED"}; !slices.Equal(lines, want) {
		t.Errorf("the timeline ends with %q; want %q", lines, want)
	}
}

// Step 4: time.
//
// Both sides of a deadline are judged: silence up to it, with an end and a
// reason, and then what has to come. Scenarios scale with the base lease, t.Lease.
var expiry = conformance.Scenario{
	ID: "server/tutorial/expiry", Role: spec.RoleServer,
	Title:  "a silent holder is dropped, and the waiter promoted",
	Judges: []spec.ID{spec.S_HB_07},
	Method: "A holder falls silent. The waiter is promoted not before the holder's lease, and soon after it.",
	Leases: 2, // it lasts that many base leases: for the budget, and for the order of the run
	Run: func(t *conformance.T) {
		lock := t.Lock("job")
		holder := t.Acquire(lock, conformance.WithLease(t.Lease), conformance.Beating())
		waiter := t.Queue(lock)
		t.Pause(t.Lease) // never a sleep: a pause ends with the run

		lastWord := holder.StopHeartbeats()
		window := t.Expiry(lastWord, t.Lease)
		waiter.WantNothingNew(spec.S_HB_07, "the holder's lease still runs", window.NotBefore)
		waiter.WantGrant(spec.S_HB_07, "the holder's lease is over", window)
	},
}

// impatient and patient count a lease too short and too long.
type (
	impatient struct{ refserver.StandardRules }
	patient   struct{ refserver.StandardRules }
)

func (r impatient) Lease(a wire.Acquire) time.Duration { return r.StandardRules.Lease(a) * 8 / 10 }
func (r patient) Lease(a wire.Acquire) time.Duration   { return r.StandardRules.Lease(a) * 2 }

func TestTutorialBothSidesOfADeadline(t *testing.T) {
	result := run(t, expiry, refserver.StandardRules{})
	wantVerdict(t, result, conformance.Pass)

	// Too early: the Want that proves silence sees it.
	result = run(t, expiry, impatient{})
	wantVerdict(t, result, conformance.Fail)
	early := judgement(t, result, spec.S_HB_07)
	if early.Sentence != "the holder's lease still runs" || early.Expected != "the session stays as it is" {
		t.Errorf("judged %+v; want the silence to be broken", early)
	}

	// Too late: the Want that waits for it sees that, and says by how much.
	result = run(t, expiry, patient{})
	wantVerdict(t, result, conformance.Fail)
	late := judgement(t, result, spec.S_HB_07)
	if late.Expected != "ACQUIRED, pushed within 750ms" || late.Actual != "conn-2: after 1s" {
		t.Errorf("expected %q, got %q; want a grant within 750ms, and one after 1s", late.Expected, late.Actual)
	}
}

// Step 5: several cases, some of them hostile.
//
// A case that fails ends, and the others still run. A case that a weak server may
// not survive is announced: if the server is gone during it or right after, that
// fails S-ROB-01 here, and not two hundred scenarios for no reason of their own.
var badNames = conformance.Scenario{
	ID: "server/tutorial/bad-names", Role: spec.RoleServer,
	Title:  "names that are none are refused, each with its code",
	Judges: []spec.ID{spec.S_ACQ_11, spec.S_ACQ_13},
	Method: "Fresh connections ask for an empty name and for one of 300 bytes; the ERROR of each fault must come.",
	Run: func(t *conformance.T) {
		for _, bad := range []struct {
			what string
			id   spec.ID
			name string
			code wire.Code
		}{
			{"an empty name", spec.S_ACQ_13, "", wire.CodeEmptyName},
			{"a name of 300 bytes", spec.S_ACQ_11, t.LockOf(300, "x"), wire.CodeNameTooLong},
		} {
			t.Case(bad.what, func(t *conformance.T) {
				defer t.Negative(bad.what)()
				s := t.ConnectHostile() // its end by the server surprises nobody
				s.Ask(bad.name, time.Minute)
				s.WantRefused(bad.id, bad.what+" is refused", bad.code) // a close is no answer
				t.StillServes()                                         // and others are served
			})
		}
	},
}

// oneCode refuses whatever is wrong with the same code.
type oneCode struct{ refserver.StandardRules }

func (r oneCode) Check(a wire.Acquire) (wire.Code, bool) {
	_, good := r.StandardRules.Check(a)
	return wire.CodeEmptyName, good
}

func TestTutorialCases(t *testing.T) {
	wantVerdict(t, run(t, badNames, refserver.StandardRules{}), conformance.Pass)

	// One case fails; the other, and what both say of S-ACQ-21, stands.
	result := run(t, badNames, oneCode{})
	wantVerdict(t, result, conformance.Fail)
	for id, want := range map[spec.ID]conformance.Verdict{
		spec.S_ACQ_11: conformance.Fail,
		spec.S_ACQ_13: conformance.Pass,
		spec.S_ACQ_21: conformance.Pass,
	} {
		if j := judgement(t, result, id); j.Verdict != want {
			t.Errorf("%s is %s; want %s", id, j.Verdict, want)
		}
	}
	wrong := judgement(t, result, spec.S_ACQ_11)
	if wrong.Case != "a name of 300 bytes" || wrong.Expected != "ERROR 0x15 (lock name too long)" {
		t.Errorf("the fail is in the case %q, expected %q; want the long name, and its code", wrong.Case, wrong.Expected)
	}
}

// Step 6: what nobody asked for is judged as well.
//
// Monitors read the timeline of every scenario. This server answers a holder's
// heartbeat twice; the scenario does not look, and yet S-HB-03, a SHOULD, warns.
type twice struct{ refserver.StandardRules }

func (twice) Say(out []wire.Frame, _ *refserver.Session, f wire.Frame, why refserver.Occasion) []wire.Frame {
	if why == refserver.OnHeartbeat {
		out = append(out, f)
	}
	return append(out, f)
}

func TestTutorialMonitors(t *testing.T) {
	result := run(t, expiry, twice{})
	wantVerdict(t, result, conformance.Warn)
	if j := judgement(t, result, spec.S_HB_07); j.Verdict != conformance.Pass {
		t.Errorf("S-HB-07 is %s; want pass: leases are right", j.Verdict)
	}
	if j := judgement(t, result, spec.S_HB_03); j.Verdict != conformance.Warn {
		t.Errorf("S-HB-03 is %s; want warn", j.Verdict)
	}
}

// That is all. A new scenario goes into the file of its topic in
// scenarios/server, and a server that it must see into refserver/defects: a test
// there runs every defect against every scenario.

// run runs a scenario against the reference server with those rules.
func run(t *testing.T, s conformance.Scenario, rules refserver.Rules) conformance.Result {
	t.Helper()
	return virtual.Server(t, s, conformance.DefaultParams(), false, func() subject.Running {
		return refserver.New(refserver.Config{Rules: rules})
	})
}

func wantVerdict(t *testing.T, r conformance.Result, want conformance.Verdict) {
	t.Helper()
	if r.Verdict == want {
		return
	}
	t.Errorf("%s: %s; want %s", r.Scenario.ID, r.Verdict, want)
	for _, j := range r.Judgements {
		t.Logf("%s %s: %s: expected %s, got %s", j.ID, j.Verdict, j.Sentence, j.Expected, j.Actual)
	}
	for _, e := range r.Events {
		t.Log(e.Line())
	}
}

// judgement returns what a result says of one requirement.
func judgement(t *testing.T, r conformance.Result, id spec.ID) conformance.Judgement {
	t.Helper()
	for _, j := range r.Judgements {
		if j.ID == id {
			return j
		}
	}
	t.Fatalf("%s: %s was not judged", r.Scenario.ID, id)
	return conformance.Judgement{}
}
