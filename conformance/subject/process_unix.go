//go:build unix

package subject

import (
	"errors"
	"fmt"
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"
)

// killGroup sends SIGKILL to the group that cmd leads. A group that is gone is
// no error.
func killGroup(cmd *exec.Cmd) error { return signalGroup(cmd, syscall.SIGKILL) }

func signalGroup(cmd *exec.Cmd, sig syscall.Signal) error {
	err := syscall.Kill(-cmd.Process.Pid, sig)
	if errors.Is(err, syscall.ESRCH) {
		return nil
	}
	return err
}

// pauseGroup stops all processes of the group and waits until the threads of
// its leader stand, where the system tells.
func pauseGroup(cmd *exec.Cmd) error {
	if err := signalGroup(cmd, syscall.SIGSTOP); err != nil {
		return err
	}
	return awaitStopped(cmd.Process.Pid)
}

func continueGroup(cmd *exec.Cmd) error { return signalGroup(cmd, syscall.SIGCONT) }

func signalName(sig syscall.Signal) string {
	if name := unix.SignalName(sig); name != "" {
		return name
	}
	return fmt.Sprintf("signal %d", int(sig))
}
