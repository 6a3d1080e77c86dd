package reports

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

//go:embed schema/result-1.schema.json
var resultSchema []byte

// ResultSchema returns the JSON Schema, draft 2020-12, of the file of a [Result].
// The caller may change it.
func ResultSchema() []byte { return slices.Clone(resultSchema) }

// compiled is the schema, ready to validate. A suite that cannot read its own schema
// must not say that a file fits it.
var compiled = sync.OnceValue(func() *jsonschema.Schema {
	const name = "result-1.schema.json"
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(resultSchema))
	if err == nil {
		compiler := jsonschema.NewCompiler()
		compiler.AssertFormat()
		if err = compiler.AddResource(name, document); err == nil {
			return compiler.MustCompile(name)
		}
	}
	panic("reports: the schema of the result is broken: " + err.Error())
})

// ValidateResult checks data against [ResultSchema]. Fields that the schema does not
// know are allowed. The error joins what is wrong, each with its place in the file:
// no JSON, another schema, fields that are missing or hold something else. Whether
// the conclusion follows from the rest is for [Judge].
func ValidateResult(data []byte) error {
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	if len(bytes.TrimSpace(data)) == 0 {
		return errors.New("the result is empty")
	}
	var head struct {
		Schema any `json:"schema"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return malformed(data, err)
	}
	if schema, isText := head.Schema.(string); isText {
		if err := checkSchema(schema); err != nil {
			return err
		}
	}
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		return malformed(data, err)
	}
	return misfits(compiled().Validate(document))
}

// shownMisfits is how many faults of a file are named.
const shownMisfits = 20

// misfits says what is wrong in words and where.
func misfits(err error) error {
	if err == nil {
		return nil
	}
	invalid, known := errors.AsType[*jsonschema.ValidationError](err)
	if !known {
		return err
	}
	var faults []error
	for i, fault := range leaves(invalid) {
		if i == shownMisfits {
			faults = append(faults, fmt.Errorf("and %d faults more", len(leaves(invalid))-i))
			break
		}
		faults = append(faults, fault)
	}
	return errors.Join(faults...)
}

// leaves are the faults that have no cause of their own.
func leaves(e *jsonschema.ValidationError) []error {
	if len(e.Causes) == 0 {
		place := "/" + strings.Join(e.InstanceLocation, "/")
		why := e.ErrorKind.LocalizedString(message.NewPrinter(language.English))
		return []error{fmt.Errorf("the result does not fit its schema: %s: %s", cut(cleanLine(place), shownOfLine), cut(cleanLine(why), keptOfLine))}
	}
	var all []error
	for _, cause := range e.Causes {
		all = append(all, leaves(cause)...)
	}
	return all
}
