package main

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/reports"
	"github.com/monolock-dev/monolock-conform/reports/certificate"
)

const longCertify = `certify runs the whole suite three times, each with a seed of its own, and where all
of it holds writes a signed certificate and the results that it speaks of into a
folder. Nothing that could weaken the verdict can be chosen: no filter, no
exclusion, no baseline, no other lease.

  monolock-conform certify --new-key author.key          once; keep it, publish author.key.pub
  monolock-conform certify --client 'python3 adapter.py' --url https://example.org/monolock-py \
      --contact mail@example.org --out certificates/monolock-py-0.3.1 --key author.key

A client's name and version are those of its adapter; a server needs --name and
--version. What was found stays in the folder where there is no certificate, too.

Exit codes: 0 certified, 1 not conformant, 2 usage, 3 undecided or not shown,
130 interrupted.`

// runFlags are the flags of a run that certify has, too. None of the others: they
// choose what is tested, or how strictly.
var runFlags = []string{"server", "server-cmd", "restart-cmd", "client", "io-timeout", "lock-prefix", "start-timeout", "timeout", "jobs", "color"}

// certification is the flags of certify, and what it does with them.
type certification struct {
	options
	about            certificate.About
	out, key, newKey string

	console console
	args    []string // of a plain run that would repeat one of these
	// run is one run of the suite; a test puts another in its place.
	run func(ctx context.Context, seed uint64) (reports.Input, bool)
	now func() time.Time
}

func newCertify(c console) *cobra.Command {
	cert := &certification{console: c, now: time.Now}
	cert.run = cert.once
	return cert.command()
}

func (c *certification) command() *cobra.Command {
	cmd := &cobra.Command{
		Use: "certify", Short: "Run the suite three times and sign a certificate", Long: longCertify, Args: noMoreArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return c.certify(cmd.Context(), cmd.Flags()) },
	}
	all := pflag.NewFlagSet("", pflag.ContinueOnError)
	c.register(all)
	f := cmd.Flags()
	f.SortFlags = false
	for _, name := range runFlags {
		f.AddFlag(all.Lookup(name))
	}
	f.StringVar(&c.about.Name, "name", "", "the `NAME` of the implementation")
	f.StringVar(&c.about.Version, "version", "", "the `VERSION` that is tested")
	f.StringVar(&c.about.URL, "url", "", "where it is published: an http or https `URL`")
	f.StringVar(&c.about.Contact, "contact", "", "who answers for it: an `ADDRESS` of mail or a page")
	f.StringVar(&c.out, "out", "", "write certificate, results and reports into the folder `DIR`")
	f.StringVar(&c.key, "key", "", "sign with the ed25519 key in `FILE` (PKCS#8, PEM)")
	f.StringVar(&c.newKey, "new-key", "", "make a key in `FILE` and its public part in FILE.pub, and do nothing else")
	cmd.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		name, unknown := strings.CutPrefix(err.Error(), "unknown flag: --")
		if unknown && all.Lookup(name) != nil {
			return usage("certify has no --%s: it runs the whole suite as it is, so that each certificate says the same", name)
		}
		return flagError(cmd, err)
	})
	return cmd
}

// noMoreArguments refuses words that are no flags.
func noMoreArguments(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usage("%s takes no argument %q; see %s --help", cmd.Name(), args[0], cmd.CommandPath())
	}
	return nil
}

func (c *certification) certify(ctx context.Context, f *pflag.FlagSet) error {
	c.noteEmpty(f)
	if c.newKey != "" {
		return c.makeKey(f)
	}
	if err := c.check(f); err != nil {
		return err
	}
	key, err := certificate.ReadKey(c.key)
	if err != nil {
		return usage("--key: %w", err)
	}
	if err := checkDescriptors(); err != nil {
		return err
	}
	out, err := newOutFolder(c.out)
	if err != nil {
		return usage("--out: %w", err)
	}
	c.args = repeatableArgs(f)
	runs, err := c.runs(ctx, out)
	if err != nil {
		return err
	}
	return c.seal(out, key, runs)
}

