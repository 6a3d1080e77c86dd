package faultproxy

import (
	"errors"
	"sync"
	"testing"
	"time"
)

func TestCloseResetsWaitsAndMayBeRepeated(t *testing.T) {
	onBothPaths(t, func(r *rig) {
		client, server := r.connect()
		client.send("through") // a dial that is still under way would be given up, with a FIN
		server.want("through")
		r.add("partition")
		held := r.client()
		client.send("held")
		for range 2 {
			if err := r.p.Close(); err != nil {
				r.Fatal(err)
			}
		}
		client.wantReset()
		server.wantReset()
		held.wantReset()
		if _, err := r.p.Add(Rule{Fault: Partition}); !errors.Is(err, ErrClosed) {
			r.Errorf("Add: %v, want ErrClosed", err)
		}
	})
}

func TestServeReportsWrongRules(t *testing.T) {
	n := kernel()
	l, err := n.listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := New(Config{Rules: []Rule{{Fault: Delay}, {Fault: "dealy"}}})
	if err := p.Serve(l); err == nil || errors.Is(err, ErrClosed) {
		t.Errorf("Serve: %v, want what is wrong", err)
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
}

func TestServeIsCalledOnce(t *testing.T) {
	everywhere(t, unwatched(), func(r *rig) {
		r.connect()
		if err := r.p.Serve(r.must(r.listen("127.0.0.1:0"))); err == nil {
			r.Error("a second Serve was allowed")
		}
		r.connect()
	})
}

func TestKillEndsOneConnection(t *testing.T) {
	everywhere(t, watched(), func(r *rig) {
		client, server := r.connect()
		other, otherServer := r.connect()
		r.add("partition dir=up")
		client.send("held")
		if err := r.p.Kill(1, Cut); err != nil {
			r.Fatal(err)
		}
		client.wantFIN()
		server.wantFIN()
		if err := r.p.Kill(2, Reset); err != nil {
			r.Fatal(err)
		}
		other.wantReset()
		otherServer.wantReset()
		r.eventually("both are forgotten", func() bool { return len(r.p.Connections()) == 0 })
		if err := r.p.Kill(2, Reset); !errors.Is(err, ErrNotFound) {
			r.Errorf("Kill: %v, want ErrNotFound", err)
		}
	})
}

// A rule that names frames reaches an older connection only where frames were
// followed from its first byte on.
func TestFrameRulesOnOlderConnections(t *testing.T) {
	for _, frames := range []bool{false, true} {
		everywhere(t, Config{Frames: frames}, func(r *rig) {
			client, server := r.connect()
			server.send(waiting)
			client.want(waiting)
			id := r.add("lose on=ACQUIRED")
			if got := r.p.Connections()[0].Plain; got == frames {
				r.Errorf("the connection is plain: %v, with Frames %v", got, frames)
			}
			server.send(acquired + waiting)
			if frames {
				client.want(waiting)
				r.wantHits(id, 1)
			} else {
				client.want(acquired + waiting)
				r.wantHits(id, 0)
			}
		})
	}
}

// Rules of one direction or connection leave the others plain.
func TestAPlainConnectionStaysPlainUntilARuleConcernsIt(t *testing.T) {
	everywhere(t, unwatched(), func(r *rig) {
		r.connect()
		r.connect()
		r.add("delay 1ms conn=2")
		if list := r.p.Connections(); !list[0].Plain || list[1].Plain {
			r.Errorf("the connections are %+v, want only the second under rules", list)
		}
	})
}

// Adding, removing and listing go on while connections come, talk and go.
func TestManyConnectionsUnderChangingRules(t *testing.T) {
	run(t, kernel(), unwatched(), func(r *rig) {
		stop := make(chan struct{})
		var changing, talking sync.WaitGroup
		changing.Go(func() { r.changeRules(stop) })
		changing.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
					r.p.Connections()
					r.p.Rules()
					time.Sleep(time.Millisecond)
				}
			}
		})
		for range 8 {
			talking.Go(func() {
				for range 20 {
					r.talk()
				}
			})
		}
		for range 8 * 20 {
			server := r.accept()
			talking.Go(func() {
				server.want(acquire)
				server.send(acquired)
				server.wantFIN()
				server.Close()
			})
		}
		talking.Wait()
		close(stop)
		changing.Wait()
	})
}

func (r *rig) talk() {
	client := r.client()
	client.send(acquire)
	client.want(acquired)
	client.finish()
	client.wantFIN()
	client.Close()
}
