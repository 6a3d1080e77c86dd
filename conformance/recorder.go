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
	t    *T
	addr string // the proxy's

	mu    sync.Mutex
	links map[int]int  // the proxy's number of a connection to the attempt's
	open  map[int]bool // those whose connection to the server stood
}

func newRecorder(t *T, addr string) *recorder {
	return &recorder{t: t, addr: addr, links: map[int]int{}, open: map[int]bool{}}
}

// record is called by the proxy's goroutines.
func (r *recorder) record(e faultproxy.Event) {
	if e.Conn == 0 {
		return // rules are noted by whoever adds them
	}
	n := r.link(e.Conn)
	link, upstream := fmt.Sprintf("link-%d", n), fmt.Sprintf("upstream-%d", n)
	up := e.Dir == faultproxy.Up
	switch e.What {
	case faultproxy.Accepted:
		r.add(e, link, timeline.Event{By: timeline.Subject, What: timeline.Open, Ends: timeline.Ends{Suite: r.addr, Peer: e.Note}})
	case faultproxy.Opened:
		local, remote, _ := strings.Cut(e.Note, " to ")
		r.opened(e.Conn)
		r.add(e, upstream, timeline.Event{By: timeline.Suite, What: timeline.Open, Ends: timeline.Ends{Suite: local, Peer: remote}})
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
		r.severed(e, link, upstream)
	case faultproxy.Lost, faultproxy.Bit, faultproxy.Refused, faultproxy.DialFailed:
		r.add(e, link, timeline.Event{By: timeline.Suite, What: timeline.Fault, Note: faultText(e)})
	}
}

// link returns the attempt's number of a proxy's connection.
func (r *recorder) link(conn int) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	n, known := r.links[conn]
	if !known {
		r.t.mu.Lock()
		r.t.attempt.links++
		n = r.t.attempt.links
		r.t.mu.Unlock()
		r.links[conn] = n
	}
	return n
}

// opened notes that the connection to the server stands.
func (r *recorder) opened(conn int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.open[conn] = true
}

func (r *recorder) isOpen(conn int) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.open[conn]
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
func (r *recorder) severed(e faultproxy.Event, link, upstream string) {
	r.add(e, link, timeline.Event{By: timeline.Suite, What: timeline.Fault, Note: e.Note})
	ending := timeline.Event{By: timeline.Suite, What: timeline.What(e.Ending)}
	if e.Side != faultproxy.ServerSide {
		r.add(e, link, ending)
	}
	if e.Side != faultproxy.ClientSide && r.isOpen(e.Conn) {
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
