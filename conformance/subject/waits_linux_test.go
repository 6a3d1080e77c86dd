package subject

import (
	"os"
	"os/exec"
	"testing"
	"time"
)

// More threads that are busy than there are processors wait for one another, and
// it shows; also for what a process started.
func TestWaitsOfABusyProcess(t *testing.T) {
	if len(waitsOf(os.Getpid())) == 0 {
		t.Skip("this kernel does not tell how long threads wait (no schedstat)")
	}
	const busy = `for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do (while :; do :; done) & done; wait`
	cmd := exec.Command("sh", "-c", busy)
	cmd.SysProcAttr = groupAttributes(true)
	if err := cmd.Start(); err != nil {
		t.Skipf("no shell: %v", err)
	}
	defer func() {
		killGroup(cmd) //nolint:errcheck // it is over
		cmd.Wait()     //nolint:errcheck // it was killed
	}()
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); {
		total := time.Duration(0)
		for _, d := range waitsOf(cmd.Process.Pid) {
			total += d
		}
		if total > 50*time.Millisecond {
			return
		}
	}
	t.Error("sixteen busy children never waited 50 ms for a processor")
}

// A process that is gone is no error: it waits for nothing.
func TestWaitsOfNobody(t *testing.T) {
	cmd := exec.Command("true")
	if err := cmd.Run(); err != nil {
		t.Skipf("no true: %v", err)
	}
	if got := waitsOf(cmd.Process.Pid); len(got) != 0 {
		t.Errorf("a process that has ended has waits %v", got)
	}
}
