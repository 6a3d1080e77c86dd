package client

import (
	"cmp"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/spec"
)

// ends are the ends of several claims, each with that of its connection. A client
// that closes first and tells its work later does so each time, and a machine that
// lets one line wait does not: the claim that ended soonest after its connection
// speaks for all.
type ends struct {
	mu  sync.Mutex
	all []end
}

// end is the end of a claim, measured from that of its connection.
type end struct {
	late  time.Duration // of the claim's, by the adapter's words
	noise time.Duration // of the suite meanwhile
}

// note notes a claim that has ended, and whose connection did at that instant.
func (e *ends) note(t *conformance.T, claim *conformance.Claim, closed time.Time) {
	holds := claim.Holds()
	told := holds[len(holds)-1].To
	e.mu.Lock()
	defer e.mu.Unlock()
	e.all = append(e.all, end{late: told.Sub(closed), noise: t.NoiseSince(closed)})
}

// judge judges that the claims did not outlive their connections.
func (e *ends) judge(t *conformance.T) {
	const why, expected = "the claim ends, and then the connection is closed", "the stop signal before the close"
	if len(e.all) == 0 {
		return // something before it did not hold
	}
	soonest := slices.MinFunc(e.all, func(a, b end) int { return cmp.Compare(a.late, b.late) })
	actual := fmt.Sprintf("each of %d claims ended %s after its connection, or later; the server could promote the next meanwhile", len(e.all), ms(soonest.late))
	switch {
	case soonest.late <= conformance.LineTime:
		t.Pass(spec.C_TO_04, why)
	case slices.ContainsFunc(e.all, func(one end) bool { return one.late <= conformance.LineTime+one.noise }):
		t.Doubt(spec.C_TO_04, why, expected, actual)
	default:
		t.Late(spec.C_TO_04, why, expected, actual)
	}
}
