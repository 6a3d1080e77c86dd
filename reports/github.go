package reports

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/monolock-dev/monolock-conform/conformance"
)

// shownByGitHub is how many annotations of a kind GitHub shows of one step. What
// goes beyond is named in the last of them.
const shownByGitHub = 10

// GitHub writes a result as workflow commands, which GitHub Actions shows as
// annotations: an error for what does not hold and for what broke, a warning for what
// warns or could not be told, each with its requirement as the title; and a notice
// with the conclusion. They stand for requirements: a source line to point at there
// is none. The errors are those of w.
//
// Every line is one command, and no text of a subject can begin another one.
func GitHub(w io.Writer, r Result) error {
	var out strings.Builder
	var bad, doubtful []annotation
	for _, a := range annotations(r) {
		if a.command == "error" {
			bad = append(bad, a)
		} else {
			doubtful = append(doubtful, a)
		}
	}
	for _, a := range slices.Concat(shortened(bad), shortened(doubtful)) {
		a.write(&out)
	}
	conclusion := annotation{"notice", "monolock " + string(r.Subject.Role), r.Words()}
	conclusion.write(&out)
	_, err := io.WriteString(w, out.String())
	return err
}

// annotation is one workflow command.
type annotation struct{ command, title, message string }

func (a annotation) write(out *strings.Builder) {
	fmt.Fprintf(out, "::%s title=%s::%s\n", a.command, githubProperty(cleanLine(a.title)), githubData(cleanBlock(a.message)))
}

// githubData escapes the text of a workflow command.
func githubData(text string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(text)
}

// githubProperty escapes the value of one of its properties.
func githubProperty(text string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(githubData(text))
}

// annotations are those of the findings, the gravest first. What was left undecided
// by the end of the run is one.
func annotations(r Result) []annotation {
	var all []annotation
	if why := r.EndedEarly(); why != "" {
		all = append(all, annotation{"error", "the run ended early", oneLine(why)})
	}
	var bare []string
	for _, f := range collectFindings(r) {
		switch {
		case f.Verdict == conformance.KnownFail: // no news
		case len(f.places) == 0:
			bare = append(bare, string(f.ID))
		default:
			all = append(all, newAnnotation(r, f))
		}
	}
	if len(bare) > 0 {
		all = append(all, annotation{"warning", "not judged", noScenario + ": " + strings.Join(bare, ", ")})
	}
	return all
}

func newAnnotation(r Result, f finding) annotation {
	command := "warning"
	switch f.Verdict {
	case conformance.Fail, conformance.UnexpectedPass, conformance.Error:
		command = "error"
	}
	at := f.places[0]
	lines := []string{sentenceOf(f.ID)}
	add := func(name, text string) {
		if text != "" {
			lines = append(lines, name+": "+text)
		}
	}
	add("expected", at.Expected)
	add("actual", at.Actual)
	add("scenario", at.scenario.ID)
	if n := len(f.places); n > 1 {
		add("also", fmt.Sprintf("in %s", counted(n-1, "other scenario", "other scenarios")))
	}
	add("repeat", cleanLine(RepeatCommand(r.Run, at.scenario.ID)))
	for i, line := range lines {
		lines[i] = cut(cleanBlock(line), lineBytes)
	}
	return annotation{command, fmt.Sprintf("%s %s (%s)", f.ID, f.Verdict, f.Level), strings.Join(lines, "\n")}
}

// shortened keeps what GitHub shows; the last annotation then names the others.
func shortened(all []annotation) []annotation {
	if len(all) <= shownByGitHub {
		return all
	}
	rest := all[shownByGitHub-1:]
	titles := make([]string, len(rest))
	for i, a := range rest {
		titles[i] = a.title
	}
	last := annotation{rest[0].command, fmt.Sprintf("%d more", len(rest)), strings.Join(titles, "\n")}
	return append(slices.Clone(all[:shownByGitHub-1]), last)
}
