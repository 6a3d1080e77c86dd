package refclient

import (
	"time"

	"github.com/cenkalti/backoff/v5"
)

// Pauses between attempts lie between 100 ms and 5 s: each is drawn from the
// third above and below a middle, and the middle doubles from 150 ms to 3.75 s.
const (
	firstMiddle = 150 * time.Millisecond
	lastMiddle  = 3750 * time.Millisecond
	spread      = 1. / 3
)

// Attempts is the history of one DoRetry that pauses depend on.
type Attempts struct {
	backoff  backoff.ExponentialBackOff
	shutdown int
}

func newAttempts() *Attempts {
	return &Attempts{backoff: backoff.ExponentialBackOff{
		InitialInterval: firstMiddle, MaxInterval: lastMiddle, Multiplier: 2, RandomizationFactor: spread,
	}}
}

// NextBackOff returns the next pause and counts it.
func (a *Attempts) NextBackOff() time.Duration { return a.backoff.NextBackOff() }

// Shutdowns returns how many attempts in a row, the last one included, the
// server has refused with 0x01 without taking up a claim.
func (a *Attempts) Shutdowns() int { return a.shutdown }

// note counts an attempt that came as far as reached and failed with e.
func (a *Attempts) note(e *Error, reached []Occasion, rules Rules) {
	for _, why := range reached {
		if rules.Resets(why) {
			a.backoff.Reset()
			a.shutdown = 0
		}
	}
	if e.Is(ErrShuttingDown) {
		a.shutdown++
	} else {
		a.shutdown = 0
	}
}
