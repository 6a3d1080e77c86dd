package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/reports"
)

// mostResultBytes is far above the result of a full run, and what a file is read
// up to: a wrong one should not eat the memory.
const mostResultBytes = 256 << 20

// loadResult reads a result file; - is standard input. Its errors are usage errors
// that name the file.
func loadResult(path string) (reports.Result, error) {
	var from io.Reader = os.Stdin
	if path != "-" {
		file, err := os.Open(path)
		if err != nil {
			return reports.Result{}, usage("%w", err)
		}
		defer file.Close()
		from = file
	}
	limited := &io.LimitedReader{R: from, N: mostResultBytes + 1}
	result, err := reports.ReadJSON(limited)
	if limited.N == 0 {
		return reports.Result{}, usage("%s: larger than %d MiB, which no result is", path, mostResultBytes>>20)
	}
	if err != nil {
		return reports.Result{}, usage("%s: %w", path, err)
	}
	return result, checkAgreement(path, result)
}

// checkAgreement refuses a result that contradicts itself. One of another catalogue
// cannot be judged again, and is taken at its word; verify says more.
func checkAgreement(path string, r reports.Result) error {
	const shown = 3
	if r.Suite.Catalogue != spec.Hash() {
		return nil
	}
	faults := r.Disagreements(false)
	if len(faults) == 0 {
		return nil
	}
	text := strings.Join(faults[:min(len(faults), shown)], "; ")
	if more := len(faults) - shown; more > 0 {
		text += fmt.Sprintf("; and %d more", more)
	}
	return usage("%s contradicts itself, so it was changed after the run: %s", path, reports.CleanLine(text))
}

// oneResult wants the path of one result.
func oneResult(cmd *cobra.Command, args []string) error {
	if len(args) == 1 {
		return nil
	}
	return usage("%s takes one result file, as --json FILE or --out DIR writes it; %d were given", cmd.CommandPath(), len(args))
}

// writeTo writes a whole file or nothing, and never over the input; - is standard
// output.
func writeTo(path string, std io.Writer, input string, write func(io.Writer) error) error {
	s, err := reserve(path, std)
	if err != nil {
		return usage("%w", err)
	}
	defer s.discard()
	if s.overwrites(input) {
		return usage("%s is the result that is read, and would be overwritten; name another file", input)
	}
	if err := s.commit(write); err != nil {
		return undecided(fmt.Errorf("writing %s: %w", path, err))
	}
	return nil
}
