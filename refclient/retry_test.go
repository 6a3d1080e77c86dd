package refclient

import (
	"context"
	"errors"
	"io"
	"net"
	"syscall"
	"testing"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

// refuse answers the next ACQUIRE and returns when it came, since the start.
func (h *house) refuse(begun time.Time, frames ...wire.Frame) time.Duration {
	p := h.accept()
	at := time.Since(begun)
	p.send(frames...)
	_ = p.nc.CloseWrite()
	_, _ = io.Copy(io.Discard, p.nc)
	_ = p.nc.Close()
	return at
}

func TestAtOnceAfterAShutdown(t *testing.T) {
	inHouse(t, func(h *house) {
		c := h.doRetry()
		for i := range 3 {
			if at := h.refuse(c.begun, wire.ErrorFrame(wire.CodeShuttingDown, "x")); at != 0 {
				t.Errorf("attempt %d after %v, want at once", i+1, at)
			}
		}
		if at := h.refuse(c.begun, wire.ErrorFrame(wire.CodeShuttingDown, "x")); at != 0 {
			t.Errorf("attempt 4 after %v, want at once", at)
		}
		p := h.accept()
		if at := time.Since(c.begun); at < shortest || at > 2*shortest {
			t.Errorf("attempt 5 after %v, want a pause: four in a row are a loop", at)
		}
		p.send(wire.AcquiredFrame(3))
		<-c.granted
		c.finish <- nil
		c.wantResult(nil)
	})
}

const (
	shortest = 100 * time.Millisecond
	longest  = 5 * time.Second
)

func TestPausesGrowToALimit(t *testing.T) {
	for name, frames := range map[string][]wire.Frame{
		"a close":    nil,
		"ERROR 0x02": {wire.ErrorFrame(wire.CodeClosedByAdmin, "")},
		"ERROR 0x0f": {wire.ErrorFrame(0x0f, "")},
		"ERROR 0x00": {wire.ErrorFrame(0, "")},
	} {
		t.Run(name, func(t *testing.T) {
			inHouse(t, func(h *house) {
				c := h.doRetry()
				var pauses []time.Duration
				last := h.refuse(c.begun, frames...)
				for range 12 {
					at := h.refuse(c.begun, frames...)
					pauses = append(pauses, at-last)
					last = at
				}
				c.cancel()
				c.wantResult(context.Canceled)
				for i, p := range pauses {
					if p < shortest || p > longest {
						t.Errorf("pause %d is %v, want 100ms to 5s", i+1, p)
					}
				}
				if a, b := pauses[0]+pauses[1]+pauses[2], pauses[3]+pauses[4]+pauses[5]; b <= a {
					t.Errorf("pauses %v do not grow", pauses)
				}
			})
		})
	}
}

func TestAPlaceInTheQueueResetsThePauses(t *testing.T) {
	inHouse(t, func(h *house) {
		c := h.doRetry()
		for range 8 {
			h.refuse(c.begun)
		}
		before := h.refuse(c.begun, wire.WaitingFrame)
		if p := h.refuse(c.begun) - before; p > 2*shortest {
			t.Errorf("a pause of %v after WAITING, want the shortest again", p)
		}
		c.cancel()
		c.wantResult(context.Canceled)
	})
}

func TestAnUnreachableServerIsAskedWithPauses(t *testing.T) {
	inHouse(t, func(h *house) {
		dials := 0
		h.cfg.Dial = func(context.Context) (net.Conn, error) {
			dials++
			return nil, syscall.ECONNREFUSED
		}
		c := h.doRetry()
		time.Sleep(time.Minute)
		c.cancel()
		c.wantResult(context.Canceled)
		if dials < 12 || dials > 25 {
			t.Errorf("%d attempts in a minute, want a pause between them that grows to 5s", dials)
		}
		once := h.do()
		err := once.wantResult(syscall.ECONNREFUSED)
		if e, ok := errors.AsType[*Error](err); !ok || !e.Temporary() {
			t.Errorf("%v: want a passing error", err)
		}
	})
}

func TestClientErrorsStop(t *testing.T) {
	for _, code := range []wire.Code{0x10, 0x15, 0x18, 0x19, 0x7f, 0x80, 0xff} {
		inHouse(t, func(h *house) {
			c := h.doRetry()
			h.refuse(c.begun, wire.ErrorFrame(code, "server shutting down"))
			err := <-c.result
			e, ok := errors.AsType[*Error](err)
			if !ok || e.Temporary() || !e.Refused || e.Code != code {
				t.Errorf("%v: want the code %v, for good", err, code)
			}
		})
	}
}

// The schedule of a new connection owes nothing to the old one's.
func TestAReconnectStartsTheScheduleAfresh(t *testing.T) {
	inHouse(t, func(h *house) {
		c := h.doRetry()
		p := h.accept()
		time.Sleep(base / 2) // a round trip of half the base
		p.send(wire.WaitingFrame)
		p.want("at once", wire.TypeHeartbeat)
		_ = p.nc.Close() // unanswered
		p = h.accept()
		begun := time.Now()
		p.send(wire.AcquiredFrame(1))
		<-c.granted
		p.want("a base later", wire.TypeHeartbeat)
		if at := time.Since(begun); at != base {
			t.Errorf("the first heartbeat after %v, want %v", at, base)
		}
		c.finish <- nil
		c.wantResult(nil)
	})
}

func TestALostLockIsNotAskedForAgain(t *testing.T) {
	inHouse(t, func(h *house) {
		c := h.doRetry()
		h.refuse(c.begun, wire.AcquiredFrame(1), wire.ErrorFrame(wire.CodeShuttingDown, ""))
		<-c.granted
		c.finish <- nil
		c.wantResult(ErrShuttingDown)
	})
}
