package reports

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/monolock-dev/monolock-conform/conformance"
)

func TestTheFileIsAsInTheGoldenFile(t *testing.T) {
	in := excluding(change(goodRun(), promotion(conformance.Fail)), "heartbeat")
	r := New(in)
	r.Scenarios = r.Scenarios[2:4]
	r.Requirements = r.Requirements[:2]
	r.OpenPoints = r.OpenPoints[:1]
	r.Suite.Catalogue = "sha256:of the catalogue"
	golden(t, "result.json", file(t, r))
}

func TestNoArrayIsNull(t *testing.T) {
	for _, in := range []Input{{}, goodRun(), unreachable(), excluding(goodRun(), "queue")} {
		if text := file(t, New(in)); strings.Contains(text, "null") {
			t.Errorf("the file holds a null:\n%.3000s", text)
		}
	}
}

func TestNothingOfASubjectIsRawInTheFile(t *testing.T) {
	in := hostileRun()
	in.Args = nil // the user's own words
	r := New(in)
	for _, text := range []string{file(t, r), text(t, r, TextOptions{})} {
		if !utf8.ValidString(text) {
			t.Error("not UTF-8")
		}
		for _, c := range text {
			if c != '\n' && !unicode.IsGraphic(c) {
				t.Errorf("%U is in it", c)
			}
		}
		for line := range strings.Lines(text) {
			if strings.HasPrefix(strings.TrimSpace(line), "::") {
				t.Errorf("a host would obey %q", line)
			}
		}
	}
}

func TestFilesThatAreNoResult(t *testing.T) {
	whole := file(t, New(goodRun()))
	rows := []struct{ name, file, want string }{
		{"empty", " \n", "the result is empty"},
		{"cut off", whole[:len(whole)/2], "the result is cut off"},
		{"cut off by a byte", strings.TrimSpace(whole)[:len(strings.TrimSpace(whole))-1], "the result is cut off"},
		{"text", "monolock\n", "the result is not JSON: line 1"},
		{"something behind it", whole + "{}", "the result is not JSON"},
		{"a list", "[1]", "no result: it holds an array"},
		{"no schema", `{"a": 1}`, "no result: it has no schema"},
		{"another schema", `{"schema": "sarif/2"}`, `its schema is "sarif/2"`},
		{"a newer schema", `{"schema": "monolock-conform/result/2"}`, "newer than this suite"},
		{"a wrong type", `{"schema": "monolock-conform/result/1", "run": {"seed": "x"}}`, `field "run.seed" holds a string where a number belongs`},
		{"no list", `{"schema": "monolock-conform/result/1", "scenarios": {}}`, `field "scenarios" holds an object where an array belongs`},
		{"another word", strings.Replace(whole, `"verdict": "pass"`, `"verdict": "green"`, 1), `"green" is no verdict`},
		{"another role", strings.Replace(whole, `"role": "server"`, `"role": "proxy"`, 1), "neither server nor client"},
		{"another conclusion", strings.Replace(whole, `"result": "conformant"`, `"result": "fine"`, 1), `the conclusion "fine"`},
	}
	for _, row := range rows {
		_, err := ReadJSON(strings.NewReader(row.file))
		if err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s: %v, want %q", row.name, err, row.want)
		}
	}
}

func TestFieldsThatAreUnknownOrMissingAreBorne(t *testing.T) {
	r, err := ReadJSON(strings.NewReader("\xef\xbb\xbf" + `{"schema": "` + Schema + `", "subject": {"role": "client"}, "result": "undecided", "later": [1]}`))
	if err != nil {
		t.Fatal(err)
	}
	if r.Scenarios == nil || r.Subject.Lacks == nil || r.Run.Args == nil {
		t.Errorf("a missing array is nil: %+v", r)
	}
}

func TestErrorsOfWritersAndReaders(t *testing.T) {
	if err := WriteJSON(broken{}, New(goodRun())); !errors.Is(err, errBroken) {
		t.Errorf("WriteJSON: %v", err)
	}
	if err := Text(broken{}, New(goodRun()), TextOptions{}); !errors.Is(err, errBroken) {
		t.Errorf("Text: %v", err)
	}
	if _, err := ReadJSON(broken{}); !errors.Is(err, errBroken) {
		t.Errorf("ReadJSON: %v", err)
	}
}

var errBroken = errors.New("broken")

// broken is a writer and reader of which nothing works.
type broken struct{}

var _ io.ReadWriter = broken{}

func (broken) Write([]byte) (int, error) { return 0, errBroken }
func (broken) Read([]byte) (int, error)  { return 0, errBroken }

func file(t *testing.T, r Result) string {
	t.Helper()
	var out bytes.Buffer
	if err := WriteJSON(&out, r); err != nil {
		t.Fatal(err)
	}
	return out.String()
}
