package monitor

import (
	"testing"

	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

func TestOneAnswerAMessage(t *testing.T) {
	checkRows(t, spec.S_HB_03, []row{
		{
			name: "one each", why: "ACQUIRE and two heartbeats have three answers",
			events:   story(asks("a", "job"), acquired("a", 1), beats("a"), acquired("a", 1), beats("a"), acquired("a", 1)),
			examined: 3,
		},
		{
			name: "an answer that never came", why: "whoever waited for it says so, not the monitor",
			events:   story(asks("a", "job"), acquired("a", 1), beats("a"), beats("a"), acquired("a", 1)),
			examined: 2,
		},
		{
			name: "a heartbeat answered twice", why: "the second answers nothing",
			events:   story(asks("a", "job"), acquired("a", 1), beats("a"), acquired("a", 1), acquired("a", 1)),
			examined: 3, violated: []int{4},
		},
		{
			name: "WAITING unasked", why: "no message was open",
			events:   story(asks("a", "job"), waits("a"), waits("a")),
			examined: 2, violated: []int{2},
		},
		{
			name: "a frame before any message", why: "the server speaks first",
			events:   story(waits("a"), asks("a", "job")),
			examined: 1, violated: []int{0},
		},
		{
			name: "a promotion twice", why: "only one push is allowed",
			events:   story(asks("a", "job"), waits("a"), acquired("a", 1), acquired("a", 1)),
			examined: 3, violated: []int{3},
		},
		{
			name: "a surplus on two sessions", why: "it is said once a session",
			events: story(asks("a", "job"), acquired("a", 1), acquired("a", 1), acquired("a", 1),
				asks("b", "job"), waits("b"), waits("b")),
			examined: 4, violated: []int{2, 6},
		},
		{
			name: "ERROR unasked", why: "it may come at any time",
			events:   story(asks("a", "job"), acquired("a", 1), refused("a", wire.CodeShuttingDown, "")),
			examined: 1,
		},
		{
			name: "only an ERROR", why: "there is no answer to count",
			events: story(asks("a", ""), refused("a", wire.CodeEmptyName, "")),
		},
	})
}

func TestNeverBackToWaiting(t *testing.T) {
	checkRows(t, spec.S_Q_07, []row{
		{
			name: "waited and was promoted", why: "that is the only way",
			events: story(asks("a", "job"), waits("a"), beats("a"), waits("a"), acquired("a", 1)), examined: 1,
		},
		{
			name: "back to WAITING", why: "a grant is never taken back so",
			events:   story(asks("a", "job"), acquired("a", 1), beats("a"), waits("a")),
			examined: 1, violated: []int{3},
		},
		{
			name: "to and fro", why: "each WAITING behind the grant shows it",
			events:   story(acquired("a", 1), waits("a"), acquired("a", 1), waits("a")),
			examined: 2, violated: []int{1, 3},
		},
		{
			name: "another session's WAITING", why: "it says nothing of the holder",
			events: story(acquired("a", 1), waits("b")), examined: 1,
		},
		{
			name: "only waiting", why: "nobody was granted anything",
			events: story(asks("a", "job"), waits("a"), beats("a"), waits("a")),
		},
	})
}

func TestOneTokenASession(t *testing.T) {
	checkRows(t, spec.S_TOK_01, []row{
		{
			name: "grant and acknowledgements", why: "all carry token 7",
			events: story(acquired("a", 7), beats("a"), acquired("a", 7), acquired("a", 7)), examined: 2,
		},
		{
			name: "another token", why: "an acknowledgement carries the grant's",
			events: story(acquired("a", 7), beats("a"), acquired("a", 8)), examined: 1, violated: []int{2},
		},
		{
			name: "another token, and back", why: "each is compared with the grant",
			events:   story(acquired("a", 7), acquired("a", 8), acquired("a", 7), acquired("a", 6)),
			examined: 3, violated: []int{1, 3},
		},
		{
			name: "the whole width", why: "tokens are compared as 64 bits",
			events:   story(acquired("a", 1<<63), acquired("a", 1<<63|1)),
			examined: 1, violated: []int{1},
		},
		{
			name: "two sessions", why: "each has a token of its own, and none was said twice",
			events: story(acquired("a", 7), acquired("b", 8)),
		},
	})
}
