package faultproxy

import (
	"errors"
	"net"
	"syscall"
	"testing"
)

func TestRefuseResetsNewConnectionsOnly(t *testing.T) {
	everywhere(t, watched(), func(r *rig) {
		client, server := r.connect()
		id := r.add("refuse")
		r.wantTurnedAway()
		r.wantHits(id, 1)
		client.send("still here")
		server.want("still here")
		r.remove(id)
		client, server = r.connect()
		client.send("welcome")
		server.want("welcome")
	})
}

// wantTurnedAway dials and is reset, during the dial or after it.
func (r *rig) wantTurnedAway() {
	r.Helper()
	c, err := r.dial(r.Context(), r.addr)
	if err == nil {
		r.end(c, "client").wantReset()
	} else if !errors.Is(err, syscall.ECONNRESET) {
		r.Errorf("dial: %v, want a reset", err)
	}
}

func TestStopListeningAndListenAgain(t *testing.T) {
	everywhere(t, watched(), func(r *rig) {
		client, server := r.connect()
		id := r.add("stop-listening")
		again := r.add("stop-listening")
		r.wantHits(id, 1)
		for range 2 {
			if _, err := r.dial(r.Context(), r.addr); !errors.Is(err, syscall.ECONNREFUSED) {
				r.Fatalf("dial: %v, want a refusal", err)
			}
			client.send("still here")
			server.want("still here")
			r.remove(id)
			id, again = again, id
		}
		client, server = r.connect()
		client.send("welcome")
		server.want("welcome")
	})
}

func TestNotListeningFromTheStart(t *testing.T) {
	everywhere(t, watched(Rule{Fault: StopListening}), func(r *rig) {
		r.eventually("nobody listens", func() bool {
			c, err := r.dial(r.Context(), r.addr)
			if err == nil {
				c.Close()
			}
			return errors.Is(err, syscall.ECONNREFUSED)
		})
		if err := r.p.Heal(); err != nil {
			r.Fatal(err)
		}
		r.connect()
	})
}

func TestAnAddressThatIsTakenIsReported(t *testing.T) {
	everywhere(t, watched(), func(r *rig) {
		r.connect()
		id := r.add("stop-listening")
		taken := r.must(r.listen(r.addr))
		if err := r.p.Remove(id); !errors.Is(err, ErrNotListening) || !errors.Is(err, syscall.EADDRINUSE) {
			r.Errorf("Remove: %v, want ErrNotListening and why", err)
		}
		taken.Close()
		if err := r.p.Heal(); err != nil {
			r.Fatal(err)
		}
		r.connect()
	})
}

// only has an Accept that gives connections without half-close.
type only struct{ net.Listener }

func (o only) Accept() (net.Conn, error) {
	c, err := o.Listener.Accept()
	return struct{ net.Conn }{c}, err
}

func TestServeRefusesConnectionsWithoutHalfClose(t *testing.T) {
	n := kernel()
	l, err := n.listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := New(Config{})
	served := make(chan error)
	go func() { served <- p.Serve(only{l}) }()
	c, err := n.dial(t.Context(), l.Addr().String())
	if err == nil {
		defer c.Close()
	}
	if err := <-served; err == nil || errors.Is(err, ErrClosed) {
		t.Errorf("Serve: %v, want what is wrong with the connection", err)
	}
	p.Close()
}
