package defects

import (
	"time"

	"github.com/monolock-dev/monolock-conform/refserver"
)

// withoutTimer is a server that has no timer: it looks at deadlines only when
// somebody says something.
func withoutTimer(cfg refserver.Config) Server {
	cfg.Clock = timerless{}
	return refserver.New(cfg)
}

// timerless is a clock whose alarms never go off.
type timerless struct{}

func (timerless) Now() time.Time                         { return time.Now() }
func (timerless) NewTimer(time.Duration) refserver.Timer { return silentTimer{} }

// silentTimer never fires.
type silentTimer struct{}

func (silentTimer) C() <-chan time.Time { return nil }
func (silentTimer) Reset(time.Duration) {}
func (silentTimer) Stop()               {}
