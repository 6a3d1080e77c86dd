package main

import (
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/monolock-dev/monolock-conform/reports/clientlist"
)

const longClients = `clients reads a folder of certificates, one folder a client and version, verifies
each, and writes the list of clients: as text, or with --markdown or --html as a
file or, without a file's name, to standard output. What does not verify is listed
as refused, with the reason.

Exit codes: 0 all hold, 1 some are refused, 2 the folder holds no certificate.`

func newClients(c console) *cobra.Command {
	cmd := &cobra.Command{
		Use: "clients DIR", Short: "List the certified clients", Long: longClients, Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			dir, err := folderOf(cmd.Flags(), args)
			if err != nil {
				return err
			}
			return listClients(c, cmd.Flags(), dir)
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	for _, format := range listFormats {
		f.String(format.flag, "", format.help)
		f.Lookup(format.flag).NoOptDefVal = "-"
	}
	cmd.SetFlagErrorFunc(flagError)
	return cmd
}

// listFormats are the forms of the list beside text.
var listFormats = []struct {
	flag, help string
	write      func(clientlist.List, writer) error
}{
	{"markdown", "write it as Markdown to `FILE`; - is standard output", func(l clientlist.List, w writer) error { return l.Markdown(w) }},
	{"html", "write it as one page of HTML to `FILE`; - is standard output", func(l clientlist.List, w writer) error { return l.HTML(w) }},
}

// folderOf takes the folder from the words that are no flags. A flag may stand
// alone, so the file's name behind it comes as a word, too: "--html FILE".
func folderOf(f *pflag.FlagSet, args []string) (string, error) {
	var open []*pflag.Flag // without a file's name, in the order of the command line
	f.Visit(func(flag *pflag.Flag) {
		if flag.Value.String() == "-" {
			open = append(open, flag)
		}
	})
	at := slices.IndexFunc(args, func(arg string) bool {
		info, err := os.Stat(arg)
		return err == nil && info.IsDir()
	})
	if at < 0 && len(args) == 1 {
		at = 0 // says what is wrong with it
	}
	if at < 0 {
		return "", usage("clients takes a folder of certificates, one folder in it for each client and version")
	}
	files := slices.Delete(slices.Clone(args), at, at+1)
	if len(files) > 0 && len(files) != len(open) {
		return "", usage("clients takes one folder, and cannot tell what %q is; write --markdown=FILE or --html=FILE", files)
	}
	for i, file := range files {
		if err := open[i].Value.Set(file); err != nil {
			return "", usage("%w", err)
		}
	}
	return args[at], nil
}

// listClients writes the list to wherever the flags say. All places are tried
// before anything is read, and nothing half-written is seen in them.
func listClients(c console, f *pflag.FlagSet, dir string) error {
	places, shown, err := listPlaces(c, f)
	if err != nil {
		return err
	}
	defer func() {
		for _, place := range places {
			place.discard()
		}
	}()
	list, err := clientlist.Read(dir, thisSuite(), time.Now())
	if err != nil {
		return usage("%w", err)
	}
	if shown == nil {
		err = list.Text(c.out)
	}
	for i, format := range listFormats {
		if err == nil {
			err = places[i].commit(func(w writer) error { return format.write(list, w) })
		}
	}
	if err != nil {
		return undecided(fmt.Errorf("writing the list: %w", err))
	}
	if len(list.Refused) == 0 {
		return nil
	}
	if shown != nil { // the text that tells of them was not
		for _, r := range list.Refused {
			fmt.Fprintf(c.err, "refused %q: %s\n", r.Folder, r.Reasons[0])
		}
	}
	return &exitError{exitNotConformant, errSaid}
}

// listPlaces reserves the files of the flags, and says which flags were given.
func listPlaces(c console, f *pflag.FlagSet) (places []*sink, given []string, err error) {
	standard := 0
	for _, format := range listFormats {
		path := f.Lookup(format.flag).Value.String()
		if f.Changed(format.flag) {
			given = append(given, format.flag)
			if path == "" {
				return nil, nil, usage("--%s was given without a value", format.flag)
			}
		}
		if path == "-" {
			standard++
		}
	}
	if standard > 1 {
		return nil, nil, usage("--markdown and --html cannot both go to standard output: give one of them a file")
	}
	for _, format := range listFormats {
		place, err := reserve(f.Lookup(format.flag).Value.String(), c.out)
		if err != nil {
			for _, other := range places {
				other.discard()
			}
			return nil, nil, usage("--%s: %w", format.flag, err)
		}
		places = append(places, place)
	}
	return places, given, nil
}
