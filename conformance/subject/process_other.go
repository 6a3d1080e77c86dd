//go:build !unix

package subject

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"syscall"
)

// This system has no process groups: only the server itself is ended.

func groupAttributes(bool) *syscall.SysProcAttr { return nil }

func killGroup(cmd *exec.Cmd) error {
	if err := cmd.Process.Kill(); !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	return nil
}

func groupGone(int) bool { return true }

func pauseGroup(*exec.Cmd) error { return errors.ErrUnsupported }

func continueGroup(*exec.Cmd) error { return errors.ErrUnsupported }

func killedBy(*os.ProcessState) (syscall.Signal, bool) { return 0, false }

func signalName(sig syscall.Signal) string { return fmt.Sprintf("signal %d", int(sig)) }
