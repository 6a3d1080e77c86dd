package conformance

import (
	"slices"
	"testing"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/spec"
)

func TestMerge(t *testing.T) {
	pass := func(id spec.ID, sentence string) Judgement {
		return Judgement{ID: id, Verdict: Pass, Sentence: sentence}
	}
	timed := func(v Verdict, took time.Duration) Judgement {
		return Judgement{ID: spec.S_Q_03, Verdict: v, Measured: took, Timed: true}
	}
	for _, test := range []struct {
		name, why string
		given     []Judgement
		want      []Judgement
	}{
		{name: "nothing", why: "nothing was judged"},
		{
			name: "one each", why: "in the order of the first judgements",
			given: []Judgement{pass(spec.S_Q_02, "b"), pass(spec.S_Q_01, "a"), pass(spec.S_Q_02, "c")},
			want:  []Judgement{pass(spec.S_Q_02, "b"), pass(spec.S_Q_01, "a")},
		},
		{
			name: "the worst", why: "a pass before and after does not mend a fail",
			given: []Judgement{pass(spec.S_Q_01, ""), {ID: spec.S_Q_01, Verdict: Fail, Actual: "first"}, {ID: spec.S_Q_01, Verdict: Fail, Actual: "second"}, pass(spec.S_Q_01, "")},
			want:  []Judgement{{ID: spec.S_Q_01, Verdict: Fail, Actual: "first"}},
		},
		{
			name: "the longest measured", why: "of several passes the slowest is of interest",
			given: []Judgement{timed(Pass, 2), timed(Pass, 9), timed(Pass, 3)},
			want:  []Judgement{timed(Pass, 9)},
		},
		{
			name: "measured over not measured", why: "a time is worth keeping",
			given: []Judgement{pass(spec.S_Q_03, ""), timed(Pass, 2)},
			want:  []Judgement{timed(Pass, 2)},
		},
		{
			name: "a fail's own time", why: "the pass's time is not that of the fail",
			given: []Judgement{timed(Pass, 9), timed(Fail, 4)},
			want:  []Judgement{timed(Fail, 4)},
		},
		{
			name: "cases side by side", why: "the first is shown, and all that fail are named",
			given: []Judgement{
				{ID: spec.S_Q_01, Verdict: Fail, Case: "b"}, {ID: spec.S_Q_01, Verdict: Pass, Case: "c"}, {ID: spec.S_Q_01, Verdict: Pass, Case: "b"},
				{ID: spec.S_Q_01, Verdict: Fail, Case: "a"}, {ID: spec.S_Q_02, Verdict: Fail, Case: "d"},
			},
			want: []Judgement{
				{ID: spec.S_Q_01, Verdict: Fail, Case: "b", AllCases: `in 2 of 3 cases: "a", "b"`}, {ID: spec.S_Q_02, Verdict: Fail, Case: "d"},
			},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := merge(test.given); !slices.Equal(got, test.want) {
				t.Errorf("merged to %+v; want %+v, for %s", got, test.want, test.why)
			}
		})
	}
}
