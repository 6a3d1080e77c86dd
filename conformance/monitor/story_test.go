package monitor

import (
	"slices"
	"testing"

	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/conformance/timeline"
	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

// A row is one handmade timeline and what one monitor must say of it.
type row struct {
	name, why string
	events    []timeline.Event
	examined  int   // 0: the monitor has nothing to look at
	violated  []int // the Seq of each event that shows a violation
}

// checkRows runs the monitor of id over each row. Held is what follows: some
// looked at and none violated.
func checkRows(t *testing.T, id spec.ID, rows []row) {
	t.Helper()
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			f := finding(t, id, r.events)
			if f.Examined != r.examined {
				t.Errorf("examined %d; want %d, for %s", f.Examined, r.examined, r.why)
			}
			var violated []int
			for _, v := range f.Violations {
				violated = append(violated, v.Event)
				if v.Expected == "" || v.Actual == "" {
					t.Errorf("a violation says %q, %q; want both what was expected and what came", v.Expected, v.Actual)
				}
			}
			if !slices.Equal(violated, r.violated) {
				t.Errorf("violated at %v; want %v, for %s", f.Violations, r.violated, r.why)
			}
			if held := r.examined > 0 && len(r.violated) == 0; f.Held() != held {
				t.Errorf("Held is %v; want %v", f.Held(), held)
			}
		})
	}
}

func finding(t *testing.T, id spec.ID, events []timeline.Event) Finding {
	t.Helper()
	for _, f := range Server(events) {
		if f.ID == id {
			return f
		}
	}
	t.Fatalf("no monitor speaks for %s", id)
	return Finding{}
}

// story numbers events as a timeline does.
func story(events ...timeline.Event) []timeline.Event {
	for i := range events {
		events[i].Seq = i
	}
	return events
}

func asks(who, lock string) timeline.Event { return sends(who, wire.AcquireFrame(lock, 1000)) }
func beats(who string) timeline.Event      { return sends(who, wire.HeartbeatFrame) }

func waits(who string) timeline.Event                  { return gets(who, wire.WaitingFrame) }
func acquired(who string, token uint64) timeline.Event { return gets(who, wire.AcquiredFrame(token)) }

func refused(who string, code wire.Code, reason string) timeline.Event {
	return gets(who, wire.ErrorFrame(code, reason))
}

func sends(who string, f wire.Frame) timeline.Event {
	return timeline.Event{Who: who, By: timeline.Suite, What: timeline.Send, Frame: &f}
}

func gets(who string, f wire.Frame) timeline.Event {
	return timeline.Event{Who: who, By: timeline.Subject, What: timeline.Recv, Frame: &f}
}

// sendsPiece is a part of a frame that a later send completes.
func sendsPiece(who string) timeline.Event {
	return timeline.Event{Who: who, By: timeline.Suite, What: timeline.Send, Bytes: []byte{1, 1}, Size: 2, Note: Piece}
}

// sendsOpaque is a send whose meaning the timeline does not tell.
func sendsOpaque(who string) timeline.Event {
	return timeline.Event{Who: who, By: timeline.Suite, What: timeline.Send, Bytes: []byte{2, 2, 2}, Size: 3, Note: "raw bytes"}
}

// getsGarbage is a receipt that is no frame.
func getsGarbage(who string, bytes ...byte) timeline.Event {
	return timeline.Event{Who: who, By: timeline.Subject, What: timeline.Recv, Bytes: bytes, Size: len(bytes), Note: "unknown message type"}
}

func leaves(who string) timeline.Event {
	return timeline.Event{Who: who, By: timeline.Suite, What: timeline.FIN}
}

func resets(who string) timeline.Event {
	return timeline.Event{Who: who, By: timeline.Suite, What: timeline.RST}
}

func dropped(who string) timeline.Event {
	return timeline.Event{Who: who, By: timeline.Subject, What: timeline.FIN}
}

func remark(note string) timeline.Event {
	return timeline.Event{Who: "server", By: timeline.Suite, What: timeline.Remark, Note: note}
}
