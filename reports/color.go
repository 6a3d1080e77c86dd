package reports

import (
	"fmt"
	"os"

	"github.com/mattn/go-isatty"

	"github.com/monolock-dev/monolock-conform/conformance"
)

// ColorModes are the values of --color.
func ColorModes() []string { return []string{"auto", "always", "never"} }

// UseColor decides for a mode of [ColorModes] whether to write colours to w. Auto
// means: w is a terminal, TERM is not dumb and NO_COLOR is not set. Any other
// word is like auto.
func UseColor(mode string, w *os.File, getenv func(string) string) bool {
	switch mode {
	case "always":
		return true
	case "never":
		return false
	}
	return getenv("NO_COLOR") == "" && getenv("TERM") != "dumb" && IsTerminal(w)
}

// IsTerminal reports whether somebody looks at w.
func IsTerminal(w *os.File) bool {
	return w != nil && (isatty.IsTerminal(w.Fd()) || isatty.IsCygwinTerminal(w.Fd()))
}

// style is a parameter of the terminal's SGR sequence.
type style string

const (
	plain  style = ""
	bold   style = "1"
	dim    style = "2"
	red    style = "1;31"
	green  style = "32"
	yellow style = "33"
)

func (p *page) paint(s style, text string) string { return painted(p.opts.Color, s, text) }

func painted(color bool, s style, text string) string {
	if !color || s == plain || text == "" {
		return text
	}
	return fmt.Sprintf("\x1b[%sm%s\x1b[0m", s, text)
}

func styleOf(v conformance.Verdict) style {
	switch v {
	case conformance.Pass:
		return green
	case conformance.Fail, conformance.UnexpectedPass, conformance.Error:
		return red
	case conformance.Flaky, conformance.Inconclusive, conformance.Warn, conformance.KnownFail:
		return yellow
	}
	return plain
}