// makeKey makes a key and does nothing else.
func (c *certification) makeKey(f *pflag.FlagSet) error {
	if f.NFlag() > 1 {
		return usage("--new-key makes a key and does nothing else: leave the other flags out")
	}
	public, err := certificate.NewKey(c.newKey)
	if err != nil {
		return usage("--new-key: %w", err)
	}
	_, err = fmt.Fprintf(c.console.out, "%s\nwrote %s, which you keep, and %s.pub, which you publish\n", certificate.Fingerprint(public), c.newKey, c.newKey)
	return err
}

// check looks at all flags before anything starts, and joins what is wrong.
func (c *certification) check(f *pflag.FlagSet) error {
	var faults []error
	fault := func(ok bool, format string, args ...any) {
		if !ok {
			faults = append(faults, fmt.Errorf(format, args...))
		}
	}
	if err := c.validate(); err != nil {
		faults = append(faults, err)
	}
	fault(len(c.subjects()) > 0, "name what to certify: --server, --server-cmd or --client")
	fault(c.client != "" || c.about.Name != "" && c.about.Version != "", "a server does not say what it is: --name and --version")
	fault(c.about.URL != "", "--url: where is it published?")
	fault(c.about.Contact != "", "--contact: who answers for it?")
	fault(c.out != "", "--out: the folder of the certificate, one for each version")
	fault(c.key != "", "--key: the key that signs; --new-key FILE makes one")
	fault(c.out == "" || c.key == "" || !within(c.out, c.key), "--key %s lies in --out %s: the folder is published, and the key is not", c.key, c.out)
	fault(c.client == "" || !f.Changed("io-timeout"), "--io-timeout is a server's")
	fault(c.params.IOTimeout <= certificate.LongestIOTimeout, "--io-timeout %v: at most %v, for a longer one hides a server that drops nothing", c.params.IOTimeout, certificate.LongestIOTimeout)
	faults = append(faults, c.checkAbout())
	if err := errors.Join(faults...); err != nil {
		return &exitError{exitUsage, err}
	}
	return nil
}

// checkAbout checks the texts that are given; a client's adapter may give the others.
func (c *certification) checkAbout() error {
	about := c.about
	for _, text := range []*string{&about.Name, &about.Version, &about.Contact} {
		if *text == "" {
			*text = "-" // its lack is said elsewhere, or the adapter's to fill
		}
	}
	if about.URL == "" {
		about.URL = "https://-"
	}
	return about.Check()
}

// within reports whether path lies in the folder dir.
func within(dir, path string) bool {
	a, err := filepath.Abs(dir)
	b, other := filepath.Abs(path)
	if err != nil || other != nil {
		return false
	}
	rel, err := filepath.Rel(a, b)
	return err == nil && filepath.IsLocal(rel)
}

// repeatableArgs are the words of a plain run that tests the same.
func repeatableArgs(f *pflag.FlagSet) []string {
	var args []string
	f.Visit(func(flag *pflag.Flag) {
		if slices.Contains(runFlags, flag.Name) && flag.Name != "color" {
			args = append(args, "--"+flag.Name, flag.Value.String())
		}
	})
	return args
}

// runs runs the suite as often as a certificate needs. It ends with the first run
// that does not certify, whose results stay in the folder.
func (c *certification) runs(ctx context.Context, out outFolder) ([]reports.Result, error) {
	var results []reports.Result
	for n, seed := range seeds() {
		fmt.Fprintf(c.console.out, "run %d of %d, seed %d\n", n+1, certificate.Runs, seed)
		in, interrupted := c.run(ctx, seed)
		if exit, ok := errors.AsType[*exitError](in.Preflight); ok && exit.code == exitUsage {
			return nil, in.Preflight
		}
		in.Traces = map[string]string{}
		for _, r := range traced(in.Outcome, traceOnFailure) {
			in.Traces[r.Scenario.ID] = tracePath(r)
		}
		result := reports.New(in)
		results = append(results, result)
		if err := out.keep(n+1, result, in.Outcome); err != nil {
			return nil, undecided(err)
		}
		if reasons := certificate.RunReasons(result); len(reasons) > 0 || interrupted {
			return nil, c.refuse(out, results, reasons, interrupted)
		}
		fmt.Fprintf(c.console.out, "  %s\n", result.Words())
	}
	return results, nil
}

