package reports

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/spec"
)

// Baseline holds the known failures of a subject: requirements that are expected to
// fail, each with the reason. The zero value lists none.
type Baseline map[spec.ID]string

// longestReason bounds a reason, in bytes.
const longestReason = 300

// ParseBaseline reads a baseline to the end of rd: `ID reason` a line. Blank lines
// and lines that begin with # are left out. The error joins all faults with their
// line numbers: an unknown ID, with the nearest one; an ID without a reason; an ID
// that was listed before.
// Source: DESIGN, "The command line".
func ParseBaseline(rd io.Reader) (Baseline, error) {
	data, err := io.ReadAll(rd)
	if err != nil {
		return nil, fmt.Errorf("reading the baseline: %w", err)
	}
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	b := Baseline{}
	var faults []error
	first := map[spec.ID]int{}
	for i, line := range strings.Split(string(data), "\n") {
		id, reason, err := baselineLine(line)
		switch {
		case err != nil:
			faults = append(faults, fmt.Errorf("line %d: %w", i+1, err))
		case id == "":
		case first[id] > 0:
			faults = append(faults, fmt.Errorf("line %d: %s is listed in line %d already; keep one of them", i+1, id, first[id]))
		default:
			first[id], b[id] = i+1, reason
		}
	}
	if err := errors.Join(faults...); err != nil {
		return nil, err
	}
	return b, nil
}

// baselineLine takes a line apart. The ID is "" for a line that says nothing.
func baselineLine(line string) (spec.ID, string, error) {
	line = strings.TrimSpace(line)
	if line == "" || strings.HasPrefix(line, "#") {
		return "", "", nil
	}
	word, reason := line, ""
	if i := strings.IndexFunc(line, func(r rune) bool { return r == ' ' || r == '\t' }); i > 0 {
		word, reason = line[:i], oneReason(line[i:])
	}
	id := spec.ID(word)
	if _, isKnown := spec.Get(id); !isKnown {
		return "", "", unknownID(word)
	}
	if reason == "" {
		return "", "", fmt.Errorf("%s has no reason; write `%s why it is known to fail`", id, id)
	}
	return id, reason, nil
}

func unknownID(word string) error {
	hint := "`monolock-conform list` shows all IDs"
	if near, found := spec.Nearest(word); found {
		hint = fmt.Sprintf("did you mean %s? %s", near, hint)
	}
	return fmt.Errorf("%q is no requirement; %s", cut(cleanLine(word), longestReason), hint)
}

// oneReason makes a reason of any text: one clean line, not too long.
func oneReason(text string) string {
	return cut(cleanLine(strings.Join(strings.Fields(text), " ")), longestReason)
}

// WriteBaseline writes a baseline with which the run of r would have had nothing
// but known failures: each requirement that fails, with what was seen as the
// reason. What r knew from a baseline of its own stays with its reason, unless it
// passed. A warn is listed where --strict made it a fail. The errors are those of w.
func WriteBaseline(w io.Writer, r Result) error {
	var out strings.Builder
	out.WriteString("# Known failures, `ID reason` a line, for --baseline. One that passes fails the run:\n")
	out.WriteString("# then its line goes.\n")
	for _, q := range r.Requirements {
		reason := r.knownReasonOf(q.ID)
		if reason == "" && (q.Verdict == conformance.Fail || q.Verdict == conformance.KnownFail) {
			reason = oneReason(q.Detail)
			if reason == "" {
				reason = "it does not hold"
			}
		}
		if reason != "" && q.Verdict != conformance.UnexpectedPass {
			fmt.Fprintf(&out, "%-9s %s\n", cleanLine(string(q.ID)), reason)
		}
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// knownReasonOf is the reason that a baseline gave for a requirement, or "".
func (r *Result) knownReasonOf(id spec.ID) string {
	for _, s := range r.Scenarios {
		for _, j := range s.Requirements {
			if reason := j.knownReason(); j.ID == id && reason != "" {
				return oneReason(reason)
			}
		}
	}
	return ""
}

// Apply judges r anew, knowing the failures of b. What a scenario says of a listed
// requirement becomes known-fail where it was fail or warn; and where it fails so,
// also what other scenarios could not tell of it. A listed requirement
// that held in every scenario about it becomes unexpected-pass in all of them. Where
// some were left out, or the run is a part of one or ended early, it may fail there,
// and stays what it was.
//
// What a scenario did not reach because of a known failure alone is excluded: the
// user chose not to see behind it. If no other scenario judges such a requirement,
// the run is not complete.
//
// The judgements themselves carry all of this, so that [Judge] says the same of the
// saved file. Other doubts, errors and what is flaky stay as they are: they are no
// failures that anybody could know. Applied again, b changes nothing.
func (b Baseline) Apply(r *Result) {
	r.know(b)
	Judge(r)
}
