package refclient

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

func TestDoHoldsALock(t *testing.T) {
	inHouse(t, func(h *house) {
		defer h.serve()()
		first := h.do()
		<-first.granted
		second := h.do()
		time.Sleep(10 * lease)
		second.wantIdle("the first one holds it for many leases")
		first.finish <- nil
		first.wantResult(nil)
		<-second.granted
		second.wantAt("promoted at once", 10*lease)
		second.finish <- nil
		second.wantResult(nil)
	})
}

func TestTheFirstBytesAreOneAcquire(t *testing.T) {
	for _, name := range []string{"x", " x\n", "KÄSE", "ka\u0308se", strings.Repeat("n", 255), "\x00"} {
		inHouse(t, func(h *house) {
			c := h.call(New(h.cfg).Do, name, 1234*ms+999*time.Microsecond)
			p := h.open()
			f := p.want("first of all", wire.TypeAcquire)
			if want := (wire.Acquire{Version: 1, LeaseMS: 1234, Name: name}); f.Acquire != want {
				t.Errorf("asked %v, want %v", f.Acquire, want)
			}
			c.cancel()
			p.wantFIN("and nothing behind it")
			c.wantResult(context.Canceled)
		})
	}
}

func TestTheTokenReachesTheWork(t *testing.T) {
	for _, token := range []uint64{1, 1<<53 + 1, 1 << 63, 1<<64 - 1} {
		inHouse(t, func(h *house) {
			c := h.do()
			p := h.accept()
			for _, b := range wire.Bytes(wire.AcquiredFrame(token)) {
				c.wantIdle("a part of a frame")
				time.Sleep(ms)
				p.sendBytes(b)
			}
			if got := <-c.granted; got != token {
				t.Errorf("token %d, want %d", got, token)
			}
			c.finish <- nil
			p.wantFIN("the release")
			c.wantResult(nil)
		})
	}
}

func TestRefusedBeforeAsking(t *testing.T) {
	for _, row := range []struct {
		name  string
		lease time.Duration
		want  error
	}{
		{"", lease, ErrEmptyName},
		{strings.Repeat("n", 256), lease, ErrNameTooLong},
		{"\xff", lease, ErrNameNotUTF8},
		{"x", 0, ErrLeaseNotPositive},
		{"x", ms - 1, ErrLeaseNotPositive},
		{"x", 1 << 32 * ms, ErrLeaseNotPositive},
	} {
		client := New(Config{Dial: nil, Addr: "127.0.0.1:1"})
		for _, do := range []func(context.Context, string, time.Duration, Work) error{client.Do, client.DoRetry} {
			err := do(t.Context(), row.name, row.lease, nil)
			if e, ok := errors.AsType[*Error](err); !ok || !errors.Is(err, row.want) || e.Temporary() || !e.Local {
				t.Errorf("%q for %v: %v, want %v of the client's own, for good", row.name, row.lease, err, row.want)
			}
		}
	}
}

func TestWorkErrorReleasesAndIsReturned(t *testing.T) {
	inHouse(t, func(h *house) {
		boom := errors.New("boom")
		c := h.do()
		p := h.accept()
		p.send(wire.AcquiredFrame(1))
		<-c.granted
		c.finish <- boom
		p.wantFIN("released all the same")
		if err := c.wantResult(boom); err != boom {
			t.Errorf("got %v, want the very error", err)
		}
	})
}

func TestPanicOfTheWorkReleasesAndGoesOn(t *testing.T) {
	inHouse(t, func(h *house) {
		caught := make(chan any, 1)
		go func() {
			defer func() { caught <- recover() }()
			_ = New(h.cfg).Do(h.t.Context(), "x", lease, func(context.Context, uint64) error { panic("boom") })
		}()
		p := h.accept()
		p.send(wire.AcquiredFrame(1))
		p.wantFIN("released")
		if v := <-caught; v != "boom" {
			t.Errorf("recovered %v, want boom", v)
		}
	})
}

