package main

import (
	"context"
	"fmt"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/reports"
	"github.com/monolock-dev/monolock-conform/scenarios/selftest"
)

const longSelftest = `selftest shows what the verdicts are worth: it runs servers and clients that are
each wrong in one way, for real over loopback, with the scenarios that could see
it, and tells which requirements failed. Give IDs or patterns (* and ?) to run
some; --list names them all and runs none.

Exit codes: 0 each is refused, for what it breaks and nothing else; 1 one is not;
2 usage; 3 one could not be run or told; 130 interrupted.`

// selftestFlags are the command's own.
type selftestFlags struct {
	role string
	jobs int
	list bool
}

func newSelftest(c console) *cobra.Command {
	var flags selftestFlags
	cmd := &cobra.Command{
		Use: "selftest [DEFECT...]", Short: "Run wrong servers and clients, and see each refused", Long: longSelftest, Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			wrong, err := flags.choose(args)
			if err != nil {
				return err
			}
			if flags.list {
				return listWrong(c, wrong)
			}
			return proveAll(cmd.Context(), c, wrong, flags.jobs)
		},
	}
	const sideBySide = 16 // they mostly wait
	f := cmd.Flags()
	f.SortFlags = false
	f.StringVar(&flags.role, "role", "", "only the `server|client` ones")
	f.IntVar(&flags.jobs, "jobs", sideBySide, "how many run side by side")
	f.BoolVar(&flags.list, "list", false, "name them, and run none")
	cmd.SetFlagErrorFunc(flagError)
	return cmd
}

// choose returns the wrong ones that the arguments name, all without any.
func (f selftestFlags) choose(patterns []string) ([]selftest.Wrong, error) {
	all := selftest.All()
	if f.jobs < 1 {
		return nil, usage("--jobs %d: at least 1 must run", f.jobs)
	}
	if f.role != "" {
		if !slices.Contains([]spec.Role{spec.RoleServer, spec.RoleClient}, spec.Role(f.role)) {
			return nil, usage("--role %s: it is server or client", reports.CleanLine(f.role))
		}
		all = slices.DeleteFunc(all, func(w selftest.Wrong) bool { return string(w.Role) != f.role })
	}
	if len(patterns) == 0 {
		return all, nil
	}
	chosen := map[string]bool{}
	for _, pattern := range patterns {
		found := false
		for _, w := range all {
			if match, _ := path.Match(pattern, w.ID); match || pattern == w.ID {
				chosen[w.ID], found = true, true
			}
		}
		if !found {
			return nil, usage("%s matches no wrong server or client%s; `monolock-conform selftest --list` names them", reports.CleanLine(pattern), didYouMean(pattern, defectIDs()))
		}
	}
	return slices.DeleteFunc(all, func(w selftest.Wrong) bool { return !chosen[w.ID] }), nil
}

func listWrong(c console, wrong []selftest.Wrong) error {
	for _, w := range wrong {
		if _, err := fmt.Fprintf(c.out, "%s  %s\n    %s\n    breaks %s\n", w.Role, w.ID, w.Sentence, listed(w.Must)); err != nil {
			return err
		}
	}
	return nil
}

// proveAll runs them, tells of each, and sums up.
func proveAll(ctx context.Context, c console, wrong []selftest.Wrong, jobs int) error {
	if err := checkDescriptors(); err != nil {
		return err
	}
	command, err := defectCommand()
	if err != nil {
		return err
	}
	params := conformance.DefaultParams()
	params.Nonce = conformance.NewNonce()
	started, tally := time.Now(), proofTally{all: len(wrong)}
	selftest.Run(ctx, wrong, selftest.Options{Params: params, Jobs: jobs, Defect: command}, func(p selftest.Proof) {
		tally.add(p)
		fmt.Fprintf(c.out, "%d/%d  %s\n", tally.done, tally.all, proofLine(p))
	})
	fmt.Fprintf(c.out, "\n%s in %v\n", tally.words(), time.Since(started).Round(100*time.Millisecond))
	return tally.exit(ctx)
}

// defectCommand returns how this program runs a defect as a process.
func defectCommand() (func(id string) string, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, undecided(fmt.Errorf("this program's own path, to run a defect as a process: %w", err))
	}
	quoted := "'" + strings.ReplaceAll(program, "'", `'\''`) + "'"
	return func(id string) string { return quoted + " defect " + id }, nil
}

// proofLine tells of one in a line, and of one that was not refused as it should
// be in more.
func proofLine(p selftest.Proof) string {
	word := "refused"
	switch {
	case p.Err != nil:
		word = "ERROR"
	case len(p.Missed) > 0:
		word = "MISSED"
	case len(p.Unlisted) > 0:
		word = "MORE"
	case len(p.Open) > 0:
		word = "OPEN"
	}
	line := fmt.Sprintf("%-7s  %s %s: %s  (%s; %.1fs)", word, p.Wrong.Role, p.Wrong.ID, p.Wrong.Sentence, listed(p.Failed), p.Took.Seconds())
	if p.Err != nil {
		line += "\n         could not be run: " + reports.CleanLine(p.Err.Error())
	}
	if len(p.Missed) > 0 {
		line += "\n         breaks, and passed: " + listed(p.Missed)
	}
	if len(p.Open) > 0 {
		line += "\n         breaks, and could not be told: " + listed(p.Open) + "; a quieter machine helps"
	}
	if len(p.Unlisted) > 0 {
		line += "\n         failed, and does not break: " + listed(p.Unlisted)
	}
	return line
}

func listed(ids []spec.ID) string {
	if len(ids) == 0 {
		return "nothing failed"
	}
	words := make([]string, len(ids))
	for i, id := range ids {
		words[i] = string(id)
	}
	return strings.Join(words, " ")
}

// proofTally counts proofs.
type proofTally struct{ all, done, refused, open int }

func (t *proofTally) add(p selftest.Proof) {
	t.done++
	switch {
	case p.Refused():
		t.refused++
	case p.Err != nil || len(p.Missed)+len(p.Unlisted) == 0:
		t.open++
	}
}

func (t *proofTally) words() string {
	words := fmt.Sprintf("%d of %d wrong servers and clients are refused, each for what it breaks and nothing else", t.refused, t.all)
	if rest := t.all - t.done; rest > 0 {
		words += fmt.Sprintf("; %d were not reached", rest)
	}
	return words
}

func (t *proofTally) exit(ctx context.Context) error {
	switch {
	case ctx.Err() != nil:
		return &exitError{exitInterrupted, errSaid}
	case t.refused+t.open < t.done:
		return &exitError{exitNotConformant, errSaid}
	case t.open > 0:
		return &exitError{exitUndecided, errSaid}
	}
	return nil
}
