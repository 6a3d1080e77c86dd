package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/mattn/go-isatty"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/reports"
)

// textTo is where people read: standard output, unless a report goes there.
func (o options) textTo(c console) io.Writer {
	if o.json == "-" {
		return c.err
	}
	return c.out
}

func textOptions(o options, c console) reports.TextOptions {
	return reports.TextOptions{Color: colors(o, c, o.textTo(c)), Verbose: o.verbose}
}

// colors reports whether w takes colours.
func colors(o options, c console, w io.Writer) bool {
	file, _ := w.(*os.File)
	return reports.UseColor(o.color, file, c.getenv)
}

// progress shows a run while it goes on, on standard error.
func progress(o options, c console, total int) *reports.Progress {
	file, _ := c.err.(*os.File)
	return reports.NewProgress(c.err, reports.ProgressOptions{
		Total: total, Color: colors(o, c, c.err), Terminal: file != nil && isatty.IsTerminal(file.Fd()) && c.getenv("TERM") != "dumb",
	})
}

// keepEvidence writes the scenarios' attachments, such as the picture of a
// history, beside the result or into a temporary folder, and returns the paths.
func keepEvidence(outcome *conformance.Outcome, jsonPath string) ([]string, error) {
	if outcome == nil {
		return nil, nil
	}
	dir := ""
	if jsonPath != "" && jsonPath != "-" {
		dir = filepath.Dir(jsonPath)
	}
	var paths []string
	for _, result := range outcome.Results {
		for _, a := range result.Attachments {
			if dir == "" {
				made, err := os.MkdirTemp("", "monolock-conform-")
				if err != nil {
					return paths, err
				}
				dir = made
			}
			path := filepath.Join(dir, strings.ReplaceAll(result.Scenario.ID, "/", "-")+"-"+a.Name)
			if err := os.WriteFile(path, a.Data, 0o644); err != nil {
				return paths, err
			}
			paths = append(paths, path)
		}
	}
	return paths, nil
}
