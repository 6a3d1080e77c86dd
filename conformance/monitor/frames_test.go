package monitor

import (
	"strings"
	"testing"

	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/conformance/timeline"
	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

func TestOnlyWholeFrames(t *testing.T) {
	checkRows(t, spec.S_FRM_04, []row{
		{
			name: "frames of every type", why: "all three are whole",
			events:   story(asks("a", "job"), waits("a"), acquired("a", 7), refused("a", wire.CodeShuttingDown, "bye")),
			examined: 3,
		},
		{
			name: "a byte that is no type", why: "it belongs to no frame",
			events:   story(asks("a", "job"), acquired("a", 7), getsGarbage("a", 0x7f)),
			examined: 2, violated: []int{2},
		},
		{
			name: "a frame cut by the close", why: "its rest never came",
			events:   story(asks("a", "job"), timeline.Event{Who: "a", By: timeline.Subject, What: timeline.Recv, Size: 4, Note: "ACQUIRED cut"}),
			examined: 1, violated: []int{1},
		},
		{
			name: "garbage on two connections", why: "each shows it",
			events:   story(getsGarbage("a", 0), getsGarbage("b", 1), acquired("b", 3)),
			examined: 3, violated: []int{0, 1},
		},
		{
			name: "raw bytes of ours", why: "what the suite sends is not judged",
			events: story(sendsOpaque("a"), sendsPiece("a"), leaves("a")),
		},
	})
}

func TestGarbageIsShownAsHex(t *testing.T) {
	f := finding(t, spec.S_FRM_04, story(getsGarbage("conn-1", 0x1b, '[', '2', 'J')))
	if got := f.Violations[0].Actual; !strings.Contains(got, "1b 5b 32 4a") || strings.Contains(got, "\x1b") {
		t.Errorf("Actual is %q; want the bytes as hex pairs and nothing that a terminal obeys", got)
	}
}

func TestReasonsAreUTF8(t *testing.T) {
	checkRows(t, spec.S_FRM_05, []row{
		{
			name: "text", why: "it is valid UTF-8",
			events: story(refused("a", wire.CodeEmptyName, "empty lock name: „“")), examined: 1,
		},
		{
			name: "empty", why: "a reason may be empty",
			events: story(refused("a", wire.CodeEmptyName, "")), examined: 1,
		},
		{
			name: "control characters", why: "ugly, and yet valid UTF-8",
			events: story(refused("a", wire.CodeEmptyName, "\x00\x1b[31m")), examined: 1,
		},
		{
			name: "a stray byte", why: "0xff occurs in no UTF-8",
			events: story(refused("a", wire.CodeEmptyName, "bad \xff")), examined: 1, violated: []int{0},
		},
		{
			name: "a cut character", why: "a reason that is cut inside a character is invalid",
			events:   story(refused("a", wire.CodeEmptyName, "fine"), refused("b", wire.CodeEmptyName, "\xe2\x82")),
			examined: 2, violated: []int{1},
		},
		{
			name: "no ERROR", why: "the other frames carry no text",
			events: story(asks("a", "job\xff"), waits("a"), acquired("a", 1)),
		},
	})
}

func TestNothingAfterError(t *testing.T) {
	checkRows(t, spec.S_ACQ_21, []row{
		{
			name: "the last frame", why: "only the close follows",
			events: story(asks("a", ""), refused("a", wire.CodeEmptyName, ""), dropped("a")), examined: 1,
		},
		{
			name: "our own bytes behind it", why: "a heartbeat of ours may cross the ERROR",
			events: story(asks("a", "job"), acquired("a", 1), refused("a", wire.CodeShuttingDown, ""), beats("a")), examined: 1,
		},
		{
			name: "another connection's frames", why: "an ERROR ends its own session only",
			events: story(refused("a", wire.CodeEmptyName, ""), waits("b"), acquired("b", 2)), examined: 1,
		},
		{
			name: "a grant behind it", why: "the session was over",
			events:   story(asks("a", "job"), refused("a", wire.CodeDuplicateAcquire, ""), acquired("a", 1)),
			examined: 1, violated: []int{2},
		},
		{
			name: "two ERRORs", why: "the second comes after the end",
			events:   story(refused("a", wire.CodeNotAcquire, ""), refused("a", wire.CodeUnknownType, "")),
			examined: 2, violated: []int{1},
		},
		{
			name: "no ERROR", why: "nothing was refused",
			events: story(asks("a", "job"), acquired("a", 1), dropped("a")),
		},
	})
}
