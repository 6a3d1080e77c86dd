package bench

import (
	"fmt"
	"os"
	"testing"
	"time"
)

// enoughIdle is the share of the processors that has to be free for the goals
// to be judged. On a busy machine nothing ever sleeps, waking costs little, and
// what a proxy saves on it does not show.
const enoughIdle = 0.8

// judge returns t.Errorf on an idle machine and t.Logf on a busy one.
func judge(t *testing.T) func(format string, args ...any) {
	share, known := idleShare(300 * time.Millisecond)
	if known && share < enoughIdle {
		t.Logf("only %.0f %% of the processors are idle: the goals are not judged", 100*share)
		return t.Logf
	}
	return t.Errorf
}

// idleShare measures how much of the processors is idle, where the system says.
func idleShare(span time.Duration) (share float64, known bool) {
	idle1, all1, ok1 := processorTime()
	time.Sleep(span)
	idle2, all2, ok2 := processorTime()
	if !ok1 || !ok2 || all2 == all1 {
		return 0, false
	}
	return float64(idle2-idle1) / float64(all2-all1), true
}

// processorTime reads how long the processors were idle, and in all.
func processorTime() (idle, all uint64, ok bool) {
	stat, err := os.ReadFile("/proc/stat")
	if err != nil {
		return 0, 0, false
	}
	var t [8]uint64 // user, nice, system, idle, iowait, irq, softirq, steal
	_, err = fmt.Sscanf(string(stat), "cpu %d %d %d %d %d %d %d %d", &t[0], &t[1], &t[2], &t[3], &t[4], &t[5], &t[6], &t[7])
	for _, part := range t {
		all += part
	}
	return t[3] + t[4], all, err == nil
}
