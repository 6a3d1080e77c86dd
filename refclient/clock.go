package refclient

import "time"

// Clock tells a client the time and wakes it. Its methods may be called by
// several goroutines at once.
type Clock interface {
	// Now returns the time, with a monotonic reading if there is one.
	Now() time.Time
	// NewTimer returns a timer that fires once after d, and at once for d <= 0.
	NewTimer(d time.Duration) Timer
}

// Timer is one alarm. One goroutine at a time may use it.
type Timer interface {
	// C returns the channel that a value arrives on when it fires.
	C() <-chan time.Time
	// Reset sets it to fire after d, whether it has fired or not; after
	// Reset no value of an earlier setting arrives.
	Reset(d time.Duration)
	// Stop ends it.
	Stop()
}

// systemClock is time as the runtime knows it.
type systemClock struct{}

func (systemClock) Now() time.Time                 { return time.Now() }
func (systemClock) NewTimer(d time.Duration) Timer { return systemTimer{time.NewTimer(d)} }

type systemTimer struct{ t *time.Timer }

func (s systemTimer) C() <-chan time.Time   { return s.t.C }
func (s systemTimer) Reset(d time.Duration) { s.t.Reset(d) }
func (s systemTimer) Stop()                 { s.t.Stop() }
