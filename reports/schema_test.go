package reports

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/spec"
)

func TestResultsFitTheSchema(t *testing.T) {
	for name, r := range allResults(t) {
		if strings.HasPrefix(name, "file") {
			continue // such a file no suite wrote
		}
		if err := ValidateResult([]byte(file(t, r))); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	merged, err := Merge(results(sharded(goodRun(), 3)))
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range append(results(sharded(goodRun(), 3)), merged, full()) {
		if err := ValidateResult([]byte(file(t, r))); err != nil {
			t.Errorf("part %q: %v", r.Filters.Shard, err)
		}
	}
}

// full is a result in which no array is empty.
func full() Result {
	r := New(change(goodRun(), promotion(conformance.Fail)))
	r.Subject.Lacks, r.Filters.Run, r.Filters.Skip = []string{"x"}, []string{"x"}, []string{"x"}
	r.Observations = []Observation{{ID: spec.S_Q_12, Key: "p99", Value: "1"}}
	s := &r.Scenarios[0]
	s.Claims = []Claim{{Who: "conn-1", FromUS: 1, ToUS: 2, Token: "18446744073709551615"}}
	s.Bands = []Band{{What: "partition", FromUS: 1, ToUS: 2}}
	s.Limits = []Limit{{What: "0.8 lease", AtUS: 1}}
	s.Trace = "traces/x.pcapng"
	r.Run.Seed = 18446744073709551615
	return r
}

// designShape is the shape as the design shows it, with its placeholders filled in.
const designShape = `{ "schema": "monolock-conform/result/1",
  "suite":   {"version": "1.0.0", "commit": "abc", "catalogue": "sha256:` + "%s" + `", "catalogue_version": 1},
  "subject": {"role": "server", "name": "", "version": "", "language": "", "target": "127.0.0.1:7070", "lacks": []},
  "run":     {"seed": 1, "started": "2026-03-01T12:00:00Z", "duration_ms": 0, "jobs": 8, "lease_ms": 500, "rtt_us": 0,
              "noise_us": {"p50": 0, "p99": 0, "max": 0}, "args": []},
  "complete": true, "filters": {"run": [], "skip": [], "labels": "", "shard": "", "strict": false}, "features": {"offered": [], "declined": []},
  "result":  "conformant",
  "counts":  {"pass": 0, "fail": 0, "warn": 0, "unexpected-pass": 0, "error": 0, "flaky": 0, "inconclusive": 0, "known-fail": 0,
              "unsupported": 0, "excluded": 0, "observed": 0},
  "requirements": [{"id": "S-Q-02", "level": "MUST", "verdict": "pass", "scenarios": ["server/queue/x"], "detail": ""}],
  "scenarios":    [{"id": "server/queue/x", "title": "a title", "verdict": "pass", "start_ms": 0, "duration_ms": 0, "attempts": 1,
                    "requirements": [{"id": "S-Q-02", "verdict": "pass", "expected": "", "actual": "", "measured_ms": 0}],
                    "lease_ms": 500, "claims": [{"who": "client-1", "from_us": 0, "to_us": 0, "token": "7"}],
                    "bands": [{"what": "partition", "from_us": 0, "to_us": 0}], "limits": [{"what": "0.8 lease", "at_us": 0}],
                    "timeline": [{"t_us": 0, "who": "conn-1", "what": "send", "frame": "ACQUIRE", "hex": ""}],
                    "trace": "traces/x.pcapng"}],
  "observations": [{"id": "S-Q-12", "key": "p99_us", "value": "1"}],
  "open_points":  ["a point"] }`

func TestTheShapeOfTheDesignFitsTheSchema(t *testing.T) {
	shape := fmt.Sprintf(designShape, strings.Repeat("0a", 32))
	if err := ValidateResult([]byte(shape)); err != nil {
		t.Error(err)
	}
	if _, err := ReadJSON(strings.NewReader(shape)); err != nil {
		t.Error(err)
	}
}

// TestNoFieldMayHoldSomethingElse takes each field of a result in turn: away, and
// with a value of another type. The schema must name its place.
func TestNoFieldMayHoldSomethingElse(t *testing.T) {
	data := []byte(file(t, small(full())))
	fields := 0
	walk(decoded(t, data), nil, func(path []any) {
		fields++
		place := ""
		for _, step := range path {
			place += fmt.Sprintf("/%v", step)
		}
		for _, broken := range []string{"away", "another"} {
			document := decoded(t, data)
			_, inList := path[len(path)-1].(int)
			want := place
			if broken == "away" {
				if inList {
					continue
				}
				want = fmt.Sprintf("missing property '%v'", path[len(path)-1])
			}
			change := func(parent any) {
				switch parent := parent.(type) {
				case map[string]any:
					if broken == "away" {
						delete(parent, path[len(path)-1].(string))
					} else {
						parent[path[len(path)-1].(string)] = another(parent[path[len(path)-1].(string)])
					}
				case []any:
					parent[path[len(path)-1].(int)] = another(parent[path[len(path)-1].(int)])
				}
			}
			change(at(document, path[:len(path)-1]))
			changed, err := json.Marshal(document)
			if err != nil {
				t.Fatal(err)
			}
			if place == "/schema" && broken == "away" {
				want = "" // another sentence
			}
			if err := ValidateResult(changed); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s %s: %v", place, broken, err)
			}
		}
	})
	if fields < 100 {
		t.Errorf("only %d fields were tried", fields)
	}
}

