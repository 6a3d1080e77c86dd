package faultproxy

import (
	"errors"
	"fmt"
	"strings"
)

// ParseRule reads a rule from one line: the fault, then its keys in any order.
// The value of a fault's main key may stand alone, and so may the words before
// and after; before is the default. Durations are Go's, k and M are thousands
// and millions of bytes.
//
//	partition dir=both
//	delay 100ms jitter=20ms dir=down
//	reset on=ACQUIRED n=2 at=3
//	fragment 1,2-4 pause=5ms conn=2+
//
// Errors: everything that is wrong with the line, with the nearest name where
// one is unknown.
func ParseRule(line string) (Rule, error) {
	words := strings.Fields(line)
	if len(words) == 0 {
		return Rule{}, errors.New("an empty rule; a rule begins with a fault, as in " + faultList[0].Example)
	}
	name, words := words[0], words[1:]
	info, known := faultTable[Fault(name)]
	if !known {
		return Rule{}, unknownFault(name)
	}
	r := Rule{Fault: info.Fault}
	var errs []error
	seen := make(map[string]bool)
	for _, word := range words {
		key, value, err := split(info, word)
		if err == nil {
			err = r.put(info, key, value, seen)
		}
		errs = append(errs, err)
	}
	if err := errors.Join(errs...); err != nil {
		return Rule{}, fmt.Errorf("rule %q: %w", line, err)
	}
	r, err := r.checked()
	if err != nil {
		return Rule{}, fmt.Errorf("rule %q: %w", line, err)
	}
	return r, nil
}

// split reads a word of a rule as a key and its value.
func split(info Info, word string) (key, value string, err error) {
	if key, value, ok := strings.Cut(word, "="); ok {
		return key, value, nil
	}
	switch {
	case word == "after":
		return "after", "true", nil
	case word == "before":
		return "after", "false", nil
	case info.Main != "":
		return info.Main, word, nil
	}
	return "", "", fmt.Errorf("%s takes no value of its own, but has %q; write key=value", info.Fault, word)
}

// put sets one key.
func (r *Rule) put(info Info, key, value string, seen map[string]bool) error {
	f, ok := fieldOf(key)
	if !ok {
		return unknown("key", key, info.Keys)
	}
	if seen[key] {
		return fmt.Errorf("%s is given twice", key)
	}
	seen[key] = true
	if err := f.set(r, value); err != nil {
		return fmt.Errorf("%s: %w", key, err)
	}
	return nil
}

// String returns the rule's text form, which ParseRule reads.
func (r Rule) String() string {
	words := []string{string(r.Fault)}
	info := faultTable[r.Fault]
	for _, f := range fields {
		value := f.get(r)
		switch {
		case value == "":
		case f.key == info.Main:
			words = append(words, value)
		case f.key == "after":
			words = append(words, f.key)
		default:
			words = append(words, f.key+"="+value)
		}
	}
	return strings.Join(words, " ")
}
