package faultproxy

import (
	"syscall"
	"time"
)

const canSleepExactly = true

// sleepExactly sleeps to within the kernel's timer slack, some 50 microseconds.
func sleepExactly(d time.Duration) {
	t := syscall.NsecToTimespec(int64(d))
	_ = syscall.Nanosleep(&t, nil) // an interrupt makes it short: the caller looks again
}
