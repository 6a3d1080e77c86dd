package main

import (
	"crypto/ed25519"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/monolock-dev/monolock-conform/reports"
	"github.com/monolock-dev/monolock-conform/reports/certificate"
	"github.com/monolock-dev/monolock-conform/scenarios"
)

// allScenarios is the registry that certificates are compared with.
var allScenarios = scenarios.All

const longVerify = `verify checks a certificate without trusting anybody: it judges the results again,
compares them with this suite's catalogue and scenarios, and looks at digests,
signature, seeds, dates and levels. It says all that does not hold.

With --key the signature must be by this key, which you have from its owner. Without
it the key in the folder is used: then a certificate that holds was not changed
since it was signed, but anybody can have signed it.

Exit codes: 0 it holds, 1 it does not, 2 there is no certificate, or none that this
suite reads.`

func newVerify(c console) *cobra.Command {
	var key string
	cmd := &cobra.Command{
		Use: "verify DIR|FILE", Short: "Check a certificate", Long: longVerify,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usage("verify takes one certificate: its folder, or the certificate.json in it")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			var trusted ed25519.PublicKey
			if cmd.Flags().Changed("key") {
				var err error
				if trusted, err = certificate.ReadPublic(key); err != nil {
					return usage("--key: %w", err)
				}
			}
			return verify(c.out, args[0], trusted)
		},
	}
	cmd.Flags().StringVar(&key, "key", "", "the public key in `FILE` must have signed")
	cmd.SetFlagErrorFunc(flagError)
	return cmd
}

func verify(w io.Writer, path string, trusted ed25519.PublicKey) error {
	found, err := certificate.Verify(path, thisSuite(), trusted, time.Now())
	if err != nil {
		return usage("%w", err)
	}
	if found.Certificate.Claim.Schema != "" {
		showCertificate(w, found)
		fmt.Fprintln(w)
	}
	for _, note := range found.Notes {
		fmt.Fprintf(w, "note: %s\n", note)
	}
	if found.Holds() {
		_, err := fmt.Fprintf(w, "it holds: %s\n", signedWords(found))
		return err
	}
	fmt.Fprintf(w, "it does not hold:\n")
	for _, fault := range found.Faults {
		fmt.Fprintf(w, "  - %s\n", fault.Says)
	}
	if found.Unreadable() {
		return &exitError{exitUsage, errSaid}
	}
	return &exitError{exitNotConformant, errSaid}
}

// signedWords says what the signature is worth.
func signedWords(f certificate.Finding) string {
	if f.Trusted {
		return "the results say what it says, and the given key signed it"
	}
	return "the results say what it says. It is signed by the key in its own folder, which shows that nothing was changed since, and not who signed: " +
		"compare " + f.Key + " with what its author publishes, or name the key with --key"
}

// showCertificate says what a certificate says. Its texts are anybody's.
func showCertificate(w io.Writer, f certificate.Finding) {
	c := f.Certificate
	line := func(what, format string, args ...any) {
		fmt.Fprintf(w, "%-10s%s\n", what, reports.CleanLine(fmt.Sprintf(format, args...)))
	}
	line("subject", "%s %s (%s%s)", c.Claim.Name, c.Claim.Version, c.Claim.Role, optional(", ", c.Claim.Language))
	line("levels", "%s", strings.Join(c.Claim.Levels, ", "))
	var declined []string
	for _, feature := range c.Claim.Declined {
		declined = append(declined, string(feature))
	}
	line("declined", "%s", orNone(declined))
	if len(c.Warned) > 0 {
		line("warnings", "%s", strings.Join(c.Warned, ", "))
	}
	line("url", "%s", c.Claim.URL)
	line("contact", "%s", c.Claim.Contact)
	line("issued", "%s", c.Claim.Issued)
	line("suite", "monolock-conform %s, commit %s, catalogue %d", c.Suite.Version, c.Suite.Commit, c.Suite.CatalogueVersion)
	if f.Key != "" {
		line("signed by", "%s", f.Key)
	}
}

func optional(before, text string) string {
	if text == "" {
		return ""
	}
	return before + text
}

func orNone(words []string) string {
	if len(words) == 0 {
		return "nothing"
	}
	return strings.Join(words, ", ")
}
