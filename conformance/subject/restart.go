package subject

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"
)

// DefaultRestartTimeout is how long a restart command may run: stopping a
// container waits 10 s for the server before it kills it.
const DefaultRestartTimeout = 30 * time.Second

// RestartCommand restarts a server that somebody else runs, from --restart-cmd.
// The zero value is no command; [ParseRestart] makes one.
type RestartCommand struct {
	Words        []string      // the program and its arguments
	Timeout      time.Duration // for the command; 0: DefaultRestartTimeout
	StartTimeout time.Duration // from its end to the server's first answer; 0: DefaultStartTimeout
	Env          []string      // "KEY=value", added to this program's environment
	LockPrefix   string        // of the names that readiness asks for; "": DefaultLockPrefix
}

// ParseRestart reads the text of --restart-cmd. It is split as a POSIX shell
// splits words; no shell runs. The program is looked up.
// Errors: text that cannot be split, an empty command, a program that is not
// found or cannot be run.
func ParseRestart(s string) (RestartCommand, error) {
	words, err := splitCommand(s)
	if err != nil {
		return RestartCommand{}, err
	}
	return RestartCommand{Words: words}, lookUp(words[0])
}

// RestartError says that a restart did not succeed.
type RestartError struct {
	Args   []string
	What   string // as a predicate: "exited with code 1", "ran for 30s without an end"
	Output string // the tail of its output, unescaped
	Ran    bool   // the command succeeded; it is the server that did not answer
	Err    error  // what ended it, or what was seen of the server; may be nil
}

// Error says what the command did and what it wrote, each line escaped.
func (e *RestartError) Error() string {
	text := "the restart command " + quoteArgs(e.Args) + " " + e.What
	if e.Err != nil {
		text += ": " + e.Err.Error() + "\nOf the command"
	} else {
		text += "; exit code 0 was expected; of the command"
	}
	return text + ", " + quoteTail(e.Output)
}

// Unwrap returns what ended the command, or what was seen of the server.
func (e *RestartError) Unwrap() error { return e.Err }

// Run runs the command and returns once s answers an ACQUIRE again, with the
// tail of what the command wrote, unescaped. It blocks for at most Timeout and
// StartTimeout. The command runs in a process group of its own, reads nothing,
// and is killed with its group where it fails, hangs, or ctx ends. After
// success the group is left alone: the server may live in it.
// Errors: *RestartError, which wraps a *NoAnswerError where the server does
// not answer again.
func (c RestartCommand) Run(ctx context.Context, s Server) (output string, err error) {
	if len(c.Words) == 0 {
		return "", errors.New("no restart command: one comes from ParseRestart")
	}
	output, failure := c.run(ctx)
	if failure == nil {
		failure = c.awaitAnswer(ctx, s)
	}
	if failure != nil {
		failure.Args, failure.Output = c.Words, output
		return output, failure
	}
	return output, nil
}

// run runs the command. Its output goes to a file, not to a pipe: a server
// that it leaves behind would be killed by writing to a pipe without reader.
func (c RestartCommand) run(ctx context.Context) (string, *RestartError) {
	file, err := os.CreateTemp("", "monolock-conform-restart-*.log")
	if err != nil {
		return "", &RestartError{What: "could not be started", Err: err}
	}
	defer os.Remove(file.Name())
	defer file.Close()
	g, err := startGroup(command{args: c.Words, env: c.Env, output: file, orphan: true})
	if err != nil {
		return "", &RestartError{What: "could not be started", Err: err}
	}
	failure := c.wait(ctx, g)
	return readTail(file), failure
}

// wait waits for the command's end, and ends its group unless it succeeded.
func (c RestartCommand) wait(ctx context.Context, g *group) *RestartError {
	limit := cmp.Or(c.Timeout, DefaultRestartTimeout)
	timer := time.NewTimer(limit)
	defer timer.Stop()
	failure := &RestartError{}
	select {
	case <-g.exited:
		if g.status == (exitStatus{}) {
			g.release()
			return nil
		}
		failure.What = g.status.past()
	case <-timer.C:
		failure.What = fmt.Sprintf("ran for %v without an end and was killed", limit)
	case <-ctx.Done():
		failure.What, failure.Err = "was stopped", context.Cause(ctx)
	}
	if err := g.end(); err != nil {
		failure.Err = errors.Join(failure.Err, err)
	}
	return failure
}

// awaitAnswer asks until the server answers again.
func (c RestartCommand) awaitAnswer(ctx context.Context, s Server) *RestartError {
	limit := cmp.Or(c.StartTimeout, DefaultStartTimeout)
	bounded, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	var seen error
	for bounded.Err() == nil {
		_, err := askOnce(bounded, s, freshLock(c.LockPrefix))
		if err == nil {
			return nil
		}
		seen = moreTelling(bounded, seen, err)
		within(bounded.Done(), restartPause)
	}
	if ctx.Err() != nil {
		seen = context.Cause(ctx)
	} else if none, ok := errors.AsType[*NoAnswerError](seen); ok {
		none.Speaks = probe(ctx, s, none.Kind)
	}
	return &RestartError{Ran: true, What: fmt.Sprintf("succeeded, but the server did not answer again within %v", limit), Err: seen}
}

// restartPause is the time between two attempts to reach a server that
// somebody else starts, maybe far away.
const restartPause = 50 * time.Millisecond

// readTail reads the last bytes of what was written to file.
func readTail(file *os.File) string {
	info, err := file.Stat()
	if err != nil {
		return ""
	}
	tail := io.NewSectionReader(file, max(0, info.Size()-outputKept), outputKept)
	data, _ := io.ReadAll(tail) // what can be read is shown
	return string(data)
}
