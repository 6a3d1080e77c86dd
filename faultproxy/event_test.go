package faultproxy

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// story writes a proxy's events, a line each, without addresses.
func (l *log) story(start time.Time) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	var b strings.Builder
	for _, e := range l.events {
		fmt.Fprintf(&b, "%v %s", e.At.Sub(start), e.What)
		if e.Conn != 0 {
			fmt.Fprintf(&b, " conn=%d", e.Conn)
		}
		if e.Dir != Both {
			fmt.Fprintf(&b, " %v@%d", e.Dir, e.Offset)
		}
		switch {
		case e.Frame != nil:
			fmt.Fprintf(&b, " %v", e.Frame.Type)
		case len(e.Bytes) > 0:
			fmt.Fprintf(&b, " %q", e.Bytes)
		}
		if e.Ending != "" {
			fmt.Fprintf(&b, " %s", e.Ending)
		}
		if e.Rule != 0 {
			fmt.Fprintf(&b, " rule=%d %s", e.Rule, e.Note)
		}
		b.WriteByte('\n')
	}
	return strings.ReplaceAll(b.String(), " \n", "\n")
}

// Every frame is an event when it is received whole and when it is released
// whole, with the stamp of the moment; so is every decision.
func TestEventsTellTheStory(t *testing.T) {
	inVirtualTime(t, watched(Rule{Fault: Delay, Delay: 30 * time.Millisecond, Dir: Up}), func(r *rig) {
		start := time.Now()
		client, server := r.connect()
		client.send(acquire[:4])
		r.settle()
		time.Sleep(10 * time.Millisecond)
		client.send(acquire[4:] + heartbeat)
		server.want(acquire + heartbeat)
		id := r.add("lose on=ACQUIRED")
		server.send(acquired + "\x7f??")
		client.want("\x7f??")
		r.remove(id)
		client.finish()
		server.wantFIN()
		server.finish()
		client.wantFIN()
		r.settle()
		const want = `0s rule-added rule=1 delay 30ms dir=up
0s accepted conn=1
0s opened conn=1
0s bit conn=1 up@0 rule=1 30ms
10ms received conn=1 up@0 ACQUIRE
10ms received conn=1 up@11 HEARTBEAT
30ms bit conn=1 up@4 rule=1 30ms
40ms released conn=1 up@0 ACQUIRE
40ms released conn=1 up@11 HEARTBEAT
40ms rule-added rule=2 lose dir=down on=ACQUIRED
40ms received conn=1 down@0 ACQUIRED
40ms received conn=1 down@9 "\x7f??"
40ms bit conn=1 down@0 rule=2
40ms lost conn=1 down@0 ACQUIRED rule=2
40ms released conn=1 down@9 "\x7f??"
40ms rule-removed rule=2 lose dir=down on=ACQUIRED
40ms received conn=1 up@12 fin
40ms bit conn=1 up@12 rule=1 30ms
70ms released conn=1 up@12 fin
70ms received conn=1 down@12 fin
70ms released conn=1 down@12 fin
70ms closed conn=1
`
		if got := r.log.story(start); got != want {
			r.Errorf("the story is\n%s\nwant\n%s", got, want)
		}
	})
}

func TestAPartOfAFrameIsAnEventWhenNoMoreComes(t *testing.T) {
	inVirtualTime(t, watched(), func(r *rig) {
		client, server := r.connect()
		client.send(acquire[:4])
		client.finish()
		server.want(acquire[:4])
		server.wantFIN()
		r.settle()
		for _, what := range []What{Received, Released} {
			if got := r.log.of(what); len(got) != 2 || string(got[0].Bytes) != acquire[:4] || got[0].Frame != nil || got[1].Ending != "fin" {
				r.Errorf("%s: %v, want four bytes and a FIN", what, got)
			}
		}
	})
}
