package client

import (
	"strings"
	"testing"
	"time"
)

// TestWhatClosedTheConnection: only where every close falls together with the exit, it
// may be the exit's.
func TestWhatClosedTheConnection(t *testing.T) {
	result := time.Unix(1e9, 0)
	at := func(closed, exit time.Duration) closing {
		return closing{closed: result.Add(closed), result: result, exit: result.Add(exit)}
	}
	const ms = time.Millisecond
	unseen := closing{closed: result.Add(ms), result: result}
	for _, test := range []struct {
		name string
		all  []closing
		want string
	}{
		{"before the result", []closing{at(-ms, 2*ms), at(-2*ms, 2*ms)}, "by the client"},
		{"in the same instant", []closing{at(0, 0)}, "by the client"},
		{"behind the result, long before the exit", []closing{at(ms, 300*ms)}, "by the client"},
		{"the exit never came", []closing{unseen}, "by the client"},
		{"once before the result", []closing{at(20*ms, 21*ms), at(-ms, 20*ms)}, "by the client"},
		{"always with the exit", []closing{at(20*ms, 21*ms), at(2*ms, 12*ms)}, "by the client or by the end of its process: it came behind the result each time, up to 20.0 ms"},
	} {
		var c closings
		for _, one := range test.all {
			c.add(one)
		}
		if got := c.words(); !strings.HasPrefix(got, test.want) {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}