// seeds are chosen anew each time, so that nobody can prepare for them. Half the
// bits are enough, and survive readers that know no integers.
func seeds() []uint64 {
	var all []uint64
	for len(all) < certificate.Runs {
		if seed := uint64(rand.Uint32()); !slices.Contains(all, seed) {
			all = append(all, seed)
		}
	}
	return all
}

// once is one run of the whole suite.
func (c *certification) once(ctx context.Context, seed uint64) (reports.Input, bool) {
	o := c.options
	o.params.Seed, o.params.Nonce, o.params.StartTimeout = seed, conformance.NewNonce(), o.startTimeout
	role := o.roles()[0]
	selected, err := selection(o)
	if err != nil {
		return reports.Input{Preflight: err}, false
	}
	in := input(o, role, selected[role])
	in.Args = slices.Concat(c.args, []string{"--seed", fmt.Sprint(seed)})
	interrupted := perform(ctx, o, c.console, role, selected[role], &in)
	return in, interrupted
}

// refuse says why there is no certificate, and where what was found is.
func (c *certification) refuse(out outFolder, results []reports.Result, reasons []string, interrupted bool) error {
	last := results[len(results)-1]
	w := c.console.out
	if last.Result != reports.Conformant {
		if err := reports.Text(w, last, textOptions(c.options, c.console)); err != nil {
			return undecided(err)
		}
	}
	fmt.Fprintf(w, "\nnot certified:\n")
	for _, reason := range reasons {
		fmt.Fprintf(w, "  - %s\n", reports.CleanLine(reason))
	}
	if interrupted {
		fmt.Fprintf(w, "  - the run was interrupted\n")
	}
	badge, err := certificate.Badge(results)
	if err == nil {
		err = out.write(badge)
	}
	if err != nil {
		return undecided(err)
	}
	fmt.Fprintf(w, "what was found is kept in %s\n", c.out)
	return &exitError{refusedCode(last, interrupted), errSaid}
}

// refusedCode is the code of the run; a conformant one that does not certify has
// left something open.
func refusedCode(r reports.Result, interrupted bool) int {
	if code := r.ExitCode(interrupted); code != exitConformant {
		return code
	}
	return exitUndecided
}

// seal writes the certificate, and verifies it as anybody would.
func (c *certification) seal(out outFolder, key ed25519.PrivateKey, runs []reports.Result) error {
	files, err := certificate.Seal(certificate.Order{
		About: c.about, Runs: runs, IOTimeout: c.params.IOTimeout, LockPrefix: c.params.LockPrefix, Issued: c.now(), Key: key,
	})
	if refused, ok := errors.AsType[*certificate.RefusedError](err); ok {
		return c.refuse(out, runs, refused.Reasons, false)
	}
	if err != nil {
		return undecided(err)
	}
	for _, file := range files {
		if err := out.write(file); err != nil {
			return undecided(err)
		}
	}
	public := key.Public().(ed25519.PublicKey)
	found, err := certificate.Verify(c.out, thisSuite(), public, c.now())
	if err == nil && !found.Holds() {
		err = fmt.Errorf("the certificate does not verify: %s", found.Faults[0].Says)
	}
	if err != nil {
		os.Remove(filepath.Join(c.out, certificate.EnvelopeFile))
		return undecided(err)
	}
	showCertificate(c.console.out, found)
	_, err = fmt.Fprintf(c.console.out, "\ncertified: %s\nanybody can check it: monolock-conform verify %s --key YOUR-PUBLISHED-KEY.pub\n",
		filepath.Join(c.out, certificate.EnvelopeFile), c.out)
	return err
}

// thisSuite is what this program knows of certificates.
func thisSuite() certificate.Suite {
	return certificate.Suite{Version: version, Catalogue: spec.Hash(), CatalogueVersion: spec.CatalogueVersion, Scenarios: allScenarios}
}
