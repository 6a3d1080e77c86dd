package conformance

import (
	"slices"
	"strconv"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/conformance/timeline"
	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

// Band is a time in which something was in force, such as a lease or a partition.
type Band struct {
	What     string
	From, To time.Time
}

// Limit is an instant that a subject missed, by the words of the judgement.
type Limit struct {
	What string
	At   time.Time
}

// Hold is a time in which somebody held a lock: a client by its own words, or a
// session of the suite by those of the server.
type Hold struct {
	Who      string
	From, To time.Time // a zero To has not come yet
	Token    uint64
}

// mostMarks bounds the bands and the limits of one attempt; beyond it nobody looks.
const mostMarks = 500

// bandOf names what is in force on one connection; without a name it is of all.
func bandOf(what, who string) string {
	if who == "" {
		return what
	}
	return what + " of " + who
}

// band notes that something is in force. It lasts until to, and with a zero to until
// [attempt.bandEnds], or the end of the attempt.
func (a *attempt) band(what string, from, to time.Time) {
	b := Band{What: what, From: from, To: to}
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.bands) < mostMarks && !slices.Contains(a.bands, b) {
		a.bands = append(a.bands, b)
	}
}

// bandEnds ends what is in force by that name.
func (a *attempt) bandEnds(what string, at time.Time) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for i := range a.bands {
		if b := &a.bands[i]; b.What == what && b.To.IsZero() {
			b.To = at
		}
	}
}

// ofCase puts the case before the words of a limit, as judgements have it.
func (t *T) ofCase(what string) string {
	if t.part == "" {
		return what
	}
	return "case " + strconv.Quote(t.part) + ": " + what
}

// limit notes an instant that was missed.
func (a *attempt) limit(what string, at time.Time) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if l := (Limit{What: what, At: at}); len(a.limits) < mostMarks && !slices.Contains(a.limits, l) {
		a.limits = append(a.limits, l)
	}
}

// marks fills in what pictures of the attempt show beside its events. What still
// lasts ends with the attempt.
func (a *attempt) marks(r *Result) {
	a.mu.Lock()
	defer a.mu.Unlock()
	r.Bands, r.Limits = a.bands, a.limits
	if a.scenario.Role == spec.RoleClient {
		for _, c := range a.claims {
			r.Claims = append(r.Claims, c.Holds()...)
		}
	} else {
		r.Claims = holdsIn(r.Events, r.Zero)
	}
	for i := range r.Bands {
		end(&r.Bands[i].To, r.Ended)
	}
	for i := range r.Claims {
		end(&r.Claims[i].To, r.Ended)
	}
}

func end(at *time.Time, last time.Time) {
	if at.IsZero() {
		*at = last
	}
}

// holdsIn finds in the events of a server's scenario which session held when: from
// its first ACQUIRED until either side ended it.
func holdsIn(events []timeline.Event, start time.Time) []Hold {
	var holds []Hold
	open := map[string]int{} // who to the place in holds; -1 when it is over
	for _, e := range events {
		i, known := open[e.Who]
		granted := e.What == timeline.Recv && e.Frame != nil && e.Frame.Type == wire.TypeAcquired
		refused := e.What == timeline.Recv && (e.Frame == nil || e.Frame.Type == wire.TypeError)
		switch {
		case !known && granted:
			open[e.Who] = len(holds)
			holds = append(holds, Hold{Who: e.Who, From: start.Add(e.At), Token: e.Frame.Token})
		case known && i >= 0 && (refused || e.What == timeline.FIN || e.What == timeline.RST):
			holds[i].To, open[e.Who] = start.Add(e.At), -1
		}
	}
	return holds
}
