package memnet

import (
	"sync"
	"time"
)

// deadline is the read or the write deadline of a connection. The mutex of
// wakes guards it. One timer serves all the deadlines that are set one after
// the other, so that moving it for each frame allocates nothing.
type deadline struct {
	wakes *sync.Cond // whom the end of the deadline wakes

	at      time.Time
	timer   *time.Timer
	expired bool
}

// set moves the deadline; the zero time takes it away. One that is not in the
// future expires at once. The mutex is held.
func (d *deadline) set(at time.Time) {
	d.at, d.expired = at, false
	switch left := time.Until(at); {
	case at.IsZero():
		d.stop()
	case left <= 0:
		d.stop()
		d.expire()
	case d.timer == nil:
		d.timer = time.AfterFunc(left, d.fire)
	default:
		d.timer.Reset(left)
	}
}

// stop keeps the timer from running to no purpose. The mutex is held.
func (d *deadline) stop() {
	d.at = time.Time{}
	if d.timer != nil {
		d.timer.Stop()
	}
}

// fire runs on the timer. The deadline may have been moved or taken away
// while it waited for the mutex, so the time decides and not the call.
func (d *deadline) fire() {
	d.wakes.L.Lock()
	defer d.wakes.L.Unlock()
	if d.at.IsZero() {
		return
	}
	if left := time.Until(d.at); left > 0 {
		d.timer.Reset(left)
		return
	}
	d.expire()
}

func (d *deadline) expire() {
	d.expired = true
	d.wakes.Broadcast()
}
