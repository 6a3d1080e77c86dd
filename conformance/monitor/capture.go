package monitor

import (
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/conformance/timeline"
)

// captureServerChecks are the monitors of a server in a capture: those of any
// timeline, and what only a neutral observer of every session can judge.
var captureServerChecks = append(append([]check{}, serverChecks...),
	check{spec.S_HB_07, holderIsDroppedInTime},
	check{spec.S_HB_08, waiterIsDroppedInTime},
	check{spec.S_HB_11, neverBeatingIsDroppedInTime},
	check{spec.S_HB_14, noAnswerAfterTheLease},
	check{spec.S_Q_10, oneHolderAtATime},
)

var captureClientChecks = append(append([]check{}, clientChecks...),
	check{spec.C_HB_01, holderBeatsInTime},
	check{spec.C_HB_02, waiterBeatsInTime},
	check{spec.C_TO_04, silentHolderCloses},
	check{spec.C_TO_05, silentWaiterCloses},
)

// NewCapture returns a Watch of all monitors for a capture, of which it keeps at
// most keep violations each and counts the others. Who calls it announces each
// session with [Watch.Begin] and ends it with [Watch.End]. Findings stand in no
// order of the catalogue.
func NewCapture(role spec.Role, keep int) *Watch {
	checks := captureServerChecks
	if role == spec.RoleClient {
		checks = captureClientChecks
	}
	w := newWatch(checks, keep)
	w.capture, w.role = true, role
	return w
}

// Path is how far the place of the capture is from the two ends, there and back,
// as the handshake shows it. Without one it is not known.
type Path struct {
	Known          bool
	Client, Server time.Duration
}

// Begin announces a session with the server of that address. Grants of different
// servers are not compared.
func (w *Watch) Begin(who, server string, path Path) {
	s := w.session(who)
	s.order = w.ledgerOf(server)
	s.order.lull.begin()
	s.timing.path = path
}

// keptServers bounds how many servers are told apart; those beyond share one place
// where nothing is compared.
const keptServers = 1 << 12

func (w *Watch) ledgerOf(server string) *ledger {
	if l, known := w.orders[server]; known {
		return l
	}
	l := newLedger(w.facts)
	if len(w.orders) < keptServers {
		w.orders[server] = l
	}
	return l
}

// fromClient reports whether the client said e, whichever role is judged.
func (w *Watch) fromClient(e *timeline.Event) bool {
	if e.What == timeline.Send || e.What == timeline.Recv {
		return (e.What == timeline.Send) == (w.role != spec.RoleClient)
	}
	return (e.By == timeline.Suite) == (w.role != spec.RoleClient)
}
