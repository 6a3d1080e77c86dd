package faultproxy

import "time"

// The runtime's timers are only as exact as the kernel's poll, to the
// millisecond, when nothing else runs. A lane between kernel sockets
// therefore sets its timer a little early and sleeps the rest in the kernel,
// where the platform can do that. In virtual time its timer is exact.

// longestNap is the longest time that is slept in the kernel. Nothing can
// interrupt that sleep.
const longestNap = 1500 * time.Microsecond

// nap sleeps for d, if that is short enough and the lane does so. It reports
// whether it slept.
func (n *lane) nap(d time.Duration) bool {
	if n.early == 0 || d > longestNap {
		return false
	}
	if d > 0 {
		sleepExactly(d)
	}
	return true
}

// earliness returns how much too early the timer of a lane between these
// sockets is set.
func earliness(src, dst *socket) time.Duration {
	if canSleepExactly && src.isKernel() && dst.isKernel() {
		return time.Millisecond
	}
	return 0
}
