package reports

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/spec"
)

// WriteJSON writes a result as JSON, indented, in a fixed order. The same result
// gives the same bytes. Nothing is escaped for HTML: who puts it into a page has
// to do that. The errors are those of w.
func WriteJSON(w io.Writer, r Result) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(r)
}

// ReadJSON reads what [WriteJSON] wrote, to the end of rd. Fields that it does not
// know are ignored, missing arrays are empty. What the result concludes is not
// checked: see [Judge]. The error says what is wrong with the file: empty, cut
// off, not JSON, another schema, a newer one, a word that is no verdict.
func ReadJSON(rd io.Reader) (Result, error) {
	data, err := io.ReadAll(rd)
	if err != nil {
		return Result{}, fmt.Errorf("reading the result: %w", err)
	}
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	if len(bytes.TrimSpace(data)) == 0 {
		return Result{}, errors.New("the result is empty")
	}
	var head struct {
		Schema string `json:"schema"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return Result{}, malformed(data, err)
	}
	if err := checkSchema(head.Schema); err != nil {
		return Result{}, err
	}
	var r Result
	if err := json.Unmarshal(data, &r); err != nil {
		return Result{}, malformed(data, err)
	}
	r.fillArrays()
	return r, r.check()
}

// malformed says where and why data is not the JSON of a result.
func malformed(data []byte, err error) error {
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
		if int(syntax.Offset) >= len(data) {
			return fmt.Errorf("the result is cut off: its JSON does not end within its %d bytes", len(data))
		}
		line := 1 + bytes.Count(data[:syntax.Offset], []byte("\n"))
		return fmt.Errorf("the result is not JSON: line %d: %w", line, err)
	}
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		if wrong.Field == "" {
			return fmt.Errorf("the file is JSON, but no result: it holds %s, not an object", article(wrong.Value))
		}
		return fmt.Errorf("the result's field %q holds %s where %s belongs", wrong.Field, article(wrong.Value), article(kindName(wrong.Type)))
	}
	return fmt.Errorf("the result: %w", err)
}

// article puts "a" or "an" before a word of JSON.
func article(word string) string {
	if strings.HasPrefix(word, "a") || strings.HasPrefix(word, "o") {
		return "an " + word
	}
	return "a " + word
}

// kindName is what JSON calls values of a type.
func kindName(t reflect.Type) string {
	switch t.Kind() {
	case reflect.String:
		return "string"
	case reflect.Bool:
		return "bool"
	case reflect.Slice, reflect.Array:
		return "array"
	case reflect.Struct, reflect.Map, reflect.Pointer:
		return "object"
	}
	return "number"
}

// checkSchema tells other schemas apart.
func checkSchema(schema string) error {
	if schema == Schema {
		return nil
	}
	if schema == "" {
		return fmt.Errorf("the file is JSON, but no result: it has no schema, and %q belongs there", Schema)
	}
	family := Schema[:strings.LastIndex(Schema, "/")+1]
	version, ours := strings.CutPrefix(schema, family)
	if number, err := strconv.Atoi(version); ours && err == nil && number > 1 {
		return fmt.Errorf("the result's schema %q is newer than this suite, which reads %q: use a newer monolock-conform", schema, Schema)
	}
	return fmt.Errorf("the file is no result: its schema is %q, and this suite reads %q", cleanLine(schema), Schema)
}

// fillArrays makes every missing array an empty one.
func (r *Result) fillArrays() {
	fill(&r.Subject.Lacks)
	fill(&r.Run.Args)
	fill(&r.Filters.Run)
	fill(&r.Filters.Skip)
	fill(&r.Features.Offered)
	fill(&r.Features.Declined)
	fill(&r.Requirements)
	fill(&r.Scenarios)
	fill(&r.Observations)
	fill(&r.OpenPoints)
	for i := range r.Requirements {
		fill(&r.Requirements[i].Scenarios)
	}
	for i := range r.Scenarios {
		s := &r.Scenarios[i]
		fill(&s.Requirements)
		fill(&s.Claims)
		fill(&s.Bands)
		fill(&s.Limits)
		fill(&s.Timeline)
	}
}

func fill[T any](s *[]T) {
	if *s == nil {
		*s = []T{}
	}
}

// check reports words that are none of the schema's.
func (r *Result) check() error {
	var faults []error
	if r.Subject.Role != spec.RoleServer && r.Subject.Role != spec.RoleClient {
		faults = append(faults, fmt.Errorf("the subject's role is %q, neither server nor client", r.Subject.Role))
	}
	if !slices.Contains([]Conclusion{Conformant, NotConformant, Undecided}, r.Result) {
		faults = append(faults, fmt.Errorf("the conclusion %q is none", r.Result))
	}
	for _, q := range r.Requirements {
		faults = append(faults, checkVerdict(q.Verdict, "requirement "+string(q.ID)))
	}
	for _, s := range r.Scenarios {
		for _, j := range s.Requirements {
			faults = append(faults, checkVerdict(j.Verdict, "scenario "+s.ID+", requirement "+string(j.ID)))
		}
	}
	if err := errors.Join(faults...); err != nil {
		return fmt.Errorf("the result holds what schema 1 does not know: %w", err)
	}
	return nil
}

func checkVerdict(v conformance.Verdict, where string) error {
	if slices.Contains(conformance.Verdicts(), v) {
		return nil
	}
	return fmt.Errorf("%q is no verdict (%s)", v, cleanLine(where))
}
