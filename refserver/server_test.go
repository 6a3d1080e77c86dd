package refserver

import (
	"context"
	"errors"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/memnet"
	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

func TestPromotionIsPushed(t *testing.T) {
	for name, leave := range map[string]func(*client){
		"FIN":        func(c *client) { c.nc.Close() },
		"half-close": func(c *client) { _ = c.nc.(*memnet.Conn).CloseWrite() },
		"reset":      func(c *client) { reset(c.nc) },
		"refusal":    func(c *client) { c.sendBytes([]byte{0x7f}) },
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, Config{}, func(h *house) {
				owner, waiter := h.hold("x", lease), h.queue("x", lease)
				before := time.Now()
				leave(owner)
				waiter.want("pushed", wire.TypeAcquired)
				if took := time.Since(before); took != 0 {
					t.Errorf("took %v, want no time at all", took)
				}
			})
		})
	}
}

func TestOneTokenASessionAndLargerOnesLater(t *testing.T) {
	inBubble(t, Config{}, func(h *house) {
		owner := h.dial()
		owner.send(acquire("x", lease), wire.HeartbeatFrame)
		first := owner.want("grant", wire.TypeAcquired).Token
		if again := owner.want("acknowledgement", wire.TypeAcquired).Token; again != first {
			t.Errorf("acknowledged with token %d, granted with %d", again, first)
		}
		waiter := h.queue("x", lease)
		owner.nc.Close()
		if next := waiter.want("promotion", wire.TypeAcquired).Token; next <= first {
			t.Errorf("token %d after %d, want a larger one", next, first)
		}
	})
}

func TestMessagesCutAnywhere(t *testing.T) {
	inBubble(t, Config{}, func(h *house) {
		whole := bytesOf(acquire("käse", lease), wire.HeartbeatFrame)
		for cut := range whole {
			c := h.dial()
			c.sendBytes(whole[:cut])
			time.Sleep(time.Millisecond)
			c.sendBytes(whole[cut:])
			c.want("grant", wire.TypeAcquired)
			c.want("acknowledgement", wire.TypeAcquired)
			c.nc.Close()
			synctest.Wait()
		}
	})
}

func TestABurstIsAnsweredOneByOne(t *testing.T) {
	const burst = 30_000 // more than the output may hold
	inBubble(t, Config{}, func(h *house) {
		c := h.hold("x", lease)
		sent := make(chan struct{})
		go func() {
			defer close(sent)
			_, _ = c.nc.Write([]byte(strings.Repeat("\x02", burst)))
		}()
		for range burst {
			c.want("one answer a heartbeat", wire.TypeAcquired)
		}
		<-sent
		c.wantIdle("and none more")
	})
}

func TestLongNamesAreReadWhole(t *testing.T) {
	for _, size := range []int{256, 300, 65535} {
		inBubble(t, Config{}, func(h *house) {
			c := h.dial()
			c.send(acquire(strings.Repeat("n", size), lease))
			c.wantError("too long", wire.CodeNameTooLong)
		})
	}
}

func TestAnErrorSurvivesUnreadBytes(t *testing.T) {
	inBubble(t, Config{}, func(h *house) {
		c := h.dial()
		c.send(wire.HeartbeatFrame, acquire("x", lease))
		c.sendBytes([]byte(strings.Repeat("garbage", 1000)))
		c.wantError("heartbeat first", wire.CodeNotAcquire)
		h.hold("x", lease)
	})
}

func TestTheDrainIsBounded(t *testing.T) {
	inBubble(t, Config{}, func(h *house) {
		c := h.dial()
		c.send(wire.HeartbeatFrame)
		c.wantError("heartbeat first", wire.CodeNotAcquire)
		time.Sleep(farewell + 1)
		synctest.Wait()
		c.sendBytes([]byte("x"))
		c.wantClosed("the drain is over")
		if n := len(h.server.conns); n != 0 {
			t.Errorf("%d connections left, want none", n)
		}
	})
}

func TestAClientThatNeverReadsEndsAlone(t *testing.T) {
	inBubble(t, Config{IOTimeout: 2 * time.Second}, func(h *house) {
		h.net.SetBuffer(1 << 10)
		deaf := h.dial()
		deaf.send(acquire("x", time.Hour))
		synctest.Wait()
		waiter := h.queue("x", time.Hour)
		go func() {
			for {
				if _, err := deaf.nc.Write([]byte(strings.Repeat("\x02", 100))); err != nil {
					return
				}
			}
		}()
		other := h.hold("y", time.Hour)
		for range 10 {
			other.send(wire.HeartbeatFrame)
			other.want("not disturbed", wire.TypeAcquired)
		}
		waiter.wantIdle("blocked, not yet for the io-timeout")
		time.Sleep(3 * time.Second)
		waiter.want("dropped", wire.TypeAcquired)
	})
}

func TestShutdownTellsEveryone(t *testing.T) {
	inBubble(t, Config{}, func(h *house) {
		owner, waiter, silent := h.hold("x", lease), h.queue("x", lease), h.dial()
		synctest.Wait()
		done := make(chan error, 1)
		go func() { done <- h.server.Shutdown(h.t.Context()) }()
		for _, c := range []*client{owner, waiter, silent} {
			c.wantError("told", wire.CodeShuttingDown)
			c.nc.Close()
		}
		if err := <-done; err != nil {
			t.Errorf("Shutdown: %v", err)
		}
		if _, err := h.net.Dial(h.t.Context(), h.addr); !errors.Is(err, syscall.ECONNREFUSED) {
			t.Errorf("dial after it: %v, want a refusal", err)
		}
	})
}

func TestShutdownGivesUpWithItsContext(t *testing.T) {
	inBubble(t, Config{}, func(h *house) {
		h.hold("x", lease) // never reads, never closes
		ctx, cancel := context.WithTimeout(h.t.Context(), farewell/2)
		defer cancel()
		if err := h.server.Shutdown(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Shutdown: %v, want its context's error", err)
		}
	})
}

func TestCloseResetsAndFreesTheAddress(t *testing.T) {
	inBubble(t, Config{}, func(h *house) {
		owner := h.hold("x", lease)
		h.close()
		if _, err := owner.frames.ReadServer(); !errors.Is(err, syscall.ECONNRESET) {
			t.Errorf("read: %v, want a reset", err)
		}
		h.serve(Config{})
		h.hold("x", lease)
	})
}

func TestServersThatNeverServed(t *testing.T) {
	_ = New(Config{}).Close()
	s := New(Config{})
	_ = s.Shutdown(t.Context())
	_ = s.Close()
	l, err := memnet.New().Listen("")
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Serve(l); !errors.Is(err, ErrServerClosed) {
		t.Errorf("Serve: %v, want ErrServerClosed", err)
	}
}

func TestAcceptErrors(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := memnet.New()
		l, err := n.Listen("")
		if err != nil {
			t.Fatal(err)
		}
		s, served := New(Config{}), make(chan error, 1)
		go func() { served <- s.Serve(l) }()

		l.FailAccept(syscall.EMFILE)
		time.Sleep(3 * time.Second)
		l.FailAccept(nil)
		nc, err := n.Dial(t.Context(), l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		c := newClient(t, nc)
		c.send(acquire("x", time.Hour))
		c.want("serves again", wire.TypeAcquired)

		l.FailAccept(syscall.EINVAL)
		if err := <-served; !errors.Is(err, syscall.EINVAL) {
			t.Errorf("Serve: %v, want the listener's error", err)
		}
		c.send(wire.HeartbeatFrame)
		c.want("sessions go on", wire.TypeAcquired)
		nc.Close()
		_ = s.Close()
	})
}