// small keeps one of each list.
func small(r Result) Result {
	r.Requirements, r.Scenarios, r.OpenPoints = r.Requirements[:1], r.Scenarios[:1], r.OpenPoints[:1]
	r.Scenarios[0].Requirements, r.Scenarios[0].Timeline = r.Scenarios[0].Requirements[:1], r.Scenarios[0].Timeline[1:2]
	return r
}

func decoded(t *testing.T, data []byte) any {
	t.Helper()
	var document any
	if err := json.Unmarshal(data, &document); err != nil {
		t.Fatal(err)
	}
	return document
}

// walk visits every field and every element.
func walk(document any, path []any, visit func([]any)) {
	each := func(key, value any) {
		below := append(slices.Clone(path), key)
		visit(below)
		walk(value, below, visit)
	}
	switch document := document.(type) {
	case map[string]any:
		for key, value := range document {
			each(key, value)
		}
	case []any:
		for i, value := range document {
			each(i, value)
		}
	}
}

func at(document any, path []any) any {
	for _, step := range path {
		switch key := step.(type) {
		case string:
			document = document.(map[string]any)[key]
		case int:
			document = document.([]any)[key]
		}
	}
	return document
}

// another is a value of another type.
func another(value any) any {
	if reflect.TypeOf(value) == reflect.TypeOf(true) {
		return "true"
	}
	return true
}

