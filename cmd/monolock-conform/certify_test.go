package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/conformance/timeline"
	"github.com/monolock-dev/monolock-conform/reports"
	"github.com/monolock-dev/monolock-conform/reports/certificate"
	"github.com/monolock-dev/monolock-conform/reports/certificate/certificatetest"
)

// newTestKey makes a key with the command, and returns its path.
func newTestKey(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "author.key")
	if code, out, stderr := conform("certify", "--new-key", path); code != 0 || !strings.Contains(out, "SHA256:") {
		t.Fatalf("exit %d: %s%s", code, out, stderr)
	}
	return path
}

// certifyWith runs certify with runs that never were.
func certifyWith(t *testing.T, role spec.Role, change func(n int, in reports.Input) reports.Input, args ...string) (out string, seeds []uint64, err error) {
	t.Helper()
	var text bytes.Buffer
	c := &certification{console: console{out: &text, err: &text, getenv: func(string) string { return "" }}}
	c.now = func() time.Time { return certificatetest.Issued }
	c.run = func(_ context.Context, seed uint64) (reports.Input, bool) {
		seeds = append(seeds, seed)
		in := certificatetest.Input(role, len(seeds))
		in.Suite.Version, in.Params.Seed, in.Args = version, seed, append(c.args, "--seed", strconv.FormatUint(seed, 10))
		if change != nil {
			in = change(len(seeds), in)
		}
		return in, in.Outcome != nil && in.Outcome.Ended != nil
	}
	cmd := c.command()
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	cmd.SetArgs(args)
	err = cmd.ExecuteContext(t.Context())
	return text.String(), seeds, err
}

func serverArgs(key, out string) []string {
	return []string{"--server", "127.0.0.1:7070", "--name", "monolock-x", "--version", "1", "--url", "https://example.org", "--contact", "x@example.org", "--key", key, "--out", out}
}

func clientArgs(key, out string) []string {
	return []string{"--client", "./adapter", "--url", "https://example.org", "--contact", "x@example.org", "--key", key, "--out", out}
}

func exitCode(err error) int {
	exit, ok := errors.AsType[*exitError](err)
	switch {
	case err == nil:
		return 0
	case ok:
		return exit.code
	}
	return exitUsage
}

func TestThreeGoodRunsCertifyAndVerify(t *testing.T) {
	key, out := newTestKey(t), filepath.Join(t.TempDir(), "out")
	text, seeds, err := certifyWith(t, spec.RoleClient, nil, clientArgs(key, out)...)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if len(seeds) != 3 || seeds[0] == seeds[1] || seeds[1] == seeds[2] || seeds[0] == seeds[2] {
		t.Errorf("seeds %v, want three different ones", seeds)
	}
	wantText(t, text, "run 3 of 3", "levels    core, retry", "declined  tls, mtls", "certified: ")
	for _, name := range []string{"run-1/result.json", "run-2/junit.xml", "run-3/report.html", "badge.svg", "key.pub", "certificate.json"} {
		if _, err := os.Stat(filepath.Join(out, name)); err != nil {
			t.Error(err)
		}
	}
	if result := readResult(t, filepath.Join(out, "run-1", "result.json")); strings.Join(result.Run.Args, " ") != "--client ./adapter --seed "+strconv.FormatUint(seeds[0], 10) {
		t.Errorf("args %q, want those of a plain run, without the key", result.Run.Args)
	}
	code, text, _ := conform("verify", out, "--key", key+".pub")
	if code != 0 || !strings.Contains(text, "the given key signed it") {
		t.Errorf("verify with the key: exit %d\n%s", code, text)
	}
	code, text, _ = conform("verify", filepath.Join(out, "certificate.json"))
	if code != 0 || !strings.Contains(text, "and not who signed") {
		t.Errorf("verify without a key: exit %d\n%s", code, text)
	}
	code, text, _ = conform("verify", out, "--key", newTestKey(t)+".pub")
	if code != exitNotConformant || !strings.Contains(text, "foreign key") {
		t.Errorf("verify with another key: exit %d\n%s", code, text)
	}
	if _, _, err := certifyWith(t, spec.RoleClient, nil, clientArgs(key, out)...); exitCode(err) != exitUsage || !strings.Contains(err.Error(), "holds a certificate already") {
		t.Errorf("certified over a certificate: %v", err)
	}
}

