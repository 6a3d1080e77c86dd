package main

import (
	"errors"
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/spf13/pflag"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/conformance/subject"
	"github.com/monolock-dev/monolock-conform/reports"
)

// options are the flags of a run.
type options struct {
	server, serverCmd, restartCmd string
	client, role, manual          string
	startTimeout, timeout         time.Duration

	run, skip   []string
	labelFilter string
	strict      bool

	params conformance.Params
	jobs   int
	repeat int

	reports          reportPaths
	out              string
	trace            string
	baselineFile     string
	known            reports.Baseline // read from it
	shard            string
	format, color    string
	verbose, version bool
	feed             *feed // with --format json-lines

	empty []error // flags that were given without a value
}

// noteEmpty notes the flags that were given an empty value: an unset variable in a
// script must not choose another subject, or drop a report.
func (o *options) noteEmpty(f *pflag.FlagSet) {
	f.Visit(func(flag *pflag.Flag) {
		if value := flag.Value.String(); value == "" || value == "[]" {
			if flag.Name != "lock-prefix" {
				o.empty = append(o.empty, fmt.Errorf("--%s was given without a value", flag.Name))
			}
		}
	})
}

// register defines the flags. Defaults stand with what they set.
func (o *options) register(f *pflag.FlagSet) {
	o.params = conformance.DefaultParams()
	f.SortFlags = false
	f.StringVar(&o.server, "server", "", "test the server at `HOST:PORT`")
	f.StringVar(&o.serverCmd, "server-cmd", "", "start the server with `CMD`, in which {listen} becomes its address; the feature control is tested, too")
	f.StringVar(&o.restartCmd, "restart-cmd", "", "with --server: restart it with `CMD`, which must return when the server was started again")
	f.StringVar(&o.client, "client", "", "test the client whose adapter `CMD` starts (see conformance/ADAPTER.md)")
	f.StringVar(&o.manual, "manual", "", "play one client `SCENARIO` without time limits, for an adapter that you start by hand")
	f.StringVar(&o.role, "role", "", "without a subject: test only the embedded `server or client`")
	f.DurationVar(&o.startTimeout, "start-timeout", subject.DefaultStartTimeout, "how long a started server may take to answer, an adapter to say hello")

	f.StringSliceVar(&o.run, "run", nil, "run only these scenarios: `IDs` of scenarios or requirements, * and ? allowed")
	f.StringSliceVar(&o.skip, "skip", nil, "leave these `IDs` out")
	f.StringVar(&o.labelFilter, "label-filter", "", "run what this Ginkgo label `expression` selects: role, topic, level, feature, requirement")
	f.BoolVar(&o.strict, "strict", false, "a SHOULD that does not hold fails")

	f.DurationVar(&o.params.Lease, "lease", conformance.DefaultLease, "base lease; every scenario scales from it")
	f.DurationVar(&o.params.IOTimeout, "io-timeout", conformance.DefaultIOTimeout, "the io-timeout that the server was given")
	f.StringVar(&o.params.LockPrefix, "lock-prefix", conformance.DefaultLockPrefix, "what lock names begin with")
	f.IntVar(&o.params.Sessions, "sessions", conformance.DefaultSessions, "how many sessions at once the server must serve")
	f.Uint64Var(&o.params.Seed, "seed", conformance.DefaultSeed, "every random choice follows from it")
	f.IntVar(&o.jobs, "jobs", 0, fmt.Sprintf("how many scenarios run side by side; 0 is %d for a server and %d for a client", conformance.DefaultJobs, conformance.DefaultClientJobs))
	f.IntVar(&o.repeat, "repeat", 1, "how often each scenario runs; what fails once and passes once is flaky")
	f.DurationVar(&o.timeout, "timeout", 10*time.Minute, "end the run after this time")

	f.StringVar(&o.baselineFile, "baseline", "", "known failures: `FILE` with a line \"ID reason\" each; one that passes fails the run")
	f.StringVar(&o.shard, "shard", "", "run part `I/N` of the scenarios, for a CI matrix; monolock-conform merge joins the parts")

	o.reports.register(f)
	f.StringVar(&o.out, "out", "", "write all of these, and packet captures, to the folder `DIR`")
	f.StringVar(&o.trace, "trace", "", "packet captures (pcapng): `WHEN` is on-failure, always or never; on-failure with --out, else never")
	f.StringVar(&o.format, "format", "text", "what standard output shows: `FORMAT` is text, github, tap or json-lines")
	f.StringVar(&o.color, "color", "auto", "colours: auto, always or never")
	f.BoolVar(&o.verbose, "verbose", false, "show the slowest scenarios, too")
	f.BoolVar(&o.version, "version", false, "print the version")
}

