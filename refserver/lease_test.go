package refserver

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

func TestASilentHolderIsDroppedOneTickAfterItsLease(t *testing.T) {
	inBubble(t, Config{}, func(h *house) {
		owner, waiter := h.hold("x", lease), h.queue("x", 4*lease)
		time.Sleep(lease)
		waiter.wantIdle("the lease still runs")
		time.Sleep(time.Nanosecond)
		synctest.Wait()
		waiter.want("pushed", wire.TypeAcquired)
		owner.wantFIN("closed without a word")
		if got := time.Since(time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)); got != lease+1 {
			t.Errorf("promoted after %v, want %v", got, lease+1)
		}
	})
}

func TestHeartbeatsKeepHolderAndWaiter(t *testing.T) {
	inBubble(t, Config{}, func(h *house) {
		owner, waiter := h.hold("x", lease), h.queue("x", lease)
		for range 40 {
			time.Sleep(lease / 4)
			owner.send(wire.HeartbeatFrame)
			waiter.send(wire.HeartbeatFrame)
			owner.want("kept", wire.TypeAcquired)
			waiter.want("kept", wire.TypeWaiting)
		}
	})
}

func TestAHeartbeatJustBeforeAndJustAfterTheDeadline(t *testing.T) {
	inBubble(t, Config{}, func(h *house) {
		early, late := h.hold("x", lease), h.hold("y", lease)
		time.Sleep(lease - 1)
		early.send(wire.HeartbeatFrame)
		early.want("in time", wire.TypeAcquired)
		time.Sleep(2 * time.Nanosecond)
		_, _ = late.nc.Write(wire.Bytes(wire.HeartbeatFrame))
		late.wantClosed("never answered")
	})
}

func TestASilentWaiterLosesItsPlace(t *testing.T) {
	inBubble(t, Config{}, func(h *house) {
		owner := h.hold("x", 10*lease)
		first, silent, last := h.queue("x", 10*lease), h.queue("x", lease), h.queue("x", 10*lease)
		time.Sleep(lease + 1)
		silent.wantFIN("dropped")
		owner.nc.Close()
		first.want("in order", wire.TypeAcquired)
		last.wantIdle("in order")
		first.nc.Close()
		last.want("in order", wire.TypeAcquired)
	})
}

func TestAShortLeaseAmongLongOnes(t *testing.T) {
	inBubble(t, Config{}, func(h *house) {
		h.hold("x", time.Hour)
		short := h.hold("y", time.Millisecond)
		time.Sleep(time.Millisecond + 1)
		short.wantFIN("on its own time")
	})
}

func TestTheLongestLease(t *testing.T) {
	inBubble(t, Config{}, func(h *house) {
		c := h.dial()
		c.send(wire.AcquireFrame("x", 1<<32-1))
		c.want("accepted", wire.TypeAcquired)
		time.Sleep((1<<32 - 1) * time.Millisecond)
		c.send(wire.HeartbeatFrame)
		c.want("49 days later", wire.TypeAcquired)
	})
}

func TestUnfinishedConnectionsEndAtTheIOTimeout(t *testing.T) {
	inBubble(t, Config{IOTimeout: 2 * time.Second}, func(h *house) {
		silent, partial := h.dial(), h.dial()
		synctest.Wait()
		time.Sleep(time.Second)
		partial.sendBytes(bytesOf(acquire("x", lease))[:8])
		time.Sleep(time.Second)
		silent.wantIdle("its time still runs")
		time.Sleep(time.Nanosecond)
		silent.wantFIN("dropped")
		partial.wantFIN("dropped, a part of a message is none")
	})
}
