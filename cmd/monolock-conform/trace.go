package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/conformance/timeline/capture"
	"github.com/monolock-dev/monolock-conform/reports"
)

const traceHelp = `Reads a pcap or pcapng, such as tcpdump -w writes, follows the connections that
speak monolock and judges both ends of each. A capture shows a part of what a run
tests: what it cannot show is unsupported, and what it leaves in doubt, for bytes
that are missing or a place too far from an end, is inconclusive.

  tcpdump -i any -s 0 -w locks.pcap tcp port 7070
  monolock-conform trace locks.pcap

Timing is judged where the capture was taken near an end, best on the host of the
server or of the client, and from the beginning of a connection. Captures of several
hosts must not be merged: their clocks differ.

Exit codes: 0 conformant in what was seen, 1 not conformant, 2 no capture, or one in
which nothing speaks monolock, 3 undecided.`

// traceOptions are the flags of the trace command: those of a run that are about
// reports, and what is judged.
type traceOptions struct {
	options
	port uint16
}

func newTrace(c console) *cobra.Command {
	var o traceOptions
	cmd := &cobra.Command{
		Use: "trace FILE", Short: "Judge a capture that tcpdump made", Long: traceHelp,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usage("trace takes one file of tcpdump, or - for standard input")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			o.noteEmpty(cmd.Flags())
			return trace(cmd.Context(), o, args[0], c)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.role, "role", "", "judge only the `server or client`")
	f.Uint16Var(&o.port, "port", 0, fmt.Sprintf("the server's `PORT`; only its connections are read (without: %d, and wherever locks are asked for)", capture.DefaultPort))
	f.BoolVar(&o.strict, "strict", false, "a SHOULD that does not hold fails")
	o.reports.register(f)
	f.StringVar(&o.out, "out", "", "write all of these to the folder `DIR`; without --role into DIR/server and DIR/client")
	f.StringVar(&o.format, "format", "text", "what standard output shows: `FORMAT` is text, github or tap")
	f.StringVar(&o.color, "color", "auto", "colours: auto, always or never")
	f.BoolVar(&o.verbose, "verbose", false, "show the slowest scenarios, too")
	cmd.SetFlagErrorFunc(flagError)
	return cmd
}

// checkFlags tells what is wrong with the flags. A capture has a result of the server and one
// of the clients, so what takes one result needs --role.
func (o *traceOptions) checkFlags() error {
	faults := append(o.empty, oneOf("--role", o.role, "", "server", "client"), oneOf("--format", o.format, "text", "github", "tap"), oneOf("--color", o.color, "auto", "always", "never"))
	fault := func(ok bool, format string, args ...any) {
		if !ok {
			faults = append(faults, fmt.Errorf(format, args...))
		}
	}
	single, std := o.reports.given(), o.reports.standardOutput()
	fault(o.role != "" || len(single) == 0, "%s takes one result, and a capture has one of the server and one of the clients: add --role server or --role client, or write both with --out DIR", strings.Join(single, " and "))
	fault(o.role != "" || o.format != "tap", "--format tap shows one result, and a capture has one of the server and one of the clients: add --role server or --role client")
	fault(len(std) < 2, "%s all go to standard output; only one can", strings.Join(std, " and "))
	fault(len(std) == 0 || o.format == "text", "%s goes to standard output, and so does --format %s; name a file", strings.Join(std, ""), o.format)
	if err := errors.Join(faults...); err != nil {
		return &exitError{exitUsage, err}
	}
	return nil
}

func trace(ctx context.Context, o traceOptions, path string, c console) error {
	if err := o.checkFlags(); err != nil {
		return err
	}
	file, name, err := openCapture(path)
	if err != nil {
		return usage("%w", err)
	}
	defer file.Close()
	places := map[spec.Role]*outputs{}
	for _, role := range o.roles() {
		if places[role], err = reserveOutputs(o.reports, o.folderOf(role), c.out); err != nil {
			return err
		}
		defer places[role].discard()
		if err := places[role].spare(path); err != nil {
			return err
		}
	}
	found, err := reports.NewTrace(untilDone{ctx, file}, reports.TraceInput{
		Suite: reports.Suite{Version: version, Commit: commit()}, File: name, Port: o.port, Args: os.Args[1:], Strict: o.strict, Roles: o.roles(),
	})
	if err != nil {
		return captureError(ctx, name, found.Summary, err)
	}
	return showTrace(found, o.options, c, places)
}

// openCapture opens a file, or standard input.
func openCapture(path string) (file io.ReadCloser, name string, err error) {
	if path == "-" {
		return io.NopCloser(os.Stdin), "standard input", nil
	}
	opened, err := os.Open(path)
	if err != nil {
		return nil, "", err
	}
	if info, err := opened.Stat(); err == nil && info.IsDir() {
		opened.Close()
		return nil, "", fmt.Errorf("%s is a folder; name a file that tcpdump wrote", path)
	}
	return opened, path, nil
}

// untilDone is a reader that an interrupt ends.
type untilDone struct {
	ctx context.Context
	in  io.Reader
}

func (r untilDone) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.in.Read(p)
}

// captureError says what is wrong with a capture.
func captureError(ctx context.Context, name string, s capture.Summary, err error) error {
	var bad *capture.FormatError
	switch {
	case ctx.Err() != nil:
		return &exitError{exitInterrupted, fmt.Errorf("interrupted; %d packets were read, and nothing was judged", s.Packets)}
	case errors.Is(err, capture.ErrForeign):
		return usage("%s: %s", name, reports.TraceForeign(s))
	case errors.As(err, &bad):
		return usage("%s: %w", name, err)
	}
	return undecided(fmt.Errorf("%s: %w", name, err))
}

// showTrace writes the reports of each role and turns them into an exit.
func showTrace(found reports.Trace, o options, c console, places map[spec.Role]*outputs) error {
	var worst error
	for i, result := range found.Results {
		if len(found.Results) > 1 {
			title := map[spec.Role]string{spec.RoleServer: "The server", spec.RoleClient: "The clients"}[result.Subject.Role]
			fmt.Fprintf(o.textTo(c), "%s%s\n\n", map[bool]string{true: "\n"}[i > 0], title)
		}
		if err := errors.Join(show(o, c, result), places[result.Subject.Role].commit(result)); err != nil {
			return undecided(fmt.Errorf("writing the reports: %w", err))
		}
		if code := result.ExitCode(false); code != exitConformant {
			worst = worse(worst, &exitError{code, errSaid})
		}
	}
	return worst
}

func newDissector(c console) *cobra.Command {
	return &cobra.Command{
		Use: "dissector", Short: "Print a Wireshark dissector of the protocol, in Lua", Args: cobra.NoArgs,
		Long: "Prints a Wireshark dissector of the protocol, in Lua.\n\n" +
			"  monolock-conform dissector > monolock.lua\n" +
			"  tshark -X lua_script:monolock.lua -r locks.pcap -Y monolock\n",
		RunE: func(*cobra.Command, []string) error {
			_, err := io.WriteString(c.out, capture.Dissector)
			return err
		},
	}
}
