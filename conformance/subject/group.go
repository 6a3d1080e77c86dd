package subject

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Bounds of ending a process group. A killed process ends in milliseconds
// unless the kernel itself is stuck; they keep that from hanging a run.
const (
	killLimit = 5 * time.Second      // from SIGKILL to the exit
	goneLimit = 2 * time.Second      // until the descendants are gone as well
	gonePause = 5 * time.Millisecond // between two looks
)

// group is a process that leads a process group of its own, from its start to
// the end of the group.
//
// A group's number can be given to strangers once its last member is gone, and
// SIGKILL must never reach them. So, on Linux, a leader that has exited is not
// collected: as a zombie it holds the number until end or release. Elsewhere
// it is collected at once, and the number is safe as long as a member lives.
//
// On Linux the leader is killed when this program dies without a word.
// That signal (Pdeathsig) is tied to the thread that started the process, so
// the goroutine that waits for the process, and would block a thread anyway,
// starts it and keeps the thread until it has exited.
type group struct {
	cmd    *exec.Cmd
	exited chan struct{} // closed when the leader has ended
	status exitStatus    // valid once exited is closed
	let    chan struct{} // closed by release: the leader may be collected
	gone   chan struct{} // closed when the owning goroutine has ended
}

// command is what a group runs.
type command struct {
	args   []string // the program first
	env    []string // added to this program's environment
	unset  []string // variables that it does not inherit
	input  *os.File // standard input; nil: empty
	output *os.File // standard output
	errors *os.File // standard error; nil: as output
	orphan bool     // true: it may outlive this program
}

// environment is this program's, without what is unset and with what is added.
func (c command) environment() []string {
	inherited := slices.DeleteFunc(os.Environ(), func(variable string) bool {
		name, _, _ := strings.Cut(variable, "=")
		return slices.Contains(c.unset, name)
	})
	return append(inherited, c.env...)
}

// startGroup starts the process. The caller owns the result and ends it with
// end, or with release where the group may live on.
func startGroup(c command) (*group, error) {
	cmd := exec.Command(c.args[0], c.args[1:]...)
	cmd.Env = c.environment()
	cmd.Stdout, cmd.Stderr = c.output, c.output
	if c.input != nil { // a nil *os.File in the interface would not be nil
		cmd.Stdin = c.input
	}
	if c.errors != nil {
		cmd.Stderr = c.errors
	}
	cmd.SysProcAttr = groupAttributes(!c.orphan)
	g := &group{cmd: cmd, exited: make(chan struct{}), let: make(chan struct{}), gone: make(chan struct{})}
	started := make(chan error)
	go g.own(started)
	if err := <-started; err != nil {
		<-g.gone
		return nil, err
	}
	return g, nil
}

// own starts the process, waits for its exit and collects it.
func (g *group) own(started chan<- error) {
	defer close(g.gone)
	if !g.runLocked(started) {
		return
	}
	close(g.exited)
	<-g.let
	collect(g.cmd)
}

// runLocked is the part of own that keeps its thread.
func (g *group) runLocked(started chan<- error) bool {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	err := g.cmd.Start()
	started <- err
	if err == nil {
		g.status = awaitExit(g.cmd)
	}
	return err == nil
}

// hasExited reports whether the leader has ended.
func (g *group) hasExited() bool {
	select {
	case <-g.exited:
		return true
	default:
		return false
	}
}

func (g *group) pid() int { return g.cmd.Process.Pid }

// release lets the leader, which has exited, be collected and waits for that.
// Its descendants live on.
func (g *group) release() {
	close(g.let)
	<-g.gone
}

// end kills whatever lives in the group and waits until nothing does, at most
// killLimit and goneLimit. It is called once.
func (g *group) end() error {
	killErr := killGroup(g.cmd)
	if !within(g.exited, killLimit) {
		close(g.let)
		return fmt.Errorf("process %d did not end within %v of SIGKILL (%v): look for it with ps and end it by hand",
			g.pid(), killLimit, killErr)
	}
	g.release()
	for deadline := time.Now().Add(goneLimit); !groupGone(g.pid()); time.Sleep(gonePause) {
		if time.Now().After(deadline) {
			return fmt.Errorf("processes that it started (group %d) still live %v after SIGKILL (%v): "+
				"look for them with ps and end them by hand", g.pid(), goneLimit, killErr)
		}
	}
	return nil
}

// exitStatus is how a process ended.
type exitStatus struct {
	code   int
	signal syscall.Signal // not 0: killed by it
	err    error          // not nil: the end could not be read
}

// String returns "exit code 1" or "killed by SIGKILL".
func (s exitStatus) String() string {
	switch {
	case s.err != nil:
		return "ended: " + s.err.Error()
	case s.signal != 0:
		return "killed by " + signalName(s.signal)
	}
	return "exit code " + strconv.Itoa(s.code)
}

// past returns "exited with code 1" or "was killed by SIGKILL".
func (s exitStatus) past() string {
	switch {
	case s.err != nil:
		return s.String()
	case s.signal != 0:
		return "was " + s.String()
	}
	return "exited with code " + strconv.Itoa(s.code)
}
