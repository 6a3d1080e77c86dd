package main

import (
	"errors"
	"io"
	"os"

	"github.com/mattn/go-isatty"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/reports"
)

// textTo is where people read: standard output, unless a report goes there.
func (o options) textTo(c console) io.Writer {
	if len(o.reports.standardOutput()) > 0 {
		return c.err
	}
	return c.out
}

func textOptions(o options, c console) reports.TextOptions {
	return reports.TextOptions{Color: colors(o, c, o.textTo(c)), Verbose: o.verbose}
}

// show writes what standard output shows of a result.
func show(o options, c console, r reports.Result) error {
	if o.format == "tap" {
		return reports.TAP(c.out, r)
	}
	err := reports.Text(o.textTo(c), r, textOptions(o, c))
	if o.format == "github" {
		err = errors.Join(err, reports.GitHub(c.out, r))
	}
	return err
}

// colors reports whether w takes colours.
func colors(o options, c console, w io.Writer) bool {
	file, _ := w.(*os.File)
	return reports.UseColor(o.color, file, c.getenv)
}

// observers are who is told how a run goes on, and what ends them.
func observers(o options, c console, in reports.Input) (conformance.Observer, func()) {
	total := len(in.Selected)
	shown := progress(o, c, total)
	end := func() { shown.Close() }
	if o.feed == nil {
		return shown, end
	}
	return watchers{shown, o.feed.begin(in, total)}, end
}

// progress shows a run while it goes on, on standard error.
func progress(o options, c console, total int) *reports.Progress {
	file, _ := c.err.(*os.File)
	return reports.NewProgress(c.err, reports.ProgressOptions{
		Total: total, Known: o.known, Color: colors(o, c, c.err), Terminal: file != nil && isatty.IsTerminal(file.Fd()) && c.getenv("TERM") != "dumb",
	})
}
