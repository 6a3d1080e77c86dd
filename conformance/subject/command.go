package subject

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"
)

// DefaultStartTimeout is how long a server may take from its start to its
// first answer.
const DefaultStartTimeout = 10 * time.Second

// DefaultLockPrefix begins the names of the locks that readiness asks for.
const DefaultLockPrefix = "conform/"

// launchTries is how many addresses a launch tries where the server says that
// its own is in use.
const launchTries = 3

// Command is a [Launcher] of processes of this machine, from --server-cmd.
// Its instances are [*LocalProcess].
//
// A process leads a process group of its own, reads nothing, and its output is
// kept. Signals go to the process that the template starts: a script around
// the server ends with `exec`, so that it is the server. It stays in the
// foreground.
type Command struct {
	Template     Template
	StartTimeout time.Duration // 0: DefaultStartTimeout
	Env          []string      // "KEY=value", added to this program's environment

	// Values are those of the placeholders beside {listen}: paths as they are.
	Values map[string]string
	// Addresses are placeholders, such as "ops" and "admin", that get a free
	// loopback address at each launch, where the template has them.
	// [LocalProcess.Value] tells it.
	Addresses []string
	// Dial connects to the server at addr; nil: plain TCP.
	Dial func(ctx context.Context, addr string) (Conn, error)
	// LockPrefix begins the names that readiness asks for; "": DefaultLockPrefix.
	LockPrefix string
	// ConnectOnly takes a connection for readiness, without an answer: for a
	// defect that would not give one.
	ConnectOnly bool
}

// Launch starts a server on a free port of 127.0.0.1 and returns when it
// answers an ACQUIRE: WAITING, ACQUIRED or ERROR. It blocks for at most the
// start timeout a try, and tries again only where the server's output says
// that the address is in use. The readiness connection has been closed; its
// lock has a fresh name.
// Errors: *StartError, and ctx's. Nothing is left running then.
func (c Command) Launch(ctx context.Context) (Instance, error) {
	for try := 1; ; try++ {
		p, err := c.launchOnce(ctx)
		if err == nil {
			return p, nil
		}
		if try == launchTries || !isAddressInUse(err) {
			return nil, err
		}
	}
}

func (c Command) launchOnce(ctx context.Context) (*LocalProcess, error) {
	p, err := c.prepare()
	if err != nil {
		return nil, err
	}
	if err := p.start(ctx); err != nil {
		return nil, errors.Join(err, p.Close())
	}
	return p, nil
}

// prepare chooses the addresses of a new instance.
func (c Command) prepare() (*LocalProcess, error) {
	if len(c.Template.words) == 0 {
		return nil, errors.New("no server command: a Template comes from ParseTemplate")
	}
	p := &LocalProcess{command: c, values: map[string]string{}}
	maps.Copy(p.values, c.Values)
	for _, name := range append([]string{Listen}, c.Addresses...) {
		if !c.Template.has(name) {
			continue
		}
		r, err := reserve()
		if err != nil {
			p.releaseAddresses()
			return nil, err
		}
		p.reserved = append(p.reserved, r)
		p.values[name] = r.addr()
	}
	p.args = c.Template.Args(p.values)
	return p, nil
}

func (c Command) startTimeout() time.Duration { return cmp.Or(c.StartTimeout, DefaultStartTimeout) }

// freshLock returns a lock name that nobody else uses.
func freshLock(prefix string) string {
	return cmp.Or(prefix, DefaultLockPrefix) + "ready/" + rand.Text()[:12]
}

// StartError says that a server did not become ready.
type StartError struct {
	Args   []string      // what was started
	Exit   string        // how it ended, "exit code 1"; "" where it did not
	Waited time.Duration // from the start to the end of the attempt
	Output string        // the tail of its output, unescaped
	Err    error         // why it could not be started, or what was seen instead of an answer

	past string // Exit as a predicate, "exited with code 1"
}

// Error says what was started, what happened, and what the server wrote, each
// line escaped.
func (e *StartError) Error() string {
	return "the server command " + quoteArgs(e.Args) + " " + e.happened()
}

func (e *StartError) happened() string {
	switch {
	case e.Exit == "exit code 0":
		return e.past + " before it answered: it has to stay in the foreground and must not detach; " + quoteTail(e.Output)
	case e.Exit != "":
		return e.past + " before it answered; " + quoteTail(e.Output)
	case e.Waited == 0:
		return "could not be started: " + e.Err.Error()
	}
	return "was not ready after " + roughly(e.Waited).String() + ": " + e.seen() +
		"\nThe process was running; " + quoteTail(e.Output)
}

// seen is what was seen of a server that runs and does not answer.
func (e *StartError) seen() string {
	if none, ok := errors.AsType[*NoAnswerError](e.Err); ok && none.Kind == Refused {
		return printable(none.Target) + ": nothing listens there: does the server listen on the address given for {listen}, " +
			"and is --start-timeout long enough?"
	}
	return e.Err.Error()
}

// Unwrap returns what was seen instead of an answer.
func (e *StartError) Unwrap() error { return e.Err }

// inUse is what servers say when they cannot bind, from the system's own words:
// "address already in use", EADDRINUSE, and Windows' sentence.
var inUse = regexp.MustCompile(`(?i)in use|EADDRINUSE|only one usage of each socket address`)

func isAddressInUse(err error) bool {
	var start *StartError
	return errors.As(err, &start) && start.Exit != "" && inUse.MatchString(start.Output)
}

// plainWord needs no quotes in a POSIX shell.
var plainWord = regexp.MustCompile(`^[A-Za-z0-9_@%+=:,./-]+$`)

// quoteArgs shows a command as it would be typed.
func quoteArgs(args []string) string {
	words := slices.Clone(args)
	for i, word := range words {
		if !plainWord.MatchString(word) {
			words[i] = quoteLine(word)
		}
	}
	return strings.Join(words, " ")
}
