package subject

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

// waitsOf reads how long each thread of a process, and of what it started, has
// waited for a processor so far: the second number of the kernel's schedstat, in
// nanoseconds. A kernel that keeps none leaves the map empty.
func waitsOf(pid int) map[int]time.Duration {
	waits := map[int]time.Duration{}
	addWaits(waits, pid)
	return waits
}

func addWaits(waits map[int]time.Duration, pid int) {
	threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/[0-9]*", pid))
	for _, dir := range threads {
		thread, err := strconv.Atoi(filepath.Base(dir))
		if err != nil {
			continue
		}
		stat, _ := os.ReadFile(filepath.Join(dir, "schedstat")) // the thread may be gone
		if fields := bytes.Fields(stat); len(fields) > 1 {
			ns, _ := strconv.ParseInt(string(fields[1]), 10, 64)
			waits[thread] = time.Duration(ns)
		}
		children, _ := os.ReadFile(filepath.Join(dir, "children"))
		for _, child := range bytes.Fields(children) {
			if id, err := strconv.Atoi(string(child)); err == nil {
				addWaits(waits, id)
			}
		}
	}
}
