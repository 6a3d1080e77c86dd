package history

import (
	"strings"
	"testing"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/spec"
)

// ms is an offset in milliseconds, as the histories below are written.
const ms = time.Millisecond

// Each row is a handmade history on a scale of milliseconds, and the
// requirements that it breaks.
func TestCheck(t *testing.T) {
	for _, test := range []struct {
		name, why string
		claims    []Claim
		want      []spec.ID
	}{
		{
			name: "one after the other", why: "each is granted when the one before gave back",
			claims: []Claim{
				{Who: "a", Lock: "job", Asked: 1 * ms, Granted: 2 * ms, End: 10 * ms, Token: 1},
				{Who: "b", Lock: "job", Asked: 3 * ms, Waiting: 4 * ms, Granted: 11 * ms, End: 20 * ms, Token: 2},
				{Who: "c", Lock: "job", Asked: 5 * ms, Waiting: 6 * ms, Granted: 21 * ms, End: 30 * ms, Token: 3},
			},
		},
		{
			name: "granted in the instant of the end", why: "what ends and what begins in one instant does not overlap",
			claims: []Claim{
				{Who: "a", Lock: "job", Asked: 1 * ms, Granted: 2 * ms, End: 10 * ms, Token: 1},
				{Who: "b", Lock: "job", Asked: 3 * ms, Waiting: 4 * ms, Granted: 10 * ms, End: 20 * ms, Token: 2},
			},
		},
		{
			name: "two locks at a time", why: "different names are independent",
			claims: []Claim{
				{Who: "a", Lock: "one", Asked: 1 * ms, Granted: 3 * ms, End: 10 * ms, Token: 2},
				{Who: "b", Lock: "two", Asked: 1 * ms, Granted: 4 * ms, End: 10 * ms, Token: 1},
			},
		},
		{
			name: "a waiter that left", why: "whoever left may be passed from then on",
			claims: []Claim{
				{Who: "a", Lock: "job", Asked: 1 * ms, Granted: 2 * ms, End: 10 * ms, Token: 1},
				{Who: "b", Lock: "job", Asked: 3 * ms, Waiting: 4 * ms, End: 9 * ms},
				{Who: "c", Lock: "job", Asked: 5 * ms, Waiting: 6 * ms, Granted: 11 * ms, End: 20 * ms, Token: 2},
			},
		},
		{
			name: "asked side by side", why: "who asked before the other was told WAITING has no order to it",
			claims: []Claim{
				{Who: "a", Lock: "job", Asked: 1 * ms, Granted: 2 * ms, End: 10 * ms, Token: 1},
				{Who: "b", Lock: "job", Asked: 3 * ms, Waiting: 5 * ms, Granted: 21 * ms, End: 30 * ms, Token: 3},
				{Who: "c", Lock: "job", Asked: 4 * ms, Waiting: 6 * ms, Granted: 11 * ms, End: 20 * ms, Token: 2},
			},
		},
		{
			name: "read late", why: "a grant read after its lease could have run out holds nothing for certain",
			claims: []Claim{
				{Who: "a", Lock: "job", Asked: 1 * ms, Granted: 2 * ms, End: 10 * ms, Token: 1},
				{Who: "b", Lock: "job", Asked: 3 * ms, Waiting: 4 * ms, Granted: 16 * ms, End: 15 * ms, Token: 2},
				{Who: "c", Lock: "job", Asked: 5 * ms, Waiting: 6 * ms, Granted: 14 * ms, End: 20 * ms, Token: 3},
			},
		},
		{
			name: "read in the instant of its end", why: "it held for no time that is certain",
			claims: []Claim{
				{Who: "a", Lock: "job", Asked: 1 * ms, Granted: 5 * ms, End: 5 * ms, Token: 9},
				{Who: "b", Lock: "job", Asked: 2 * ms, Granted: 4 * ms, End: 20 * ms, Token: 1},
			},
		},
		{
			name: "in any order of recording", why: "claims are recorded as they end, not as they begin",
			claims: []Claim{
				{Who: "b", Lock: "job", Asked: 3 * ms, Waiting: 4 * ms, Granted: 11 * ms, End: 20 * ms, Token: 2},
				{Who: "a", Lock: "job", Asked: 1 * ms, Granted: 2 * ms, End: 10 * ms, Token: 1},
			},
		},
		{
			name: "two holders", why: "b was granted while a held",
			claims: []Claim{
				{Who: "a", Lock: "job", Asked: 1 * ms, Granted: 2 * ms, End: 10 * ms, Token: 1},
				{Who: "b", Lock: "job", Asked: 3 * ms, Granted: 9 * ms, End: 20 * ms, Token: 2},
			},
			want: []spec.ID{spec.S_Q_10},
		},
		{
			name: "two holders with others between", why: "c overlaps a, whatever happened to other locks meanwhile",
			claims: []Claim{
				{Who: "a", Lock: "job", Asked: 1 * ms, Granted: 2 * ms, End: 30 * ms, Token: 1},
				{Who: "x", Lock: "other", Asked: 1 * ms, Granted: 3 * ms, End: 4 * ms, Token: 2},
				{Who: "c", Lock: "job", Asked: 5 * ms, Granted: 20 * ms, End: 40 * ms, Token: 3},
			},
			want: []spec.ID{spec.S_Q_10},
		},
		{
			name: "the first in the queue passed", why: "b waited before c asked, and c came first",
			claims: []Claim{
				{Who: "a", Lock: "job", Asked: 1 * ms, Granted: 2 * ms, End: 10 * ms, Token: 1},
				{Who: "b", Lock: "job", Asked: 3 * ms, Waiting: 4 * ms, Granted: 21 * ms, End: 30 * ms, Token: 3},
				{Who: "c", Lock: "job", Asked: 5 * ms, Waiting: 6 * ms, Granted: 11 * ms, End: 20 * ms, Token: 2},
			},
			want: []spec.ID{spec.S_Q_01},
		},
		{
			name: "one passed that was never granted", why: "b still waited when c came first",
			claims: []Claim{
				{Who: "a", Lock: "job", Asked: 1 * ms, Granted: 2 * ms, End: 10 * ms, Token: 1},
				{Who: "b", Lock: "job", Asked: 3 * ms, Waiting: 4 * ms, End: 15 * ms},
				{Who: "c", Lock: "job", Asked: 5 * ms, Waiting: 6 * ms, Granted: 11 * ms, End: 20 * ms, Token: 2},
			},
			want: []spec.ID{spec.S_Q_01},
		},
		{
			name: "barging in", why: "c was granted at once while b waited",
			claims: []Claim{
				{Who: "a", Lock: "job", Asked: 1 * ms, Granted: 2 * ms, End: 10 * ms, Token: 1},
				{Who: "b", Lock: "job", Asked: 3 * ms, Waiting: 4 * ms, Granted: 21 * ms, End: 30 * ms, Token: 3},
				{Who: "c", Lock: "job", Asked: 11 * ms, Granted: 12 * ms, End: 20 * ms, Token: 2},
			},
			want: []spec.ID{spec.S_Q_01},
		},
		{
			name: "a token twice", why: "tokens are unique over all locks",
			claims: []Claim{
				{Who: "a", Lock: "one", Asked: 1 * ms, Granted: 3 * ms, End: 10 * ms, Token: 7},
				{Who: "b", Lock: "two", Asked: 2 * ms, Granted: 4 * ms, End: 10 * ms, Token: 7},
			},
			want: []spec.ID{spec.S_TOK_04},
		},
		{
			name: "a smaller token on one lock", why: "b held after a",
			claims: []Claim{
				{Who: "a", Lock: "job", Asked: 1 * ms, Granted: 3 * ms, End: 10 * ms, Token: 7},
				{Who: "b", Lock: "job", Asked: 2 * ms, Waiting: 4 * ms, Granted: 11 * ms, End: 20 * ms, Token: 6},
			},
			want: []spec.ID{spec.S_TOK_04},
		},
		{
			name: "a smaller token on another lock", why: "b asked when a had its grant",
			claims: []Claim{
				{Who: "a", Lock: "one", Asked: 1 * ms, Granted: 3 * ms, End: 10 * ms, Token: 7},
				{Who: "b", Lock: "two", Asked: 4 * ms, Granted: 5 * ms, End: 10 * ms, Token: 6},
			},
			want: []spec.ID{spec.S_TOK_04},
		},
		{
			name: "two requirements at a time", why: "each is said, once",
			claims: []Claim{
				{Who: "a", Lock: "job", Asked: 1 * ms, Granted: 2 * ms, End: 10 * ms, Token: 7},
				{Who: "b", Lock: "job", Asked: 3 * ms, Granted: 4 * ms, End: 20 * ms, Token: 6},
			},
			want: []spec.ID{spec.S_Q_10, spec.S_TOK_04},
		},
		{
			name: "empty", why: "nothing examined is never green",
			want: []spec.ID{spec.S_Q_10},
		},
		{
			name: "nobody granted", why: "that is nothing examined, too",
			claims: []Claim{{Who: "a", Lock: "job", Asked: 1 * ms, Waiting: 2 * ms, End: 9 * ms}},
			want:   []spec.ID{spec.S_Q_10},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			problems := Check(test.claims)
			if !sameIDs(problems, test.want) {
				t.Errorf("problems %v; want %v, for %s", problems, test.want, test.why)
			}
			for _, p := range problems {
				if p.Sentence == "" || p.Actual == "" {
					t.Errorf("%+v lacks its sentence or what was seen", p)
				}
				wantPlace(t, p, test.claims)
			}
		})
	}
}

