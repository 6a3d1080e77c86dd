package reports

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// allResults are results of every kind.
func allResults(t *testing.T) map[string]Result {
	all := hostileResults()
	for name, in := range runs() {
		all[name] = New(in)
	}
	for name, r := range baselines(t) {
		all[name] = r
	}
	all["every"] = everyVerdict(t)
	return all
}

// rendered writes every result in one format into a folder, and returns the files
// by the results' names.
func rendered(t *testing.T, format string) map[string]string {
	t.Helper()
	dir, files := t.TempDir(), map[string]string{}
	for name, r := range allResults(t) {
		path := filepath.Join(dir, strings.ReplaceAll(name, " ", "-"))
		if err := os.WriteFile(path, []byte(render(t, formats[format], r)), 0o644); err != nil {
			t.Fatal(err)
		}
		files[name] = path
	}
	return files
}

// foreign runs a program that is not ours on the files, or skips the test.
func foreign(t *testing.T, files map[string]string, program string, args ...string) []byte {
	t.Helper()
	path, err := exec.LookPath(program)
	if err != nil {
		t.Skip("not installed, so no other parser reads the file: ", err)
	}
	for _, file := range files {
		args = append(args, file)
	}
	var said bytes.Buffer
	cmd := exec.Command(path, args...)
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%.2000s", program, err, said.String())
	}
	return out
}

// readJUnit prints, as JSON, what Python's parser finds in each file.
const readJUnit = `
import json, sys, xml.etree.ElementTree as tree
found = {}
for path in sys.argv[1:]:
    root = tree.parse(path).getroot()
    cases = [{"suite": s.get("name") or "", "name": c.get("name") or "", "class": c.get("classname") or "",
              "kinds": [k.tag for k in c if k.tag in ("failure", "error", "skipped")],
              "messages": [k.get("message") for k in c if k.tag in ("failure", "error", "skipped")],
              "text": (c.findtext("failure") or "") + (c.findtext("error") or ""),
              "time": float(c.get("time")),
              "requirement": [p.get("value") for p in c.iter("property") if p.get("name") == "requirement"]}
             for s in root.iter("testsuite") for c in s.iter("testcase")]
    numbers = {k: int(root.get(k)) for k in ("tests", "failures", "errors", "disabled")}
    sums = {k: sum(int(s.get(k)) for s in root.iter("testsuite")) for k in ("tests", "failures", "errors")}
    found[path] = {"root": root.tag, "cases": cases, "numbers": numbers, "sums": sums}
json.dump(found, sys.stdout)
`

type foundJUnit struct {
	Root  string
	Cases []struct {
		Suite, Name, Class string
		Kinds, Messages    []string
		Text               string
		Time               float64
		Requirement        []string
	}
	Numbers, Sums map[string]int
}

// kinds is the element that a requirement must have, by its bearing.
var kinds = map[bearing]string{doesNotHold: "failure", staysOpen: "error", decidesNothing: "skipped", failsAsKnown: "skipped"}

func TestAnotherParserReadsJUnit(t *testing.T) {
	files := rendered(t, "junit.xml")
	var found map[string]foundJUnit
	if err := json.Unmarshal(foreign(t, files, "python3", "-c", readJUnit), &found); err != nil {
		t.Fatal(err)
	}
	for name, r := range allResults(t) {
		doc := found[files[name]]
		if doc.Root != "testsuites" || len(doc.Cases) != len(r.Requirements)+1 {
			t.Errorf("%s: %q with %d cases, want testsuites with %d", name, doc.Root, len(doc.Cases), len(r.Requirements)+1)
			continue
		}
		count := map[string]int{"tests": len(doc.Cases)}
		cases := map[string][]string{}
		for _, c := range doc.Cases {
			if c.Suite == "" || c.Name == "" || c.Class == "" || c.Time < 0 {
				t.Errorf("%s: a case without its names: %+v", name, c)
			}
			for i, kind := range c.Kinds {
				count[map[string]string{"failure": "failures", "error": "errors", "skipped": "disabled"}[kind]]++
				if c.Messages[i] == "" {
					t.Errorf("%s: %s is %s without a reason", name, c.Name, kind)
				}
			}
			if len(c.Requirement) == 1 {
				cases[c.Requirement[0]] = c.Kinds
			}
		}
		for _, q := range r.Requirements {
			var want []string
			if kind := kinds[bearingOf(q)]; kind != "" {
				want = []string{kind}
			}
			if got := cases[cleanLine(string(q.ID))]; !strings.HasPrefix(name, "file") && len(got)+len(want) > 0 && !reflect.DeepEqual(got, want) {
				t.Errorf("%s: %s, %s, has %v, want %v", name, q.ID, q.Verdict, got, want)
			}
		}
		for _, key := range []string{"tests", "failures", "errors", "disabled"} {
			if doc.Numbers[key] != count[key] || key != "disabled" && doc.Sums[key] != count[key] {
				t.Errorf("%s: says %s %d, the suites %d, and there are %d", name, key, doc.Numbers[key], doc.Sums[key], count[key])
			}
		}
	}
}

func TestXmllintReadsJUnitAndBadge(t *testing.T) {
	for _, format := range []string{"junit.xml", "svg"} {
		foreign(t, rendered(t, format), "xmllint", "--noout", "--nonet")
	}
}

// readTAP prints, as JSON lines, what Perl's TAP::Parser finds in each file.
const readTAP = `
use TAP::Parser;
for my $path (@ARGV) {
  open my $file, "<", $path or die; local $/; my $tap = <$file>;
  my $p = TAP::Parser->new({tap => $tap});
  my @points;
  while (my $r = $p->next) {
    push @points, ($r->is_actual_ok ? "ok" : "not ok") . " " . lc($r->directive) if $r->is_test;
    push @points, "stray" if $r->is_unknown || $r->is_bailout;
  }
  print join("\t", $path, $p->tests_planned, scalar($p->parse_errors), join(",", @points)), "\n";
}
`

func TestAnotherParserReadsTAP(t *testing.T) {
	if err := exec.Command("perl", "-MTAP::Parser", "-e", "1").Run(); err != nil {
		t.Skip("no TAP::Parser, so no other parser reads the file: ", err)
	}
	files := rendered(t, "tap")
	got := string(foreign(t, files, "perl", "-e", readTAP))
	directives := map[bearing]string{
		doesHold: "ok ", isAdvice: "ok ", decidesNothing: "ok skip", failsAsKnown: "not ok todo", doesNotHold: "not ok ", staysOpen: "not ok ",
	}
	for name, r := range allResults(t) {
		var points []string
		for _, q := range r.Requirements {
			points = append(points, directives[bearingOf(q)])
		}
		last := "not ok "
		if r.Result == Conformant {
			last = "ok "
		}
		want := fmt.Sprintf("%s\t%d\t0\t%s\n", files[name], len(r.Requirements)+1, strings.Join(append(points, last), ","))
		if !strings.Contains(got, want) {
			i := strings.Index(got, files[name]+"\t")
			t.Errorf("%s: %.600s\nwant %.600s", name, got[max(i, 0):], want)
		}
	}
}
