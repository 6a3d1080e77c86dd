package main

import (
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/monolock-dev/monolock-conform/reports"
)

// readBaseline reads the file of --baseline. "" is no known failure.
func readBaseline(path string) (reports.Baseline, error) {
	if path == "" {
		return reports.Baseline{}, nil
	}
	file, err := os.Open(path)
	if err != nil {
		return reports.Baseline{}, usage("--baseline: %w", err)
	}
	defer file.Close()
	known, err := reports.ParseBaseline(file)
	if err != nil {
		return reports.Baseline{}, usage("--baseline %s: %w", path, err)
	}
	return known, nil
}

func newBaseline(c console) *cobra.Command {
	var path string
	cmd := &cobra.Command{
		Use:   "baseline RESULT",
		Short: "Write the failures of a result as known ones, for --baseline",
		Long: `Write a line "ID reason" for each requirement that fails in the result. A later
run with --baseline passes over these, and fails when one of them holds: then its
line is out of date.`,
		Args: oneResult,
		RunE: func(_ *cobra.Command, args []string) error {
			result, err := loadResult(args[0])
			if err != nil {
				return err
			}
			return writeTo(path, c.out, args[0], func(w io.Writer) error { return reports.WriteBaseline(w, result) })
		},
	}
	cmd.Flags().StringVarP(&path, "output", "o", "-", "write to `FILE`; - is standard output")
	return cmd
}
