package subject

import "fmt"

// AdapterError says how an adapter broke its contract. It is no judgement of
// the client under test.
type AdapterError struct {
	Adapter string // its command, for people
	What    string // a predicate, printable: "exited with code 3 without result"
	Try     string // what its author does about it; "": nothing to add
	Line    int    // of standard output, from 1; 0: of none
	Text    string // that line's beginning, unescaped
	Stderr  string // the tail of standard error, unescaped
	Log     string // the tail of the log text on standard output, unescaped
	Err     error  // the system's word, where there is one
}

// Error says what happened and shows the ends of what the adapter wrote, each
// line escaped.
func (e *AdapterError) Error() string {
	s := "the adapter " + e.Adapter + " " + e.What
	if e.Line > 0 {
		s += fmt.Sprintf(" in line %d of its output, %s", e.Line, quoteLine(e.Text))
	}
	if e.Try != "" {
		s += ": " + e.Try
	}
	if e.Err != nil {
		return s // it never ran
	}
	s += "\n" + quoteEnd("standard error", e.Stderr)
	if e.Log != "" {
		s += "\n" + quoteEnd("its log text", e.Log)
	}
	return s
}

// Unwrap returns the system's word.
func (e *AdapterError) Unwrap() error { return e.Err }

// quoteEnd shows the last lines of one of an adapter's outputs.
func quoteEnd(name, output string) string {
	if quoted := quoteLines(output); quoted != "" {
		return "The end of " + name + ":" + quoted
	}
	return "Nothing came on " + name + "."
}
