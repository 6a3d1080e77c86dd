package conformance

import (
	"fmt"
	"strings"
	"sync"

	"github.com/monolock-dev/monolock-conform/conformance/timeline"
	"github.com/monolock-dev/monolock-conform/conformance/wire"
	"github.com/monolock-dev/monolock-conform/faultproxy"
)

// recorder puts what passes a proxy on the timeline of its attempt. Connection N is
// link-N between client and proxy, and upstream-N between proxy and server.
type recorder struct {
	t *T

	mu    sync.Mutex
	links map[int]*proxied // by the proxy's number
}

// proxied is one connection through the proxy.
type proxied struct {
	number int  // of the attempt's connections through proxies
	open   bool // its connection to the server stood
}

func newRecorder(t *T) *recorder { return &recorder{t: t, links: map[int]*proxied{}} }

// record is called by the proxy's goroutines.
func (r *recorder) record(e faultproxy.Event) {
	if e.Conn == 0 {
		return // rules are noted by whoever adds them
	}
	n, open := r.link(e)
	link, upstream := fmt.Sprintf("link-%d", n), fmt.Sprintf("upstream-%d", n)
	ends := timeline.Ends{Suite: e.Local, Peer: e.Remote}
	up := e.Dir == faultproxy.Up
	switch e.What {
	case faultproxy.Accepted:
		r.add(e, link, timeline.Event{By: timeline.Subject, What: timeline.Open, Ends: ends, Note: r.t.opens(link)})
	case faultproxy.Opened:
		r.add(e, upstream, timeline.Event{By: timeline.Suite, What: timeline.Open, Ends: ends, Note: r.t.opens(upstream)})
	case faultproxy.Received:
		if up {
			r.came(e, link, timeline.Subject)
			return
		}
		r.came(e, upstream, timeline.Reference)
	case faultproxy.Released:
		if up {
			r.went(e, upstream)
			return
		}
		r.went(e, link)
	case faultproxy.Severed:
		r.severed(e, link, upstream, open)
	case faultproxy.Lost, faultproxy.Bit, faultproxy.Refused, faultproxy.DialFailed:
		r.add(e, link, timeline.Event{By: timeline.Suite, What: timeline.Fault, Note: faultText(e)})
	}
}

// link returns the attempt's number of the connection that e is about, and whether
// its connection to the server has stood.
func (r *recorder) link(e faultproxy.Event) (number int, open bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	p, known := r.links[e.Conn]
	if !known {
		r.t.mu.Lock()
		r.t.attempt.links++
		p = &proxied{number: r.t.attempt.links}
		r.t.mu.Unlock()
		r.links[e.Conn] = p
	}
	p.open = p.open || e.What == faultproxy.Opened
	return p.number, p.open
}

// add puts an event of a connection on the timeline.
func (r *recorder) add(e faultproxy.Event, who string, event timeline.Event) {
	event.Who = who
	r.t.tl.Add(e.At, event)
}

// came notes bytes or an ending that reached the proxy.
func (r *recorder) came(e faultproxy.Event, who string, by timeline.Side) {
	if e.Ending != "" {
		r.add(e, who, timeline.Event{By: by, What: timeline.What(e.Ending)})
		return
	}
	r.add(e, who, timeline.Event{By: by, What: timeline.Recv, Frame: kept(e.Frame), Bytes: e.Bytes})
}

// went notes bytes or an ending that left the proxy.
func (r *recorder) went(e faultproxy.Event, who string) {
	if e.Ending != "" {
		r.add(e, who, timeline.Event{By: timeline.Suite, What: timeline.What(e.Ending)})
		return
	}
	r.add(e, who, timeline.Event{By: timeline.Suite, What: timeline.Send, Frame: kept(e.Frame), Bytes: e.Bytes})
}

// severed notes the endings that the proxy itself sent.
func (r *recorder) severed(e faultproxy.Event, link, upstream string, open bool) {
	r.add(e, link, timeline.Event{By: timeline.Suite, What: timeline.Fault, Note: e.Note})
	ending := timeline.Event{By: timeline.Suite, What: timeline.What(e.Ending)}
	if e.Side != faultproxy.ServerSide {
		r.add(e, link, ending)
	}
	if e.Side != faultproxy.ClientSide && open {
		r.add(e, upstream, ending)
	}
}

// kept is a frame of the timeline's own: the proxy only lends it.
func kept(f *wire.Frame) *wire.Frame {
	if f == nil {
		return nil
	}
	own := *f
	return &own
}

// faultText says in words what the proxy did.
func faultText(e faultproxy.Event) string {
	switch e.What {
	case faultproxy.Lost:
		return fmt.Sprintf("%d bytes thrown away, %s", len(e.Bytes), e.Dir)
	case faultproxy.Bit:
		return strings.TrimSpace(fmt.Sprintf("rule %d acts, %s: %s", e.Rule, e.Dir, e.Note))
	case faultproxy.DialFailed:
		return "no connection to the server: " + e.Note
	}
	return string(e.What)
}
