package conformance

import (
	"strings"
	"testing"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/spec"
)

// What a case finds is shown by an event of its own, whatever the cases beside it do
// meanwhile; and each connection says to which case it belongs.
func TestAFindingOfACaseIsShownByItsOwnConnections(t *testing.T) {
	r := judged(t, of(spec.S_Q_03), func(t *T) {
		t.Together(
			func(t *T) {
				t.Case("slow", func(t *T) {
					t.Queue(t.Lock("job"))
					t.Pause(20*time.Millisecond + time.Millisecond/2) // the other one beats meanwhile
					t.Fail(spec.S_Q_03, "the owner closed", "this", "that")
				})
			},
			func(t *T) {
				t.Case("busy", func(t *T) {
					t.Pause(time.Millisecond) // so that the other one connects first
					s := t.Acquire(t.Lock("other"), BeatingEvery(time.Millisecond))
					s.WantNothingNew(spec.S_HB_06, "it goes on", time.Now().Add(5*time.Second))
				})
			},
		)
	}, never)
	j := the(t, r, spec.S_Q_03)
	if e := r.Events[j.Event]; e.Who != "conn-1" {
		t.Errorf("the finding of the case is shown by %q; want an event of its connection", e.Line())
	}
	notes := map[string]string{}
	for _, e := range r.Events {
		if strings.HasPrefix(e.Note, InCase) {
			notes[e.Who] = e.Note
		}
	}
	if notes["conn-1"] != InCase+"slow" || notes["conn-2"] != InCase+"busy" {
		t.Errorf("the connections begin with %v; want their cases", notes)
	}
}

func TestWithin(t *testing.T) {
	for _, test := range []struct {
		a, b string
		want bool
	}{
		{"a", "a", true}, {"a", "a, b", true}, {"a, b", "a", true}, {"a", "b", false}, {"a", "ab", false}, {"a, b", "a, c", false},
	} {
		if got := within(test.a, test.b); got != test.want {
			t.Errorf("within(%q, %q) is %v", test.a, test.b, got)
		}
	}
}

// A lease is that of one connection, so that a reader knows whose.
func TestALeaseNamesItsConnection(t *testing.T) {
	r := judged(t, of(spec.S_HB_07), func(t *T) {
		holder := t.Acquire(t.Lock("job"))
		t.Expiry(holder.Last(), t.Lease)
		t.Pass(spec.S_HB_07, "it is only noted")
	})
	if len(r.Bands) != 1 || r.Bands[0].What != "lease of conn-1" {
		t.Errorf("in force was %v; want the lease of conn-1", r.Bands)
	}
}
