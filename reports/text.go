package reports

import (
	"fmt"
	"io"
	"strings"
)

// TextOptions say how [Text] writes.
type TextOptions struct {
	Color   bool // see [UseColor]; colour never says what words do not
	Verbose bool // also the slowest scenarios
	Width   int  // characters a line where prose is wrapped; 0 is 80
}

const defaultWidth = 80

// Text writes a result for a person at a terminal: each finding with its
// requirement, what was expected and seen, the timeline around it and a command
// that repeats just this; then observations, a summary by topic, and in the last
// line the conclusion in words. The errors are those of w.
func Text(w io.Writer, r Result, opts TextOptions) error {
	if opts.Width <= 0 {
		opts.Width = defaultWidth
	}
	p := &page{opts: opts}
	p.ending(r)
	p.findings(r)
	p.observations(r)
	p.summary(r)
	p.notOffered(r)
	if opts.Verbose {
		p.slowest(r)
	}
	p.numbers(r)
	p.conclusion(r)
	_, err := io.WriteString(w, p.out.String())
	return err
}

// page collects the text.
type page struct {
	opts TextOptions
	out  strings.Builder
}

func (p *page) line(format string, args ...any) {
	fmt.Fprintf(&p.out, format+"\n", args...)
}

// section begins a part of the page.
func (p *page) section(title string) {
	p.line("%s", p.paint(bold, title))
}

// wrapped writes prose behind head, and under it as far as indent.
func (p *page) wrapped(head, text string, indent int) {
	margin := strings.Repeat(" ", indent)
	for i, line := range wrap(text, max(p.opts.Width-indent, 20)) {
		if i == 0 {
			p.line("%s%s", head, line)
			continue
		}
		p.line("%s%s", margin, line)
	}
}

// field writes "  name      text". Further lines of a text stand behind a bar, so
// that none of them can pass for a line of the suite's own.
func (p *page) field(name, text string) {
	if text == "" {
		return
	}
	for i, line := range strings.Split(cleanBlock(text), "\n") {
		if i == 0 {
			p.line("  %-9s %s", name, line)
			continue
		}
		p.line("  %9s | %s", "", line)
	}
}

// wrap breaks prose into lines of at most width characters; a longer word stands
// alone. It returns one line at least.
func wrap(text string, width int) []string {
	var lines []string
	line, length := "", 0
	for _, word := range strings.Fields(cleanLine(text)) {
		size := len([]rune(word))
		if line != "" && length+1+size > width {
			lines = append(lines, line)
			line, length = "", 0
		}
		if line != "" {
			line, length = line+" ", length+1
		}
		line, length = line+word, length+size
	}
	return append(lines, line)
}

// ending says once why a run ended early.
func (p *page) ending(r Result) {
	why := r.EndedEarly()
	if why == "" {
		return
	}
	p.section(r.endingTitle())
	p.field("seen", why)
	if open := r.undecidedByEnd(); open > 0 {
		p.field("so", counted(open, "requirement was", "requirements were")+" not decided")
	}
	p.line("")
}

// counted is "1 requirement was" or "2 requirements were".
func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
