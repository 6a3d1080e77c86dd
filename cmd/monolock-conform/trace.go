package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

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

// traceOptions are the flags of the trace command.
type traceOptions struct {
	role, json, color string
	port              uint16
	strict, verbose   bool
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
		RunE: func(cmd *cobra.Command, args []string) error { return trace(cmd.Context(), o, args[0], c) },
	}
	f := cmd.Flags()
	f.StringVar(&o.role, "role", "", "judge only the `server or client`")
	f.Uint16Var(&o.port, "port", 0, fmt.Sprintf("the server's `PORT`; only its connections are read (without: %d, and wherever locks are asked for)", capture.DefaultPort))
	f.BoolVar(&o.strict, "strict", false, "a SHOULD that does not hold fails")
	f.StringVar(&o.json, "json", "", "write the result to `FILE`; - is standard output; needs --role")
	f.StringVar(&o.color, "color", "auto", "colours: auto, always or never")
	f.BoolVar(&o.verbose, "verbose", false, "show more")
	cmd.SetFlagErrorFunc(flagError)
	return cmd
}

func (o traceOptions) validate() error {
	faults := []error{oneOf("--role", o.role, "", "server", "client"), oneOf("--color", o.color, "auto", "always", "never")}
	if o.json != "" && o.role == "" {
		faults = append(faults, errors.New("--json takes one result, and a capture has one of the server and one of the client: add --role server or --role client"))
	}
	if err := errors.Join(faults...); err != nil {
		return &exitError{exitUsage, err}
	}
	return nil
}

func trace(ctx context.Context, o traceOptions, path string, c console) error {
	if err := o.validate(); err != nil {
		return err
	}
	file, name, err := openCapture(path)
	if err != nil {
		return usage("%w", err)
	}
	defer file.Close()
	sink, err := reserve(o.json, c.out)
	if err != nil {
		return usage("--json: %w", err)
	}
	defer sink.discard()
	in := reports.TraceInput{
		Suite: reports.Suite{Version: version, Commit: commit()}, File: name, Port: o.port, Args: os.Args[1:], Strict: o.strict, Roles: roles,
	}
	if o.role != "" {
		in.Roles = []spec.Role{spec.Role(o.role)}
	}
	found, err := reports.NewTrace(untilDone{ctx, file}, in)
	if err != nil {
		return captureError(ctx, name, found.Summary, err)
	}
	return showTrace(found, o, c, sink)
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
func showTrace(found reports.Trace, o traceOptions, c console, sink *sink) error {
	shown := options{reports: reportPaths{"json": &o.json}, color: o.color, verbose: o.verbose}
	out := shown.textTo(c)
	var worst error
	for i, result := range found.Results {
		if len(found.Results) > 1 {
			title := map[spec.Role]string{spec.RoleServer: "The server", spec.RoleClient: "The clients"}[result.Subject.Role]
			fmt.Fprintf(out, "%s%s\n\n", map[bool]string{true: "\n"}[i > 0], title)
		}
		if err := reports.Text(out, result, textOptions(shown, c)); err != nil {
			return undecided(fmt.Errorf("writing the report: %w", err))
		}
		if code := result.ExitCode(false); code != exitConformant {
			worst = worse(worst, &exitError{code, errSaid})
		}
	}
	if err := sink.commit(func(w writer) error { return reports.WriteJSON(w, found.Results[0]) }); err != nil {
		return undecided(fmt.Errorf("writing the result: %w", err))
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
