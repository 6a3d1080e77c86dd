package client

import (
	"fmt"
	"sync"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/spec"
)

// closing is when a released connection ended, and when the adapter did. An adapter
// exits right behind its result, and its connection with it, so a client that never
// closes looks like one that closes then.
type closing struct {
	closed, result, exit time.Time // a zero exit was not seen
}

// withTheExit reports whether the process's end may be what closed the connection: it
// ended behind the result, and the exit was near. Near is not at once, for an interpreter
// may close what is open long before its process is gone.
func (c closing) withTheExit() bool {
	return c.closed.After(c.result) && !c.exit.IsZero() && c.exit.Sub(c.closed) <= conformance.AtOnceTime
}

// closings are several, from parts of a scenario that run side by side.
type closings struct {
	mu  sync.Mutex
	all []closing
}

func (c *closings) add(one closing) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.all = append(c.all, one)
}

// observe records what closed the connections, if any was closed in time.
func (c *closings) observe(t *conformance.T) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.all) > 0 {
		t.Observe(spec.C_REL_01, "closed", c.words())
	}
}

// words say what closed the connections. One that closed by itself is enough to know
// that the client does.
func (c *closings) words() string {
	latest := time.Duration(0)
	for _, one := range c.all {
		if !one.withTheExit() {
			return "by the client"
		}
		latest = max(latest, one.closed.Sub(one.result))
	}
	return fmt.Sprintf("by the client or by the end of its process: it came behind the result each time, up to %s, and then the exit; "+
		"a client that never closes looks like this, and so does one whose close is under way when its adapter exits", ms(latest))
}
