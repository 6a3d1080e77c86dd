//go:build !linux

package faultproxy

import "time"

const canSleepExactly = false

func sleepExactly(time.Duration) {}