func TestValuesThatTheSchemaRefuses(t *testing.T) {
	whole := file(t, full())
	rows := []struct{ name, old, new, want string }{
		{"another verdict", `"verdict": "pass"`, `"verdict": "green"`, "value must be one of"},
		{"another level", `"level": "MUST"`, `"level": "MAY"`, "/requirements/0/level"},
		{"another conclusion", `"result": "not-conformant"`, `"result": "fine"`, "/result"},
		{"another role", `"role": "server"`, `"role": "proxy"`, "/subject/role"},
		{"another kind of event", `"what": "open"`, `"what": "opened"`, "/timeline/0/what"},
		{"an ID of no form", `"id": "S-FRM-01"`, `"id": "FRM-1"`, "/requirements/0/id"},
		{"a start that is no time", `"started": "2026-03-01T12:00:00Z"`, `"started": "2026-13-41T12:00:00Z"`, "/run/started"},
		{"a start in another zone", `"started": "2026-03-01T12:00:00Z"`, `"started": "2026-03-01T12:00:00+01:00"`, "/run/started"},
		{"a hash that is none", `"catalogue": "sha256:`, `"catalogue": "md5:`, "/suite/catalogue"},
		{"a shard of no form", `"shard": ""`, `"shard": "0/3"`, "/filters/shard"},
		{"a token that is no number", `"token": "18446744073709551615"`, `"token": "0x7"`, "/claims/0/token"},
		{"odd hex", `"hex": "`, `"hex": "0`, "/hex"},
		{"a negative time", `"duration_ms": 9123`, `"duration_ms": -1`, "/run/duration_ms"},
		{"a fraction", `"duration_ms": 9123`, `"duration_ms": 9.5`, "/run/duration_ms"},
		{"a seed of no number", `"seed": 18446744073709551615`, `"seed": -1`, "/run/seed"},
		{"a null", `"lacks": [`, `"lacks": null, "x": [`, "/subject/lacks"},
		{"a newer schema", `result/1"`, `result/2"`, "newer than this suite"},
		{"cut off", whole[len(whole)/2:], "", "cut off"},
		{"something behind it", `"open_points"`, `"open_points": []} {"x"`, "not JSON"},
		{"hostile text", `"role": "server"`, `"role": "\u001b[2J` + strings.Repeat("x", 5000) + `"`, "/subject/role"},
	}
	for _, row := range rows {
		if !strings.Contains(whole, row.old) {
			t.Fatalf("%s: %q is not in the file", row.name, row.old)
		}
		err := ValidateResult([]byte(strings.Replace(whole, row.old, row.new, 1)))
		if err == nil || !strings.Contains(err.Error(), row.want) || strings.Contains(err.Error(), "\x1b") || len(err.Error()) > 10_000 {
			t.Errorf("%s: %.2000v; want %q", row.name, err, row.want)
		}
	}
	for text, want := range map[string]string{"": "empty", " \n": "empty", "[1]": "no result: it holds an array", `{"a": 1}`: "missing properties", "{": "cut off"} {
		if err := ValidateResult([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	if err := ValidateResult([]byte(strings.ReplaceAll(whole, `"verdict": "`, `"verdict": "x`))); !strings.Contains(err.Error(), "faults more") {
		t.Errorf("many faults: %v", err)
	}
}

func TestTheSchemaAllowsFieldsOfLaterVersions(t *testing.T) {
	document := decoded(t, []byte(file(t, small(full()))))
	var objects []map[string]any
	walk(document, nil, func(path []any) {
		if object, isObject := at(document, path).(map[string]any); isObject {
			objects = append(objects, object)
		}
	})
	for _, object := range append(objects, document.(map[string]any)) {
		object["later"] = 1
	}
	data, err := json.Marshal(document)
	if err != nil {
		t.Fatal(err)
	}
	if err := ValidateResult(data); err != nil {
		t.Error(err)
	}
}

func TestTheSchemaKnowsTheSuitesWords(t *testing.T) {
	var schema struct {
		Properties map[string]struct {
			Const any
			Enum  []string
		}
		Defs map[string]struct{ Enum []conformance.Verdict } `json:"$defs"`
	}
	if err := json.Unmarshal(ResultSchema(), &schema); err != nil {
		t.Fatal(err)
	}
	if got := schema.Defs["verdict"].Enum; !slices.Equal(got, conformance.Verdicts()) {
		t.Errorf("verdicts %q, want %q", got, conformance.Verdicts())
	}
	if schema.Properties["schema"].Const != Schema {
		t.Errorf("schema %q, want %q", schema.Properties["schema"].Const, Schema)
	}
	changed := ResultSchema()
	changed[0] = 'x'
	if ResultSchema()[0] == 'x' {
		t.Error("the schema can be changed from outside")
	}
}

// TestAnotherValidatorReadsTheSchema: Python's jsonschema, where it is installed.
func TestAnotherValidatorReadsTheSchema(t *testing.T) {
	if err := exec.Command("python3", "-c", "import jsonschema").Run(); err != nil {
		t.Skip("no jsonschema for Python, so no other validator reads the schema: ", err)
	}
	dir := t.TempDir()
	for name, data := range map[string][]byte{"schema": ResultSchema(), "result": []byte(file(t, full()))} {
		if err := os.WriteFile(dir+"/"+name, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	const script = `
import json, sys, jsonschema
schema, result = (json.load(open(sys.argv[1] + "/" + n)) for n in ("schema", "result"))
jsonschema.Draft202012Validator.check_schema(schema)
jsonschema.Draft202012Validator(schema).validate(result)
`
	if out, err := exec.Command("python3", "-c", script, dir).CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}
