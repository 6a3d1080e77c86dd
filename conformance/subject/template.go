package subject

import (
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"syscall"

	"github.com/google/shlex"
)

// The placeholders of a server command. Only {listen} is required; one that is
// absent means that the feature behind it is not offered.
const (
	Listen   = "listen"    // host:port of the protocol
	Ops      = "ops"       // host:port of /metrics and /healthz
	Admin    = "admin"     // host:port of the admin API
	Audit    = "audit"     // path of the audit log
	TLSCert  = "tls_cert"  // path, PEM
	TLSKey   = "tls_key"   // path, PEM
	ClientCA = "client_ca" // path, PEM
	ACL      = "acl"       // path of the ACL file
)

// placeholders are all known names, in the order in which people read them.
var placeholders = []string{Listen, Ops, Admin, Audit, TLSCert, TLSKey, ClientCA, ACL}

// placeholder finds {word} in an argument. A brace that holds anything else,
// JSON for example, is plain text.
var placeholder = regexp.MustCompile(`\{([A-Za-z0-9_-]+)\}`)

// Template is a server command with placeholders, split into words.
// The zero value is no command; [ParseTemplate] makes one.
type Template struct{ words []string }

// ParseTemplate reads the text of --server-cmd. It is split as a POSIX shell
// splits words; no shell runs, so nothing is expanded. The program is looked
// up, so that a wrong one is said before anything starts.
// Errors: text that cannot be split, an empty command, a program that is not
// found or cannot be run, an unknown placeholder (with the nearest known one),
// no {listen}, and {listen} in one argument with an optional placeholder. All
// that apply are joined.
func ParseTemplate(s string) (Template, error) {
	words, err := splitCommand(s)
	if err != nil {
		return Template{}, err
	}
	t := Template{words: words}
	if err := errors.Join(lookUp(words[0]), t.check()); err != nil {
		return Template{}, err
	}
	return t, nil
}

// Args returns the program and its arguments with the values filled in, keyed
// by the placeholder's name without braces. An argument of which a placeholder
// has no value, or an empty one, is dropped together with the flag before it:
// the argument before it where that begins with "-" and has neither a
// placeholder nor "=". An argument that begins with "-" itself, such as
// -acl-file={acl}, goes alone.
func (t Template) Args(values map[string]string) []string {
	var args []string
	for i, word := range t.words {
		filled, complete := fill(word, values)
		switch {
		case complete:
			args = append(args, filled)
		case i > 1 && !strings.HasPrefix(word, "-") && isFlag(t.words[i-1]):
			args = args[:len(args)-1]
		}
	}
	return args
}

// Offers returns the placeholders that t has, without braces, in the order of
// the documentation.
func (t Template) Offers() []string {
	var offered []string
	for _, name := range placeholders {
		if t.has(name) {
			offered = append(offered, name)
		}
	}
	return offered
}

func (t Template) has(name string) bool {
	return slices.ContainsFunc(t.words, func(word string) bool {
		return strings.Contains(word, "{"+name+"}")
	})
}

// check finds what is wrong with the placeholders.
func (t Template) check() error {
	var errs []error
	for _, word := range t.words {
		errs = append(errs, checkWord(word))
	}
	if !t.has(Listen) {
		errs = append(errs, errors.New("the server command lacks {listen}: "+
			"the suite chooses the address, so write the placeholder where the server takes it, as in `-listen {listen}`"))
	}
	return errors.Join(errs...)
}

func checkWord(word string) error {
	names := namesIn(word)
	for _, name := range names {
		if !slices.Contains(placeholders, name) {
			return fmt.Errorf("unknown placeholder {%s} in the server command: did you mean {%s}? Known are {%s}",
				name, nearest(name, placeholders), strings.Join(placeholders, "} {"))
		}
	}
	if slices.Contains(names, Listen) && slices.ContainsFunc(names, func(n string) bool { return n != Listen }) {
		return fmt.Errorf("the argument %q holds {listen} and an optional placeholder: it would be dropped whole "+
			"where that has no value; give each an argument of its own, with a script in between if need be", word)
	}
	return nil
}

// namesIn returns the placeholders of one argument, without braces.
func namesIn(word string) []string {
	var names []string
	for _, match := range placeholder.FindAllStringSubmatch(word, -1) {
		names = append(names, match[1])
	}
	return names
}

// fill puts the values into word and says whether all were there.
func fill(word string, values map[string]string) (filled string, complete bool) {
	complete = true
	filled = placeholder.ReplaceAllStringFunc(word, func(match string) string {
		value := values[strings.Trim(match, "{}")]
		complete = complete && value != ""
		return value
	})
	return filled, complete
}

func isFlag(word string) bool {
	return len(word) > 1 && word[0] == '-' && word != "--" &&
		!strings.Contains(word, "=") && !placeholder.MatchString(word)
}

// splitCommand splits a command into at least one word.
func splitCommand(s string) ([]string, error) {
	words, err := shlex.Split(s)
	if err != nil {
		return nil, fmt.Errorf("the command %q cannot be split into words: %w; close every quote", s, err)
	}
	if len(words) == 0 || words[0] == "" {
		return nil, errors.New("the command is empty: write the program and its arguments")
	}
	return words, nil
}

// lookUp says in words why a program cannot be run, or nil.
func lookUp(program string) error {
	_, err := exec.LookPath(program)
	switch {
	case err == nil:
		return nil
	case strings.Contains(program, "=") && !strings.ContainsAny(program, `/\`):
		return fmt.Errorf("%q is no program: no shell runs, so variables are set with `env %s PROGRAM …`", program, program)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("the program %q is not executable: allow it (chmod +x), or name its interpreter first", program)
	case errors.Is(err, syscall.EISDIR):
		return fmt.Errorf("%q is a directory, not a program", program)
	case errors.Is(err, exec.ErrDot):
		return fmt.Errorf("the program %q lies in this directory: write ./%s", program, program)
	case strings.ContainsAny(program, `/\`):
		return fmt.Errorf("the program %q was not found: check the path, which counts from the working directory", program)
	}
	return fmt.Errorf("the program %q was not found in PATH: give its path; no shell runs, "+
		"so what a shell has built in needs `sh -c '…'`", program)
}
