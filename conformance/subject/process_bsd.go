//go:build unix && !linux

package subject

import (
	"os"
	"syscall"
)

// groupAttributes gives the process a group of its own. Most of these systems
// have no signal at the death of the parent.
func groupAttributes(bool) *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// groupGone reports whether no process of the group is left. EPERM is what
// macOS says of a group of zombies.
func groupGone(pgid int) bool { return syscall.Kill(-pgid, 0) != nil }

func killedBy(state *os.ProcessState) (syscall.Signal, bool) {
	ws, ok := state.Sys().(syscall.WaitStatus)
	return ws.Signal(), ok && ws.Signaled()
}
