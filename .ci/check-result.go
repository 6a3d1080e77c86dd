//go:build ignore

// Check-result reads the result of a run against a reference implementation: it
// must be whole and conformant, and unsupported exactly where the arguments say.
//
//	go run .ci/check-result.go RESULT.json "IDs that are unsupported for want of a feature"
package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/reports"
)

// judged are the topics that this version has scenarios for.
var judged = []string{"S-FRM-", "S-ACQ-", "S-HB-", "S-Q-", "S-TOK-", "S-ROB-", "S-SHUT-", "C-"}

func main() {
	file, err := os.Open(os.Args[1])
	if err != nil {
		fail("%v", err)
	}
	defer file.Close()
	result, err := reports.ReadJSON(file)
	if err != nil {
		fail("%v", err)
	}
	if result.Result != reports.Conformant {
		fail("the result is %s", result.Result)
	}
	for _, r := range result.Requirements {
		if want := expected(string(r.ID)); want != "" && string(r.Verdict) != want && r.Verdict != conformance.Observed {
			fail("%s is %s, want %s: %s", r.ID, r.Verdict, want, r.Detail)
		}
	}
	fmt.Printf("%s: %d requirements, as expected\n", os.Args[1], len(result.Requirements))
}

// expected is the verdict that a requirement must have, or "" for the topics of
// later versions.
func expected(id string) string {
	for _, topic := range judged {
		if strings.HasPrefix(id, topic) && id != "S-SHUT-02" {
			if strings.Contains(" "+os.Args[2]+" ", " "+id+" ") {
				return string(conformance.Unsupported)
			}
			return string(conformance.Pass)
		}
	}
	return ""
}

func fail(format string, args ...any) {
	fmt.Fprintf(os.Stderr, os.Args[1]+": "+format+"\n", args...)
	os.Exit(1)
}
