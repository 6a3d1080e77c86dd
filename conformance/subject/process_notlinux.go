//go:build !linux

package subject

import (
	"errors"
	"os/exec"
)

// awaitExit blocks until the process has ended and collects it.
func awaitExit(cmd *exec.Cmd) exitStatus { return statusOf(cmd, cmd.Wait()) }

// collect has nothing left to do: awaitExit collected the process.
func collect(*exec.Cmd) {}

// awaitStopped cannot tell on this system whether the threads stand.
func awaitStopped(int) error { return nil }

func openFiles(int) (int, error) { return 0, errors.ErrUnsupported }

func limitFiles(int, int) error { return errors.ErrUnsupported }

// statusOf reads the status of a collected process.
func statusOf(cmd *exec.Cmd, err error) exitStatus {
	state := cmd.ProcessState
	if state == nil {
		return exitStatus{err: err}
	}
	if sig, killed := killedBy(state); killed {
		return exitStatus{signal: sig}
	}
	return exitStatus{code: state.ExitCode()}
}
