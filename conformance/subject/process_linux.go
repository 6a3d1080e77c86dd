package subject

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

func groupAttributes(dieWithUs bool) *syscall.SysProcAttr {
	attr := &syscall.SysProcAttr{Setpgid: true}
	if dieWithUs {
		attr.Pdeathsig = syscall.SIGKILL
	}
	return attr
}

// childInfo is the kernel's siginfo of a child that ended: the pointer-sized
// alignment is that of the union which begins with the process ID.
type childInfo struct {
	_, _, _ int32
	_       [0]uintptr
	_       int32  // pid
	_       uint32 // uid
	status  int32
}

// cldExited is the siginfo code of an exit; the others are deaths by a signal.
const cldExited = 1

// awaitExit blocks until the process has ended, and leaves it a zombie.
func awaitExit(cmd *exec.Cmd) exitStatus {
	var info unix.Siginfo
	for {
		err := unix.Waitid(unix.P_PID, cmd.Process.Pid, &info, unix.WEXITED|unix.WNOWAIT, nil)
		if errors.Is(err, unix.EINTR) {
			continue
		}
		if err != nil {
			return exitStatus{err: err}
		}
		status := (*childInfo)(unsafe.Pointer(&info)).status
		if info.Code == cldExited {
			return exitStatus{code: int(status)}
		}
		return exitStatus{signal: syscall.Signal(status)}
	}
}

// collect takes a process that awaitExit saw end out of the process table.
func collect(cmd *exec.Cmd) { cmd.Wait() } //nolint:errcheck // the status is known

// groupGone reports whether no process of the group lives. Zombies do not:
// where the first process of a container collects none, they stay for good.
func groupGone(pgid int) bool {
	for { // descendants are ours where we are that first process
		if pid, err := unix.Wait4(-pgid, nil, unix.WNOHANG, nil); err != nil || pid == 0 {
			break
		}
	}
	if errors.Is(syscall.Kill(-pgid, 0), syscall.ESRCH) {
		return true
	}
	stats, _ := filepath.Glob("/proc/[0-9]*/stat") // the pattern is well-formed
	for _, path := range stats {
		s, err := readStat(path)
		if err == nil && s.pgid == pgid && s.state != 'Z' && s.state != 'X' {
			return false
		}
	}
	return true
}

// stat is what is needed of a /proc/PID/stat.
type stat struct {
	state byte
	pgid  int
}

// readStat reads "pid (name) state ppid pgrp …"; the name may hold anything.
func readStat(path string) (stat, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return stat{}, err
	}
	fields := bytes.Fields(data[bytes.LastIndexByte(data, ')')+1:])
	if len(fields) < 3 {
		return stat{}, fmt.Errorf("%s has the unknown form %q", path, data)
	}
	pgid, err := strconv.Atoi(string(fields[2]))
	return stat{state: fields[0][0], pgid: pgid}, err
}

// stopLimit bounds the wait for SIGSTOP to act: a thread stops at its next
// return from the kernel, within microseconds unless a disk is stuck.
const stopLimit = 2 * time.Second

// awaitStopped waits until every thread of the process stands.
func awaitStopped(pid int) error {
	for deadline := time.Now().Add(stopLimit); ; time.Sleep(time.Millisecond) {
		running, err := runningThread(pid)
		if err != nil || running == "" {
			return err
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("process %d still runs %v after SIGSTOP (thread %s)", pid, stopLimit, running)
		}
	}
}

// runningThread names a thread of the process that does not stand, or "".
func runningThread(pid int) (string, error) {
	dir := fmt.Sprintf("/proc/%d/task", pid)
	threads, err := os.ReadDir(dir)
	if err != nil {
		return "", err
	}
	for _, thread := range threads {
		s, err := readStat(filepath.Join(dir, thread.Name(), "stat"))
		if errors.Is(err, os.ErrNotExist) || errors.Is(err, syscall.ESRCH) {
			continue // it ended in between
		}
		if err != nil {
			return "", err
		}
		if !bytes.ContainsRune([]byte("TtZX"), rune(s.state)) {
			return thread.Name(), nil
		}
	}
	return "", nil
}

func openFiles(pid int) (int, error) {
	entries, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", pid))
	return len(entries), err
}

func limitFiles(pid, limit int) error {
	var old unix.Rlimit
	if err := unix.Prlimit(pid, unix.RLIMIT_NOFILE, nil, &old); err != nil {
		return err
	}
	if limit < 0 || uint64(limit) > old.Max {
		return fmt.Errorf("a limit of %d open files is outside 0..%d, the process's hard limit", limit, old.Max)
	}
	return unix.Prlimit(pid, unix.RLIMIT_NOFILE, &unix.Rlimit{Cur: uint64(limit), Max: old.Max}, nil)
}