// bounds of numbers, each with its reason in the message.
const (
	shortestLease = 400 * time.Millisecond
	longestLease  = time.Minute
	longestPrefix = 64
	mostRepeats   = 1000
	// shortestIOTimeout is above the time of a message in single bytes.
	shortestIOTimeout = time.Second
)

// validate checks all flags and joins what is wrong.
func (o *options) validate() error {
	faults := o.empty
	fault := func(ok bool, format string, args ...any) {
		if !ok {
			faults = append(faults, fmt.Errorf(format, args...))
		}
	}
	fault(len(o.subjects()) <= 1, "%s name more than one subject; a run has one", strings.Join(o.subjects(), " and "))
	fault(o.role == "" || len(o.subjects()) == 0, "--role chooses between the embedded subjects; %s names another", strings.Join(o.subjects(), ""))
	faults = append(faults, o.checkReports()...)
	faults = append(faults, oneOf("--role", o.role, "", "server", "client"))
	fault(o.restartCmd == "" || o.server != "", "--restart-cmd goes with --server; with --server-cmd the suite restarts the server itself")
	if o.server != "" {
		faults = append(faults, checkAddress(o.server))
	}
	fault(o.params.Lease >= shortestLease && o.params.Lease <= longestLease, "--lease %v: from %v, below which the tolerances hide what they judge, to %v", o.params.Lease, shortestLease, longestLease)
	fault(o.params.Lease%time.Millisecond == 0, "--lease %v: whole milliseconds, as on the wire", o.params.Lease)
	fault(o.params.IOTimeout >= shortestIOTimeout, "--io-timeout %v: at least %v, for the suite sends messages in pieces that take nearly so long", o.params.IOTimeout, shortestIOTimeout)
	fault(len(o.params.LockPrefix) <= longestPrefix, "--lock-prefix: at most %d bytes, since names of 100 bytes are needed", longestPrefix)
	fault(utf8.ValidString(o.params.LockPrefix), "--lock-prefix %q: valid UTF-8, since it begins lock names", o.params.LockPrefix)
	fault(o.params.Sessions > 0, "--sessions %d: at least 1", o.params.Sessions)
	fault(o.jobs >= 0, "--jobs %d: at least 1, or 0 for the default", o.jobs)
	fault(o.repeat > 0 && o.repeat <= mostRepeats, "--repeat %d: from 1 to %d", o.repeat, mostRepeats)
	fault(o.timeout > 0, "--timeout %v: more than 0", o.timeout)
	fault(o.startTimeout > 0, "--start-timeout %v: more than 0", o.startTimeout)
	faults = append(faults, oneOf("--format", o.format, "text", "github", "tap", "json-lines"), oneOf("--color", o.color, "auto", "always", "never"))
	if err := errors.Join(faults...); err != nil {
		return &exitError{exitUsage, err}
	}
	return nil
}

// subjects lists the flags that name a subject.
func (o *options) subjects() []string {
	var flags []string
	for _, s := range []struct{ flag, value string }{{"--server", o.server}, {"--server-cmd", o.serverCmd}, {"--client", o.client}, {"--manual", o.manual}} {
		if s.value != "" {
			flags = append(flags, s.flag)
		}
	}
	return flags
}

// roles lists the roles that are tested: that of the subject, or both.
func (o *options) roles() []spec.Role {
	switch {
	case o.client != "" || o.manual != "" || o.role == "client":
		return []spec.Role{spec.RoleClient}
	case len(o.subjects()) > 0 || o.role == "server":
		return []spec.Role{spec.RoleServer}
	}
	return roles
}

func oneOf(flag, value string, allowed ...string) error {
	if slices.Contains(allowed, value) {
		return nil
	}
	return fmt.Errorf("%s %q: one of %s%s", flag, value, strings.Join(allowed, ", "), didYouMean(value, allowed))
}

// checkAddress tells what is wrong with a HOST:PORT.
func checkAddress(address string) error {
	host, port, err := net.SplitHostPort(address)
	if err != nil || host == "" {
		return fmt.Errorf("--server %q: HOST:PORT, such as 127.0.0.1:7070 or [::1]:7070", address)
	}
	if n, err := strconv.Atoi(port); err != nil || n < 1 || n > 65535 {
		return fmt.Errorf("--server %q: the port must be a number from 1 to 65535", address)
	}
	return nil
}
