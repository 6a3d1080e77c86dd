package reports

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// TAP writes a result in the Test Anything Protocol, version 13, which the harnesses
// that people have read without a complaint: a test point a requirement, and a last one for the conclusion, which is not ok where the run is
// not conformant. What could not be decided is not ok. What was not tested is ok
// with SKIP; a known failure is not ok with TODO, which a harness does not count. A
// warn is ok and tells in its diagnostics. The errors are those of w.
func TAP(w io.Writer, r Result) error {
	t := &tapPage{}
	fmt.Fprintf(&t.out, "TAP version 13\n1..%d\n", len(r.Requirements)+1)
	for _, q := range r.Requirements {
		t.requirement(r, q)
	}
	t.point(r.Result == Conformant, "conclusion: "+r.Words(), "")
	_, err := io.WriteString(w, t.out.String())
	return err
}

type tapPage struct {
	out    strings.Builder
	number int
}

func (t *tapPage) requirement(r Result, q Requirement) {
	description := string(q.ID) + " " + sentenceOf(q.ID)
	switch bearingOf(q) {
	case doesHold:
		t.point(true, description, "")
	case isAdvice:
		t.point(true, description, "")
		t.diagnostics(r, q)
	case decidesNothing:
		t.point(true, description, "SKIP "+because(q))
	case failsAsKnown:
		t.point(false, description, "TODO "+joined(string(q.Verdict), r.knownReasonOf(q.ID)))
		t.diagnostics(r, q)
	default:
		t.point(false, description, "")
		t.diagnostics(r, q)
	}
}

// point writes one line. Directive may be "".
func (t *tapPage) point(ok bool, description, directive string) {
	t.number++
	word := "ok"
	if !ok {
		word = "not ok"
	}
	fmt.Fprintf(&t.out, "%s %d - %s", word, t.number, tapText(description))
	if directive != "" {
		fmt.Fprintf(&t.out, " # %s", tapText(directive))
	}
	t.out.WriteString("\n")
}

// tapText is text that holds neither a line end nor the sign of a directive.
func tapText(text string) string {
	return strings.NewReplacer(`\`, `\\`, "#", `\#`).Replace(cleanLine(text))
}

// diagnostics writes the evidence behind a point as YAML. Texts are JSON strings,
// which are YAML, too.
func (t *tapPage) diagnostics(r Result, q Requirement) {
	t.yaml("  ---")
	t.yaml("  verdict: %s", yamlText(cleanLine(string(q.Verdict))))
	t.yaml("  level: %s", yamlText(cleanLine(string(q.Level))))
	t.yaml("  message: %s", yamlText(cleanLine(q.Detail)))
	places := placesOf(r, q.ID)
	if len(places) > 0 {
		t.yaml("  scenarios:")
	}
	for i, at := range places {
		t.yaml("    - id: %s", yamlText(cleanLine(at.scenario.ID)))
		if i >= shownInFull || at.consequence() {
			continue
		}
		t.yaml("      expected: %s", yamlText(cleanBlock(at.Expected)))
		t.yaml("      actual: %s", yamlText(cleanBlock(at.Actual)))
		if at.MeasuredMS > 0 {
			t.yaml("      measured_ms: %g", at.MeasuredMS)
		}
		t.yaml("      repeat: %s", yamlText(cleanLine(RepeatCommand(r.Run, at.scenario.ID))))
	}
	t.yaml("  ...")
}

func (t *tapPage) yaml(format string, args ...any) { fmt.Fprintf(&t.out, format+"\n", args...) }

func yamlText(text string) string {
	quoted, err := json.Marshal(text)
	if err != nil {
		panic("reports: a string does not encode: " + err.Error())
	}
	return string(quoted)
}
