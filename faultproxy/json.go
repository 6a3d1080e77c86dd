package faultproxy

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// MarshalJSON writes the rule as an object with the keys of its text form.
// Durations, numbers of connections and bytes to set are strings as there.
func (r Rule) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	fmt.Fprintf(&b, `{"fault":%q`, r.Fault)
	for _, f := range fields {
		value := f.get(r)
		if value == "" {
			continue
		}
		if !slices.Contains(bareInJSON, f.key) {
			text, err := json.Marshal(value)
			if err != nil {
				return nil, err
			}
			value = string(text)
		}
		fmt.Fprintf(&b, `,%q:%s`, f.key, value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// bareInJSON are the keys whose values are JSON numbers or truth values.
var bareInJSON = []string{"size", "rate", "at", "after", "chance", "len"}

// UnmarshalJSON reads an object with the keys of the text form. A value is the
// string that stands in the text form, or the number or truth value that it means.
// Errors: everything that is wrong with it, as of [ParseRule].
func (r *Rule) UnmarshalJSON(data []byte) error {
	keys, values, err := object(data)
	if err != nil {
		return err
	}
	name, ok := values["fault"]
	if !ok {
		return errors.New(`a rule needs a "fault", as in {"fault": "partition"}`)
	}
	info, known := faultTable[Fault(name)]
	if !known {
		return unknownFault(name)
	}
	read := Rule{Fault: info.Fault}
	var errs []error
	seen := make(map[string]bool)
	for _, key := range keys {
		if key != "fault" {
			errs = append(errs, read.put(info, key, values[key], seen))
		}
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	read, err = read.checked()
	if err == nil {
		*r = read
	}
	return err
}

// object reads a JSON object of plain values as texts, with its keys in order.
func object(data []byte) (keys []string, values map[string]string, err error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, nil, errors.Join(errors.New("a rule is a JSON object"), notEOF(err))
	}
	values = make(map[string]string)
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil, nil, err
		}
		var value any
		if err := d.Decode(&value); err != nil {
			return nil, nil, err
		}
		text, ok := plainText(value)
		if !ok {
			return nil, nil, fmt.Errorf("%v: a value is a string, a number, true, false or a list of these", key)
		}
		keys = append(keys, key.(string))
		values[key.(string)] = text
	}
	return keys, values, nil
}

func notEOF(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// plainText returns the text form of a JSON value; a list becomes a list.
func plainText(value any) (string, bool) {
	switch v := value.(type) {
	case string:
		return v, true
	case json.Number:
		return v.String(), true
	case bool:
		return fmt.Sprint(v), true
	case []any:
		var parts []string
		for _, part := range v {
			text, ok := plainText(part)
			if !ok {
				return "", false
			}
			parts = append(parts, text)
		}
		return strings.Join(parts, ","), true
	}
	return "", false
}
