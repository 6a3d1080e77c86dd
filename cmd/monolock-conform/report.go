package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/monolock-dev/monolock-conform/reports"
)

// saved are the flags of commands that report on saved results.
type saved struct{ options }

func (o *saved) register(f *pflag.FlagSet) {
	o.reports.register(f)
	f.StringVar(&o.format, "format", "text", "what standard output shows: `FORMAT` is text, github or tap")
	f.StringVar(&o.color, "color", "auto", "colours: auto, always or never")
	f.BoolVar(&o.verbose, "verbose", false, "show the slowest scenarios, too")
}

// check tells what is wrong with the flags. Shown says that standard output is
// taken by --format.
func (o *saved) check(shown bool) error {
	faults := append(o.empty, oneOf("--format", o.format, "text", "github", "tap"), oneOf("--color", o.color, "auto", "always", "never"))
	if std := o.reports.standardOutput(); len(std) > 1 || len(std) == 1 && shown && o.format != "text" {
		faults = append(faults, errors.New("more than one report goes to standard output; name a file"))
	}
	if err := errors.Join(faults...); err != nil {
		return &exitError{exitUsage, err}
	}
	return nil
}

// write writes the reports of r, which was read from these files, and shows it where
// that is wanted.
func (o *saved) write(c console, r reports.Result, inputs []string, shown bool) error {
	places, err := reserveOutputs(o.reports, "", c.out)
	if err != nil {
		return err
	}
	defer places.discard()
	if err := places.spare(inputs...); err != nil {
		return err
	}
	err = places.commit(r)
	if shown {
		err = errors.Join(err, show(o.options, c, r))
	}
	if err != nil {
		return undecided(fmt.Errorf("writing the reports: %w", err))
	}
	return nil
}

func newReport(c console) *cobra.Command {
	var o saved
	cmd := &cobra.Command{
		Use:   "report RESULT",
		Short: "Write reports of a result that was saved before",
		Long: `Write any report of a result that --json or --out saved, without a new run.
Without a flag it shows the text. The exit code is that of reading and writing, not
that of the result: 0, or 2 where the file is no result.`,
		Args: oneResult,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.noteEmpty(cmd.Flags())
			shown := cmd.Flags().Changed("format") || len(o.reports.given()) == 0
			if err := o.check(shown); err != nil {
				return err
			}
			result, err := loadResult(args[0])
			if err != nil {
				return err
			}
			return o.write(c, result, args, shown)
		},
	}
	o.register(cmd.Flags())
	return cmd
}

func newMerge(c console) *cobra.Command {
	var o saved
	cmd := &cobra.Command{
		Use:   "merge RESULT...",
		Short: "Join the results of the parts of --shard into one",
		Long: `Join the results of all parts of one run, each made with --shard I/N and --json. All
must be of the same suite, subject, seed and lease. The exit code is that of the
joined result.`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage("merge takes the result files of all parts of --shard")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			o.noteEmpty(cmd.Flags())
			if err := o.check(true); err != nil {
				return err
			}
			whole, err := joined(args)
			if err != nil {
				return err
			}
			if err := o.write(c, whole, args, true); err != nil {
				return err
			}
			if code := whole.ExitCode(false); code != exitConformant {
				return &exitError{code, errSaid}
			}
			return nil
		},
	}
	o.register(cmd.Flags())
	return cmd
}

// joined is the result of the parts in these files.
func joined(paths []string) (reports.Result, error) {
	parts := make([]reports.Result, len(paths))
	for i, path := range paths {
		var err error
		if parts[i], err = loadResult(path); err != nil {
			return reports.Result{}, err
		}
	}
	whole, err := reports.MergeNamed(paths, parts)
	if err != nil {
		return reports.Result{}, usage("%w", err)
	}
	return whole, nil
}
