package monitor

import (
	"testing"

	"github.com/monolock-dev/monolock-conform/conformance/timeline"
	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

// TestLegalCrossings: what two sides say may cross on the way. None of these
// timelines accuses a server, whichever monitor reads it.
func TestLegalCrossings(t *testing.T) {
	for _, test := range []struct {
		name, why string
		events    []timeline.Event
	}{
		{
			"promotion and answer both", "the push crosses a heartbeat, and the heartbeat is answered as well",
			story(asks("w", "job"), waits("w"), beats("w"), acquired("w", 2), acquired("w", 2)),
		},
		{
			"promotion and answer in one frame", "a server may take the push for the answer (open point 7)",
			story(asks("w", "job"), waits("w"), beats("w"), acquired("w", 2), beats("w"), acquired("w", 2)),
		},
		{
			"the answer overtaken", "WAITING was on its way when the push followed",
			story(asks("w", "job"), waits("w"), beats("w"), waits("w"), acquired("w", 2)),
		},
		{
			"two heartbeats, one push", "a burst crosses the promotion: one WAITING, the push, one answer",
			story(asks("w", "job"), waits("w"), beats("w"), beats("w"), waits("w"), acquired("w", 2), acquired("w", 2)),
		},
		{
			"an ACQUIRE in pieces", "pieces are no messages of their own: one answer is owed",
			story(sendsPiece("a"), sendsPiece("a"), asks("a", "job"), acquired("a", 1), sendsPiece("a"), beats("a"), acquired("a", 1)),
		},
		{
			"refused at its first piece", "ERROR 0x12 may come before the rest of a second ACQUIRE",
			story(asks("a", "job"), acquired("a", 1), sendsPiece("a"), refused("a", wire.CodeDuplicateAcquire, ""), asks("a", "job")),
		},
		{
			"opaque bytes", "whoever sends raw heartbeats cannot have the answers counted",
			story(asks("a", "job"), acquired("a", 1), sendsOpaque("a"), acquired("a", 1), acquired("a", 1), acquired("a", 1)),
		},
		{
			"overlapping grants out of order", "the answers of two connections may be read in either order",
			story(asks("a", "one"), asks("b", "two"), asks("c", "one"), acquired("b", 9), acquired("a", 8), waits("c")),
		},
		{
			"the grant crosses the close", "ACQUIRED is read when the client has left already",
			story(asks("a", "job"), acquired("a", 1), asks("w", "job"), waits("w"), leaves("w"), leaves("a"), acquired("w", 2)),
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, f := range Server(test.events) {
				for _, v := range f.Violations {
					t.Errorf("%s is violated at event %d (expected %s, got %s), although %s", f.ID, v.Event, v.Expected, v.Actual, test.why)
				}
			}
		})
	}
}
