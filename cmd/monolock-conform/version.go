package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/monolock-dev/monolock-conform/conformance/spec"
)

// version is the suite's; a release sets it with -ldflags.
var version = "0.1.0-dev"

func newVersion(c console) *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Print the version of the suite and of its catalogue", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return printVersion(c) },
	}
}

func printVersion(c console) error {
	_, err := fmt.Fprintf(c.out, "monolock-conform %s\ncommit %s\ncatalogue %d %s\n%s %s/%s\n",
		version, commit(), spec.CatalogueVersion, spec.Hash(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return err
}

// commit is what the program was built from, or "unknown".
func commit() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	revision, modified := "unknown", ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			revision = s.Value
		case s.Key == "vcs.modified" && s.Value == "true":
			modified = " (modified)"
		}
	}
	return revision + modified
}
