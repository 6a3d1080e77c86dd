package main

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/monolock-dev/monolock-conform/conformance/typo"
)

const longHelp = `monolock-conform tests whether a monolock server or client conforms to the
protocol, requirement by requirement, and says why where it does not.

  monolock-conform --server HOST:PORT            test a running server
  monolock-conform --server-cmd 'CMD {listen}'   start it, stop it and restart it, too
  monolock-conform --client 'CMD'                test a client, by its adapter
  monolock-conform                               the embedded reference server and client: a first look

Hostile scenarios send garbage, flood and exhaust: test a test server, not one
that serves production. Names begin with --lock-prefix, but for a few that test
what stands at a name's very beginning.

Exit codes: 0 conformant, 1 not conformant, 2 usage, 3 undecided (the subject
cannot be reached, or something could not be told), 130 interrupted.`

// newRoot is the whole command line.
func newRoot(c console) *cobra.Command {
	var o options
	root := &cobra.Command{
		Use:           "monolock-conform",
		Short:         "The conformance suite of monolock",
		Long:          longHelp,
		Args:          noArguments,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if o.version {
				return printVersion(c)
			}
			o.noteEmpty(cmd.Flags())
			return judge(cmd.Context(), o, c)
		},
	}
	o.register(root.Flags())
	root.SetFlagErrorFunc(flagError)
	root.AddCommand(
		newList(c), newExplain(c), newReport(c), newMerge(c), newBaseline(c), newProxy(c), newDissector(c), newTrace(c),
		newCertify(c), newVerify(c), newClients(c), newSelftest(c), newVersion(c), newDefect(c),
	)
	return root
}

// noArguments refuses arguments, with the command that may have been meant.
func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var names []string
	for _, sub := range cmd.Root().Commands() {
		if !sub.Hidden {
			names = append(names, sub.Name())
		}
	}
	return usage("unknown command %q%s; see monolock-conform --help", args[0], didYouMean(args[0], names))
}

// flagError makes an unknown flag a usage error that offers the nearest one.
func flagError(cmd *cobra.Command, err error) error {
	const unknown = "unknown flag: "
	word, found := strings.CutPrefix(err.Error(), unknown)
	if !found {
		return usage("%v; see %s --help", err, cmd.CommandPath())
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, "--"+f.Name) })
	return usage("unknown flag %s%s; see %s --help", word, didYouMean(word, names), cmd.CommandPath())
}

func didYouMean(word string, known []string) string {
	if name, ok := typo.Nearest(word, known); ok {
		return " (did you mean " + name + "?)"
	}
	return ""
}
