package refserver

import (
	"errors"
	"fmt"
	"net"
	"testing"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

// tcp serves on loopback until the test ends.
func tcp(tb testing.TB, cfg Config) (addr string, s *Server) {
	tb.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	s, served := New(cfg), make(chan error, 1)
	go func() { served <- s.Serve(l) }()
	tb.Cleanup(func() {
		_ = s.Close()
		if err := <-served; !errors.Is(err, ErrServerClosed) {
			tb.Errorf("Serve returned %v, want ErrServerClosed", err)
		}
	})
	return l.Addr().String(), s
}

func dialTCP(tb testing.TB, addr string) net.Conn {
	tb.Helper()
	nc, err := net.Dial("tcp", addr)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { nc.Close() })
	return nc
}

func TestOverTCP(t *testing.T) {
	addr, s := tcp(t, Config{})
	owner, waiter := newClient(t, dialTCP(t, addr)), newClient(t, dialTCP(t, addr))
	owner.send(acquire("x", 10*time.Second))
	owner.want("free", wire.TypeAcquired)
	waiter.send(acquire("x", 10*time.Second))
	waiter.want("busy", wire.TypeWaiting)
	reset(owner.nc)
	waiter.want("pushed", wire.TypeAcquired)
	waiter.send(acquire("x", 10*time.Second), wire.HeartbeatFrame)
	waiter.wantError("the second ACQUIRE", wire.CodeDuplicateAcquire)

	third := newClient(t, dialTCP(t, addr))
	third.send(acquire("x", 50*time.Millisecond))
	third.want("free again", wire.TypeAcquired)
	third.wantFIN("silent for its lease")

	last := newClient(t, dialTCP(t, addr))
	last.send(acquire("x", 10*time.Second))
	last.want("free again", wire.TypeAcquired)
	done := make(chan error, 1)
	go func() { done <- s.Shutdown(t.Context()) }()
	last.wantError("stopped", wire.CodeShuttingDown)
	last.nc.Close()
	if err := <-done; err != nil {
		t.Errorf("Shutdown: %v", err)
	}
}

func TestAnErrorSurvivesAFloodOverTCP(t *testing.T) {
	addr, _ := tcp(t, Config{})
	for range 50 {
		c := newClient(t, dialTCP(t, addr))
		flood := append(bytesOf(wire.HeartbeatFrame), make([]byte, 60<<10)...)
		c.sendBytes(flood)
		c.wantError("heartbeat first", wire.CodeNotAcquire)
		c.nc.Close()
	}
}

func TestManyWaitersArePromotedInOrder(t *testing.T) {
	const waiters = 200
	addr, _ := tcp(t, Config{})
	queue := make([]*client, waiters)
	for i := range queue {
		queue[i] = newClient(t, dialTCP(t, addr))
		queue[i].send(acquire("x", time.Minute))
		if i == 0 {
			queue[i].want("free", wire.TypeAcquired)
			continue
		}
		queue[i].want("busy", wire.TypeWaiting)
	}
	last := uint64(0)
	for i, c := range queue[:waiters-1] {
		c.nc.Close()
		got := queue[i+1].want(fmt.Sprintf("waiter %d", i+1), wire.TypeAcquired)
		if got.Token <= last {
			t.Fatalf("waiter %d: token %d after %d", i+1, got.Token, last)
		}
		last = got.Token
	}
}