func TestWhatDoesNotCertifyIsKeptAndSaid(t *testing.T) {
	judged := func(v conformance.Verdict) func(int, reports.Input) reports.Input {
		return func(n int, in reports.Input) reports.Input {
			if n == 2 {
				in = certificatetest.Judge(in, spec.S_Q_02, v)
			}
			return in
		}
	}
	key := newTestKey(t)
	for _, row := range []struct {
		name   string
		change func(int, reports.Input) reports.Input
		code   int
		says   []string
	}{
		{"a fail", judged(conformance.Fail), exitNotConformant, []string{"not certified:", "its result is not-conformant: fail S-Q-02", "is kept in"}},
		{"undecided", judged(conformance.Inconclusive), exitUndecided, []string{"not certified:", "inconclusive S-Q-02"}},
		{"flaky", judged(conformance.Flaky), exitUndecided, []string{"flaky S-Q-02"}},
		{"a known failure", judged(conformance.KnownFail), exitUndecided, []string{"a baseline never certifies"}},
		{"not shown", judged(conformance.Unsupported), exitUndecided, []string{"core needs every MUST without a feature, and 1 was not shown to hold: S-Q-02"}},
		{"interrupted", func(n int, in reports.Input) reports.Input {
			if n == 2 {
				in.Outcome.Ended = errInterrupted
				in = certificatetest.Judge(in, spec.S_Q_02, conformance.Inconclusive)
			}
			return in
		}, exitInterrupted, []string{"the run was interrupted"}},
	} {
		out := filepath.Join(t.TempDir(), "out")
		text, seeds, err := certifyWith(t, spec.RoleServer, row.change, serverArgs(key, out)...)
		if exitCode(err) != row.code || len(seeds) != 2 {
			t.Errorf("%s: exit %d after %d runs, want %d after 2: %v", row.name, exitCode(err), len(seeds), row.code, err)
		}
		wantText(t, text, row.says...)
		for name, want := range map[string]bool{"run-1/result.json": true, "run-2/report.html": true, "badge.svg": true, "certificate.json": false, "key.pub": false} {
			if _, err := os.Stat(filepath.Join(out, name)); (err == nil) != want {
				t.Errorf("%s: %s is there %v, want %v", row.name, name, err == nil, want)
			}
		}
		// What was mended certifies into the same folder.
		if text, _, err := certifyWith(t, spec.RoleServer, nil, serverArgs(key, out)...); err != nil {
			t.Errorf("%s, mended: %v\n%s", row.name, err, text)
		}
	}
}

// TestTheCapturesThatAResultNamesAreThere: of the scenarios that did not pass, beside
// the result that names them, and no others.
func TestTheCapturesThatAResultNamesAreThere(t *testing.T) {
	key, out := newTestKey(t), filepath.Join(t.TempDir(), "out")
	_, _, err := certifyWith(t, spec.RoleServer, func(n int, in reports.Input) reports.Input {
		for i := range in.Outcome.Results {
			in.Outcome.Results[i].Events = []timeline.Event{{Who: "conn-1", By: timeline.Suite, What: timeline.Open}}
		}
		if n == 2 {
			in = certificatetest.Judge(in, spec.S_Q_02, conformance.Fail)
		}
		return in
	}, serverArgs(key, out)...)
	if exitCode(err) != exitNotConformant {
		t.Fatalf("%v", err)
	}
	for n, want := range []bool{false, true} {
		dir := filepath.Join(out, certificate.RunFolder(n+1))
		named := 0
		for _, s := range readResult(t, filepath.Join(dir, "result.json")).Scenarios {
			if s.Trace == "" {
				continue
			}
			named++
			if info, err := os.Stat(filepath.Join(dir, s.Trace)); err != nil || info.Size() == 0 || s.Verdict.Settled() {
				t.Errorf("run %d: %s, %s: %v", n+1, s.ID, s.Trace, err)
			}
		}
		files, _ := filepath.Glob(filepath.Join(dir, traceFolder, "*"))
		if (named > 0) != want || len(files) != named {
			t.Errorf("run %d names %d captures, and %d are there; want some %v", n+1, named, len(files), want)
		}
	}
}

