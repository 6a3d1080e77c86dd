package monitor

import (
	"testing"

	"github.com/monolock-dev/monolock-conform/conformance/spec"
)

func TestTokensGrowOnOneLock(t *testing.T) {
	checkRows(t, spec.S_TOK_02, []row{
		{
			name: "asked for later", why: "b asked when a had its grant",
			events: story(asks("a", "job"), acquired("a", 1), asks("b", "job"), waits("b"), acquired("b", 2)), examined: 1,
		},
		{
			name: "given back before", why: "both waited, and a left before b's grant came",
			events: story(asks("a", "job"), asks("b", "job"), acquired("a", 1), leaves("a"), acquired("b", 2)), examined: 1,
		},
		{
			name: "reset before", why: "a reset gives back as a close does",
			events:   story(asks("a", "job"), asks("b", "job"), acquired("a", 2), resets("a"), acquired("b", 1)),
			examined: 1, violated: []int{4},
		},
		{
			name: "the same again", why: "strictly larger is demanded",
			events:   story(asks("a", "job"), acquired("a", 5), asks("b", "job"), acquired("b", 5)),
			examined: 1, violated: []int{3},
		},
		{
			name: "smaller", why: "tokens never go back",
			events:   story(asks("a", "job"), acquired("a", 5), leaves("a"), asks("b", "job"), acquired("b", 4)),
			examined: 1, violated: []int{4},
		},
		{
			name: "smaller than the largest before", why: "not only the neighbour counts",
			events: story(asks("a", "job"), acquired("a", 9), leaves("a"), asks("b", "job"), acquired("b", 3), leaves("b"),
				asks("c", "job"), acquired("c", 5)),
			examined: 2, violated: []int{4, 7},
		},
		{
			name: "as unsigned numbers", why: "the upper half is no negative number",
			events: story(asks("a", "job"), acquired("a", 1), asks("b", "job"), acquired("b", 1<<64-1)), examined: 1,
		},
		{
			name: "dropped by the server", why: "when that took effect is not known, so there is no order",
			events: story(asks("a", "job"), asks("b", "job"), acquired("a", 2), dropped("a"), acquired("b", 1)),
		},
		{
			name: "left before its grant was read", why: "the close says nothing of a hold that was not known yet",
			events: story(asks("a", "job"), asks("b", "job"), leaves("a"), acquired("a", 2), acquired("b", 1)),
		},
		{
			name: "read behind its own end", why: "b may have had it, and lost it by its close, before a was granted",
			events: story(asks("a", "job"), asks("b", "job"), leaves("b"), acquired("a", 2), leaves("a"), acquired("b", 1)),
		},
		{
			name: "overlapping", why: "both asked before either was granted",
			events: story(asks("a", "job"), asks("b", "job"), acquired("b", 2), acquired("a", 1)),
		},
		{
			name: "over a restart", why: "how soon tokens grow over a restart is S-TOK-05's matter",
			events: story(asks("a", "job"), acquired("a", 5), leaves("a"), remark(Restart), asks("b", "job"), acquired("b", 4)),
		},
		{
			name: "behind a restart", why: "the new run's own tokens grow as ever",
			events: story(asks("a", "job"), acquired("a", 9), remark(Restart),
				asks("b", "job"), acquired("b", 5), leaves("b"), asks("c", "job"), acquired("c", 4)),
			examined: 1, violated: []int{7},
		},
		{
			name: "other locks", why: "that is S-TOK-03",
			events: story(asks("a", "one"), acquired("a", 2), asks("b", "two"), acquired("b", 1)),
		},
	})
}

func TestTokensGrowOverLocks(t *testing.T) {
	checkRows(t, spec.S_TOK_03, []row{
		{
			name: "asked for later", why: "b asked when a had its grant",
			events: story(asks("a", "one"), acquired("a", 1), asks("b", "two"), acquired("b", 2)), examined: 1,
		},
		{
			name: "smaller", why: "one counter stands behind all locks",
			events:   story(asks("a", "one"), acquired("a", 2), asks("b", "two"), acquired("b", 1)),
			examined: 1, violated: []int{3},
		},
		{
			name: "given back, on another lock", why: "giving back orders the grants of its own lock only",
			events: story(asks("a", "one"), asks("b", "two"), acquired("a", 2), leaves("a"), acquired("b", 1)),
		},
		{
			name: "names that look alike", why: "a byte makes another lock",
			events:   story(asks("a", "job"), acquired("a", 2), asks("b", "Job"), acquired("b", 1)),
			examined: 1, violated: []int{3},
		},
		{
			name: "one lock", why: "that is S-TOK-02",
			events: story(asks("a", "job"), acquired("a", 2), asks("b", "job"), acquired("b", 1)),
		},
		{
			name: "a lock that is not known", why: "the ACQUIRE went as raw bytes",
			events: story(asks("a", "one"), acquired("a", 2), sendsOpaque("b"), acquired("b", 1)),
		},
	})
}

func TestTokensAreUnique(t *testing.T) {
	checkRows(t, spec.S_TOK_04, []row{
		{
			name: "each its own", why: "also where the grants have no order",
			events: story(asks("a", "one"), asks("b", "two"), acquired("b", 2), acquired("a", 1)), examined: 2,
		},
		{
			name: "one token twice", why: "overlapping grants must differ as well",
			events:   story(asks("a", "one"), asks("b", "two"), acquired("a", 1), acquired("b", 1)),
			examined: 2, violated: []int{3},
		},
		{
			name: "repeated in one session", why: "an acknowledgement is no new grant",
			events: story(asks("a", "one"), acquired("a", 1), beats("a"), acquired("a", 1)), examined: 1,
		},
		{
			name: "again after a restart", why: "another run of the server may count afresh",
			events: story(asks("a", "one"), acquired("a", 1), remark(Restart), asks("b", "one"), acquired("b", 1)), examined: 2,
		},
		{
			name: "nobody granted", why: "there is no token",
			events: story(asks("a", "one"), waits("a")),
		},
	})
}
