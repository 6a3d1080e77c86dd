//go:build ignore

// Imports checks that imports run downward only, and that what somebody may use
// alone knows nothing of the engine. It reads the output of go list.
package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"strings"
)

const module = "github.com/monolock-dev/monolock-conform/"

// layers lists the packages from the bottom up. A package may import those of a
// lower layer, or its own layer where the layer is one tree.
var layers = [][]string{
	{"conformance/wire", "conformance/typo"},
	{"conformance/memnet"},
	{"refserver", "refclient", "faultproxy"},
	{"refserver/defects", "refclient/defects"},
	{"conformance/spec"},
	{"conformance/timeline"},
	{"conformance/monitor"},
	{"conformance/subject"},
	{"conformance"},
	{"conformance/tree", "conformance/virtual"},
	{"scenarios/server/history"},
	{"scenarios/server", "scenarios/client"},
	{"scenarios"},
	{"scenarios/selftest"},
	{"reports"},
	{"cmd"},
}

// alone may import the wire and nothing else of ours.
var alone = []string{"refserver", "refclient", "faultproxy"}

func main() {
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}} {{join .Imports ","}}`, "./...").Output()
	if err != nil {
		fmt.Fprintln(os.Stderr, "go list:", err)
		os.Exit(2)
	}
	bad := 0
	for lines := bufio.NewScanner(strings.NewReader(string(out))); lines.Scan(); {
		path, imports, _ := strings.Cut(lines.Text(), " ")
		for _, imported := range strings.Split(imports, ",") {
			if fault := check(strings.TrimPrefix(path, module), imported); fault != "" {
				fmt.Fprintln(os.Stderr, fault)
				bad++
			}
		}
	}
	if bad > 0 {
		os.Exit(1)
	}
}

// check says what is wrong with one import, or "".
func check(path, imported string) string {
	to, ours := strings.CutPrefix(imported, module)
	if !ours {
		return ""
	}
	from, below := layer(path), layer(to)
	switch {
	case from < 0:
		return fmt.Sprintf("%s stands in no layer of .ci/imports.go", path)
	case below < 0:
		return fmt.Sprintf("%s imports %s, which stands in no layer of .ci/imports.go", path, to)
	case below > from, below == from && top(path) != top(to):
		return fmt.Sprintf("%s imports %s, which does not stand below it", path, to)
	case isAlone(path) && to != "conformance/wire" && !strings.HasPrefix(to, top(path)):
		return fmt.Sprintf("%s imports %s, but should be usable alone", path, to)
	}
	return ""
}

// layer returns the layer of the longest listed path that is path or holds it.
func layer(path string) int {
	found, longest := -1, 0
	for i, paths := range layers {
		for _, p := range paths {
			if (path == p || strings.HasPrefix(path, p+"/")) && len(p) > longest {
				found, longest = i, len(p)
			}
		}
	}
	return found
}

func top(path string) string { first, _, _ := strings.Cut(path, "/"); return first }

func isAlone(path string) bool {
	for _, p := range alone {
		if top(path) == p {
			return true
		}
	}
	return false
}