// TestRunsThatDifferAreRefusedAtTheEnd: each by itself is good.
func TestRunsThatDifferAreRefusedAtTheEnd(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	text, _, err := certifyWith(t, spec.RoleClient, func(n int, in reports.Input) reports.Input {
		if n == 3 {
			in.Subject.Version = "0.4.0"
		}
		return in
	}, clientArgs(newTestKey(t), out)...)
	if exitCode(err) != exitUndecided {
		t.Errorf("%v", err)
	}
	wantText(t, text, "runs 1 and 3 differ in the subject's version")
	if _, err := os.Stat(filepath.Join(out, "certificate.json")); err == nil {
		t.Error("there is a certificate")
	}
}

func TestMistakesOfCertifyVerifyAndClients(t *testing.T) {
	key, dir := newTestKey(t), t.TempDir()
	full := filepath.Join(dir, "full")
	if err := os.MkdirAll(filepath.Join(full, "run-1"), 0o755); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(dir, "out")
	for _, row := range []struct {
		args []string
		says []string
	}{
		{[]string{"certify"}, []string{"name what to certify", "--name and --version", "--url", "--contact", "--out", "--key"}},
		{[]string{"certify", "x"}, []string{`takes no argument "x"`}},
		{append([]string{"certify", "--skip", "S-Q-02"}, serverArgs(key, out)...), []string{"certify has no --skip"}},
		{append([]string{"certify", "--lease", "5s"}, serverArgs(key, out)...), []string{"certify has no --lease"}},
		{append([]string{"certify", "--seed", "1"}, serverArgs(key, out)...), []string{"certify has no --seed"}},
		{append([]string{"certify", "--ulr", "x"}, serverArgs(key, out)...), []string{"unknown flag --ulr", "did you mean --url?"}},
		{append([]string{"certify"}, serverArgs(key+".pub", out)...), []string{"--key", "is the public part"}},
		{append([]string{"certify"}, serverArgs(filepath.Join(out, "key"), out)...), []string{"the folder is published, and the key is not"}},
		{append([]string{"certify"}, serverArgs(key, full)...), []string{`holds "run-1", which certify did not write`}},
		{append([]string{"certify"}, serverArgs(key, key)...), []string{"--out"}},
		{append(append([]string{"certify"}, serverArgs(key, out)...), "--url", "javascript:alert(1)"), []string{"is no http or https address"}},
		{append(append([]string{"certify"}, serverArgs(key, out)...), "--name", "a\nb"), []string{"holds characters that cannot be shown"}},
		{append(append([]string{"certify"}, serverArgs(key, out)...), "--io-timeout", "1h"), []string{"at most 30s"}},
		{append(append([]string{"certify"}, clientArgs(key, out)...), "--io-timeout", "2s"), []string{"--io-timeout is a server's"}},
		{append(append([]string{"certify"}, clientArgs(key, out)...), "--server", "a:1"), []string{"more than one subject"}},
		{append(append([]string{"certify"}, clientArgs(key, out)...), "--new-key", "x"), []string{"does nothing else"}},
		{append(append([]string{"certify"}, clientArgs(key, out)...), "--client", "no-such-program"), []string{`"no-such-program" was not found`}},
		{[]string{"certify", "--new-key", key}, []string{"exists, and a key is never overwritten"}},
		{[]string{"certify", "--new-key", ""}, []string{"--new-key was given without a value"}},
		{[]string{"verify"}, []string{"takes one certificate"}},
		{[]string{"verify", dir}, []string{"holds no certificate.json"}},
		{[]string{"verify", filepath.Join(dir, "nowhere")}, []string{"nowhere"}},
		{[]string{"verify", dir, "--key", key}, []string{"is the private part of a key"}},
		{[]string{"verify", dir, "--kye", key}, []string{"did you mean --key?"}},
		{[]string{"clients"}, []string{"takes a folder of certificates"}},
		{[]string{"clients", dir}, []string{"holds no certificate"}},
		{[]string{"clients", filepath.Join(dir, "nowhere")}, []string{"nowhere"}},
		{[]string{"clients", dir, "x"}, []string{`cannot tell what ["x"] is`}},
		{[]string{"clients", dir, "--html", "--markdown"}, []string{"cannot both go to standard output"}},
		{[]string{"clients", dir, "--html=" + filepath.Join(dir, "no", "x.html")}, []string{"does the folder exist"}},
	} {
		code, _, stderr := conform(row.args...)
		if code != exitUsage {
			t.Errorf("%q: exit %d, want %d", row.args, code, exitUsage)
		}
		wantText(t, stderr, row.says...)
	}
}

