package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/timeline/capture"
)

// traceFolder is where captures stand, beside the result that names them.
const traceFolder = "traces"

// keepEvidence writes the scenarios' attachments, such as the picture of a
// history, into the folder or a temporary one, and returns the paths.
func keepEvidence(outcome *conformance.Outcome, folder string) ([]string, error) {
	if outcome == nil {
		return nil, nil
	}
	var paths []string
	for _, result := range outcome.Results {
		for _, a := range result.Attachments {
			if folder == "" {
				made, err := os.MkdirTemp("", "monolock-conform-")
				if err != nil {
					return paths, err
				}
				folder = made
			}
			path := filepath.Join(folder, attachmentName(result, a))
			if err := writeWhole(path, func(w writer) error { _, err := w.Write(a.Data); return err }); err != nil {
				return paths, err
			}
			paths = append(paths, path)
		}
	}
	return paths, nil
}

// fileName makes a scenario's ID a file name.
func fileName(r conformance.Result) string { return strings.ReplaceAll(r.Scenario.ID, "/", "-") }

// attachmentName is the file name of a scenario's evidence.
func attachmentName(r conformance.Result, a conformance.Attachment) string {
	return fileName(r) + "-" + a.Name
}

// keepTraces writes the captures that --trace asks for, and returns their paths as
// the result names them, by scenario.
func keepTraces(outcome *conformance.Outcome, when, folder string) (map[string]string, error) {
	paths := map[string]string{}
	for _, result := range traced(outcome, when) {
		if err := os.MkdirAll(filepath.Join(folder, traceFolder), 0o755); err != nil {
			return nil, err
		}
		path := tracePath(result)
		if err := writeTrace(filepath.Join(folder, filepath.FromSlash(path)), result); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		paths[result.Scenario.ID] = path
	}
	return paths, nil
}

// traced are the results of which a capture is written.
func traced(outcome *conformance.Outcome, when string) []conformance.Result {
	if outcome == nil || when == traceNever {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(outcome.Results), func(r conformance.Result) bool {
		return len(r.Events) == 0 || when == traceOnFailure && r.Verdict.Settled()
	})
}

// tracePath is where a capture stands, as the result beside it names it.
func tracePath(result conformance.Result) string {
	return traceFolder + "/" + fileName(result) + ".pcapng"
}

func writeTrace(path string, result conformance.Result) error {
	return writeWhole(path, func(w writer) error {
		return capture.Write(w, result.Zero, result.Events, capture.About{Scenario: result.Scenario.ID, Suite: "monolock-conform " + version})
	})
}
