package conformance

import (
	"strings"
	"testing"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

// Who missed its promotion sees who was granted the lock instead, and the grant is
// the event that shows it.
func TestWhoWasGrantedTheLockInstead(t *testing.T) {
	for _, test := range []struct {
		name   string
		behind part // the server's side of the one that asked later
		want   string
		shows  wire.Type
	}{
		{
			"the one behind", promotes(opens + time.Millisecond),
			"conn-1: no ACQUIRED for 1.2s; conn-2, which asked when conn-1 waited already, was granted the lock instead, 1ms into that time", wire.TypeAcquired,
		},
		{"the one behind, before anything was due", promotes(opens - time.Millisecond), "conn-1: no ACQUIRED for 1.2s", wire.TypeWaiting},
		{"nobody", never, "conn-1: no ACQUIRED for 1.2s", wire.TypeWaiting},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := judged(t, of(spec.S_Q_01), func(t *T) {
				lock := t.Lock("job")
				first := t.Queue(lock)
				behind := t.Queue(lock)
				t.Queue(t.Lock("other")) // granted in time, and of another lock
				first.WantGrant(spec.S_Q_01, "the first is next", window(behind))
			}, never, test.behind, promotes(opens))
			j := the(t, r, spec.S_Q_01)
			if got := strings.Join(strings.Fields(j.Actual), " "); got != test.want {
				t.Errorf("it says %q; want %q", got, test.want)
			}
			if e := r.Events[j.Event]; e.Frame == nil || e.Frame.Type != test.shows {
				t.Errorf("it is shown by %s; want %v", e.Line(), test.shows)
			}
		})
	}
}