func TestClientsListsAFolder(t *testing.T) {
	dir, key := t.TempDir(), newTestKey(t)
	if text, _, err := certifyWith(t, spec.RoleClient, nil, clientArgs(key, filepath.Join(dir, "x"))...); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	html, markdown := filepath.Join(t.TempDir(), "list.html"), filepath.Join(t.TempDir(), "list.md")
	for _, row := range []struct {
		args     []string
		standard string // what standard output holds
		file     string
		holds    string
	}{
		{[]string{dir}, "[1] monolock-x 0.3.1", "", ""},
		{[]string{dir, "--markdown"}, "| [monolock-x]", "", ""},
		{[]string{"--html", dir}, "<!doctype html>", "", ""},
		{[]string{dir, "--html", "-"}, "<!doctype html>", "", ""},
		{[]string{dir, "--html", html}, "", html, "<!doctype html>"},
		{[]string{"--markdown", markdown, dir}, "", markdown, "# monolock clients"},
		{[]string{"--markdown=" + markdown, dir, "--html"}, "<!doctype html>", markdown, "# monolock clients"},
	} {
		code, out, stderr := conform(append([]string{"clients"}, row.args...)...)
		if code != 0 || !strings.HasPrefix(out, row.standard) && !strings.Contains(out, row.standard) || row.standard == "" && out != "" {
			t.Errorf("%q: exit %d\n%.300s%s", row.args, code, out, stderr)
		}
		if row.file == "" {
			continue
		}
		data, err := os.ReadFile(row.file)
		if err != nil || !strings.Contains(string(data), row.holds) {
			t.Errorf("%q: the file: %v\n%.300s", row.args, err, data)
		}
		os.Remove(row.file)
	}
	if err := os.Remove(filepath.Join(dir, "x", "run-1", "result.json")); err != nil {
		t.Fatal(err)
	}
	code, out, _ := conform("clients", dir)
	if code != exitNotConformant {
		t.Errorf("exit %d with one refused, want %d", code, exitNotConformant)
	}
	wantText(t, out, "Refused, and not certified", "run-1/result.json is missing")
	if strings.Contains(out, "[1]") {
		t.Errorf("what was refused is listed as certified:\n%s", out)
	}
}

// TestAServerIsCertifiedForReal runs the suite three times against the reference
// server as a process.
func TestAServerIsCertifiedForReal(t *testing.T) {
	if testing.Short() {
		t.Skip("three whole runs")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	key, out := newTestKey(t), filepath.Join(t.TempDir(), "out")
	args := serverArgs(key, out)
	args[0], args[1] = "--server-cmd", "env "+asKey+"="+asReference+" '"+self+"' {listen}"
	code, text, stderr := conform(append([]string{"certify"}, args...)...)
	if code != 0 {
		t.Fatalf("exit %d\n%s%s", code, text, stderr)
	}
	wantText(t, text, "levels    core, control")
	if code, text, _ := conform("verify", out, "--key", key+".pub"); code != 0 {
		t.Errorf("verify: exit %d\n%s", code, text)
	}
}