func TestALossStopsTheWorkAndWaitsForIt(t *testing.T) {
	for name, row := range map[string]struct {
		lose func(p *peer)
		want error
	}{
		"ERROR":       {func(p *peer) { p.send(wire.ErrorFrame(0x19, "")) }, ErrLost},
		"FIN":         {func(p *peer) { _ = p.nc.CloseWrite() }, ErrLost},
		"cut frame":   {func(p *peer) { p.sendBytes(0x12, 0); _ = p.nc.CloseWrite() }, ErrLost},
		"reset":       {func(p *peer) { _ = p.nc.SetLinger(0); _ = p.nc.Close() }, ErrLost},
		"step back":   {func(p *peer) { p.send(wire.WaitingFrame) }, ErrDoubt},
		"other token": {func(p *peer) { p.send(wire.AcquiredFrame(2)) }, ErrDoubt},
		"other type":  {func(p *peer) { p.sendBytes(0x7f) }, ErrDoubt},
	} {
		t.Run(name, func(t *testing.T) {
			inHouse(t, func(h *house) {
				c := h.doRetry()
				p := h.accept()
				p.send(wire.AcquiredFrame(1))
				<-c.granted
				time.Sleep(base / 2)
				row.lose(p)
				if why := <-c.stopped; !errors.Is(why, ErrLost) {
					t.Errorf("the work's context ended because of %v, want a lost lock", why)
				}
				c.wantAt("at once", base/2)
				if name != "reset" {
					p.wantFIN("closed")
				}
				c.wantIdle("the work goes on")
				late := errors.New("late")
				c.finish <- late
				err := c.wantResult(row.want)
				if !errors.Is(err, ErrLost) || !errors.Is(err, late) {
					t.Errorf("got %v, want a lost lock and the work's own error", err)
				}
			})
		})
	}
}

func TestALossInTheSegmentOfTheGrant(t *testing.T) {
	inHouse(t, func(h *house) {
		c := h.do()
		p := h.accept()
		p.send(wire.WaitingFrame, wire.AcquiredFrame(1), wire.ErrorFrame(wire.CodeClosedByAdmin, "x"))
		<-c.granted
		<-c.stopped
		p.wantFIN("closed")
		c.finish <- nil
		c.wantResult(ErrClosedByAdmin)
	})
}

func TestSilenceEndsTheClaim(t *testing.T) {
	inHouse(t, func(h *house) {
		c := h.do()
		p := h.accept()
		p.send(wire.AcquiredFrame(1))
		<-c.granted
		p.want("the heartbeat", wire.TypeHeartbeat)
		p.sendBytes(0x12, 0, 0) // a part of an answer
		<-c.stopped
		c.wantAt("0.8 lease after the ACQUIRE", limit)
		p.wantFIN("closed")
		c.finish <- nil
		c.wantResult(ErrTimeout)
	})
}

func TestABlockedWriteStopsNothing(t *testing.T) {
	inHouse(t, func(h *house) {
		h.net.SetBuffer(1)
		c := h.do()
		p := h.accept()
		go p.send(wire.AcquiredFrame(1)) // one byte at a time
		<-c.granted
		p.want("read", wire.TypeHeartbeat)
		go p.send(wire.AcquiredFrame(1))
		time.Sleep(2 * base) // one heartbeat lies in the buffer
		go p.send(wire.AcquiredFrame(1))
		<-c.stopped // the next one blocks
		c.wantAt("0.8 lease after the last answered send", 2*base+limit)
		c.finish <- nil
		c.wantResult(ErrTimeout)
		_ = p.nc.Close()
	})
}

func TestCancelInTheQueue(t *testing.T) {
	inHouse(t, func(h *house) {
		c := h.doRetry()
		p := h.accept()
		p.send(wire.WaitingFrame)
		c.wantIdle("queued")
		c.cancel()
		p.wantFIN("left the queue")
		c.wantAt("at once", 0)
		c.wantResult(context.Canceled)
	})
}

func TestCancelWhileHolding(t *testing.T) {
	inHouse(t, func(h *house) {
		defer h.serve()()
		c := h.do()
		<-c.granted
		other := h.do()
		c.cancel()
		if why := <-c.stopped; !errors.Is(why, context.Canceled) || errors.Is(why, ErrLost) {
			t.Errorf("the work's context ended because of %v, want the caller's cancellation", why)
		}
		time.Sleep(3 * lease)
		other.wantIdle("the lock is kept until the work returns")
		c.finish <- nil
		c.wantResult(nil)
		<-other.granted
		other.finish <- nil
		other.wantResult(nil)
	})
}

func TestLostTellsALossFromACancellation(t *testing.T) {
	inHouse(t, func(h *house) {
		ctx, cancel := context.WithCancel(h.t.Context())
		lost := make(chan struct{})
		result := make(chan error)
		go func() {
			result <- New(h.cfg).Do(ctx, "x", lease, func(ctx context.Context, _ uint64) error {
				<-Lost(ctx)
				close(lost)
				return nil
			})
		}()
		p := h.accept()
		p.send(wire.AcquiredFrame(1))
		synctest.Wait()
		cancel()
		synctest.Wait()
		select {
		case <-lost:
			t.Error("a cancellation is no loss")
		default:
		}
		_ = p.nc.Close()
		<-lost
		if err := <-result; !errors.Is(err, ErrLost) {
			t.Errorf("result %v, want a lost lock", err)
		}
		if Lost(h.t.Context()) != nil {
			t.Error("a context of no work has a channel")
		}
	})
}