func sameIDs(problems []Problem, want []spec.ID) bool {
	got := map[spec.ID]bool{}
	for _, p := range problems {
		got[p.ID] = true
	}
	for _, id := range want {
		if !got[id] {
			return false
		}
	}
	return len(got) == len(want) && len(problems) == len(want)
}

// Check is pure: the claims stay in the order of their recording.
func TestCheckChangesNothing(t *testing.T) {
	claims := []Claim{
		{Who: "b", Lock: "job", Asked: 3 * ms, Waiting: 4 * ms, Granted: 11 * ms, End: 20 * ms, Token: 2},
		{Who: "c", Lock: "job", Asked: 3 * ms, Waiting: 4 * ms, End: 5 * ms},
		{Who: "a", Lock: "job", Asked: 1 * ms, Granted: 2 * ms, End: 10 * ms, Token: 1},
	}
	Check(claims)
	Picture(claims)
	if claims[0].Who != "b" || claims[1].Who != "c" || claims[2].Who != "a" {
		t.Errorf("the claims became %v", claims)
	}
}

func TestEnded(t *testing.T) {
	open := Claim{Who: "a", Granted: 1}
	if closed := open.Ended(5 * ms); closed.End != 5*ms || closed.Who != "a" || open.End != 0 {
		t.Errorf("Ended made %+v of %+v", closed, open)
	}
}

// wantPlace wants the problem to be at the grant of a connection that its words name,
// unless nothing was granted at all.
func wantPlace(t *testing.T, p Problem, claims []Claim) {
	t.Helper()
	if p.Who == "" && len(certain(claims)) == 0 {
		return
	}
	for _, c := range claims {
		if c.Who == p.Who && c.Granted == p.At && strings.Contains(p.Actual, p.Who) {
			return
		}
	}
	t.Errorf("%+v is at no grant of a connection that it names", p)
}
