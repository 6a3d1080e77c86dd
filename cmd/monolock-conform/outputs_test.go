package main

import (
	"encoding/json"
	"encoding/xml"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/monolock-dev/monolock-conform/reports"
)

// fast is a scenario that takes no time.
const fast = "server/queue/owner-closes"

// TestOutWritesEverything: one flag writes all reports of one result, and what each
// holds is of its kind.
func TestOutWritesEverything(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "reports")
	code, stdout, stderr := conform("--role", "server", "--run", fast, "--out", dir, "--trace", "always")
	if code != exitConformant {
		t.Fatalf("exit %d\n%s%s", code, stdout, stderr)
	}
	result := readResult(t, filepath.Join(dir, "result.json"))
	for name, check := range map[string]func(t *testing.T, data string){
		"junit.xml":   wantXML,
		"badge.svg":   wantXML,
		"report.html": func(t *testing.T, data string) { wantText(t, data, "<!doctype html>", fast, "conformant in what ran") },
		"summary.md":  func(t *testing.T, data string) { wantText(t, data, "conformant in what ran") },
	} {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Error(err)
			continue
		}
		t.Run(name, func(t *testing.T) { check(t, string(data)) })
	}
	for _, s := range result.Scenarios {
		if s.ID != fast {
			continue
		}
		if data, err := os.ReadFile(filepath.Join(dir, s.Trace)); err != nil || len(data) == 0 || s.Trace == "" {
			t.Errorf("the capture %q of %s holds %d bytes: %v", s.Trace, s.ID, len(data), err)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func wantXML(t *testing.T, data string) {
	t.Helper()
	if err := xml.Unmarshal([]byte(data), new(struct{})); err != nil {
		t.Errorf("%v in\n%s", err, data)
	}
}

// TestBothRolesHaveAFolderEach: without a subject there are two results.
func TestBothRolesHaveAFolderEach(t *testing.T) {
	dir := t.TempDir()
	code, stdout, stderr := conform("--run", fast, "--run", "client/connect/acquire-as-asked", "--out", dir)
	if code != exitConformant {
		t.Fatalf("exit %d\n%s%s", code, stdout, stderr)
	}
	for _, role := range []string{"server", "client"} {
		if got := readResult(t, filepath.Join(dir, role, "result.json")).Subject.Role; string(got) != role {
			t.Errorf("%s/result.json is of a %s", role, got)
		}
	}
}

// TestReportRepeatsWhatTheRunWrote: every report follows from the saved result
// alone.
func TestReportRepeatsWhatTheRunWrote(t *testing.T) {
	dir, again := t.TempDir(), t.TempDir()
	if code, _, stderr := conform("--role", "server", "--run", fast, "--out", dir); code != exitConformant {
		t.Fatal(stderr)
	}
	args := []string{"report", filepath.Join(dir, "result.json")}
	for _, r := range reportFiles {
		args = append(args, "--"+r.flag, filepath.Join(again, r.name))
	}
	if code, _, stderr := conform(args...); code != exitConformant {
		t.Fatal(stderr)
	}
	for _, r := range reportFiles {
		first, err := os.ReadFile(filepath.Join(dir, r.name))
		second, err2 := os.ReadFile(filepath.Join(again, r.name))
		if err != nil || err2 != nil || string(first) != string(second) {
			t.Errorf("%s differs, or is missing: %v %v", r.name, err, err2)
		}
	}
}

// TestFormats: what standard output shows, a line each.
func TestFormats(t *testing.T) {
	defect := self(t, "defect lifo --listen {listen}")
	for format, check := range map[string]func(line string) bool{
		"tap":        func(line string) bool { return strings.HasPrefix(line, "not ok ") },
		"github":     func(line string) bool { return strings.HasPrefix(line, "::error title=S-Q-11") },
		"json-lines": func(line string) bool { return json.Valid([]byte(line)) && strings.Contains(line, "S-Q-11") },
	} {
		code, stdout, _ := conform("--server-cmd", defect, "--run", "server/queue/coming-back", "--format", format)
		if code != exitNotConformant {
			t.Errorf("%s: exit %d", format, code)
		}
		found := false
		for line := range strings.Lines(stdout) {
			found = found || check(strings.TrimSpace(line))
		}
		if !found {
			t.Errorf("%s: nothing tells of S-Q-11:\n%s", format, stdout)
		}
	}
}

// TestBaselineRoundTrip: what baseline writes makes the next run pass, and a failure
// that is gone fails it.
func TestBaselineRoundTrip(t *testing.T) {
	dir := t.TempDir()
	result, known := filepath.Join(dir, "result.json"), filepath.Join(dir, "known")
	bad := []string{"--server-cmd", self(t, "defect lifo --listen {listen}"), "--run", "server/queue/coming-back,server/queue/owner-closes,server/queue/leaves-mid-queue"}
	if code, stdout, _ := conform(append(bad, "--json", result)...); code != exitNotConformant {
		t.Fatalf("exit %d\n%s", code, stdout)
	}
	if code, _, stderr := conform("baseline", result, "--output", known); code != exitConformant {
		t.Fatal(stderr)
	}
	if code, stdout, _ := conform(append(bad, "--baseline", known)...); code != exitConformant {
		t.Errorf("with the baseline: exit %d\n%s", code, stdout)
	}
	code, stdout, _ := conform("--role", "server", "--run", "server/queue/coming-back,server/queue/owner-closes,server/queue/leaves-mid-queue", "--baseline", known)
	if code != exitNotConformant {
		t.Errorf("a known failure that passes: exit %d", code)
	}
	wantText(t, stdout, "UNEXPECTED PASS", "S-Q-11")
}

// TestShardsJoin: the parts together are the whole, with the verdicts of a run in
// one piece.
func TestShardsJoin(t *testing.T) {
	dir := t.TempDir()
	whole := filepath.Join(dir, "whole.json")
	run := []string{"--server-cmd", self(t, "defect lifo --listen {listen}"), "--run", "server/queue/coming-back,server/queue/owner-closes,server/queue/leaves-mid-queue"}
	conform(append(run, "--json", whole)...)
	merge := []string{"merge", "--json", filepath.Join(dir, "merged.json")}
	for _, shard := range []string{"1/3", "2/3", "3/3"} {
		part := filepath.Join(dir, strings.ReplaceAll(shard, "/", "-")+".json")
		conform(append(run, "--shard", shard, "--json", part)...)
		merge = append(merge, part)
	}
	if code, stdout, stderr := conform(merge...); code != exitNotConformant {
		t.Fatalf("exit %d\n%s%s", code, stdout, stderr)
	}
	verdicts := func(r reports.Result) map[string]string {
		all := map[string]string{}
		for _, q := range r.Requirements {
			all[string(q.ID)] = string(q.Verdict)
		}
		return all
	}
	want, got := verdicts(readResult(t, whole)), verdicts(readResult(t, filepath.Join(dir, "merged.json")))
	for id, verdict := range want {
		if got[id] != verdict {
			t.Errorf("%s is %s in the joined result and %s in the whole run", id, got[id], verdict)
		}
	}
}
