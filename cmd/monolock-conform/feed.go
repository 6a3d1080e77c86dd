package main

import (
	"io"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/reports"
)

// feed is the JSON lines of one run.
type feed struct {
	w     io.Writer
	lines *reports.JSONLines // nil until the run begins
}

// begin writes the first event of the run that in describes, of so many scenarios.
func (f *feed) begin(in reports.Input, total int) *reports.JSONLines {
	if f.lines == nil {
		f.lines = reports.NewJSONLines(f.w, reports.JSONLinesOptions{
			Suite: in.Suite, Subject: in.Subject, Params: in.Params, Jobs: in.Jobs, Total: total,
		})
	}
	return f.lines
}

// conclude writes the last event, also of a run that did not begin.
func (f *feed) conclude(in reports.Input, r reports.Result, interrupted bool) error {
	return f.begin(in, len(in.Selected)).Conclude(r, interrupted)
}

// watchers are several observers in one.
type watchers []conformance.Observer

func (w watchers) Started(s conformance.Scenario) {
	for _, each := range w {
		each.Started(s)
	}
}

func (w watchers) Finished(r conformance.Result) {
	for _, each := range w {
		each.Finished(r)
	}
}
