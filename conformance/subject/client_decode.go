package subject

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/monolock-dev/monolock-conform/conformance/typo"
)

// decodeEvent reads one line that begins with "{". An object without a known
// event is nil without an error: it means nothing here.
// Names are compared exactly, other than encoding/json does for structs.
func decodeEvent(line []byte) (*ClientEvent, *AdapterError) {
	var fields eventFields
	if err := json.Unmarshal(line, &fields); err != nil {
		return nil, &AdapterError{What: "wrote what is no JSON object (" + printable(err.Error()) + ")",
			Try: "a line that begins with { is one whole JSON object; log text begins with anything else"}
	}
	var name string
	if json.Unmarshal(fields["event"], &name) != nil {
		return nil, nil
	}
	decode, known := eventDecoders[EventKind(name)]
	if !known {
		return nil, nil
	}
	ev := &ClientEvent{Kind: EventKind(name)}
	if err := decode(ev, fields); err != nil {
		return nil, err
	}
	return ev, nil
}

// eventDecoders are the events of the contract, each with the reader of its
// fields.
var eventDecoders = map[EventKind]func(*ClientEvent, eventFields) *AdapterError{
	Hello:    decodeHello,
	Waiting:  func(*ClientEvent, eventFields) *AdapterError { return nil },
	Granted:  func(ev *ClientEvent, f eventFields) (err *AdapterError) { ev.Token, err = f.token(); return err },
	Lost:     func(ev *ClientEvent, f eventFields) *AdapterError { return f.text("cause", &ev.Cause) },
	Finished: func(*ClientEvent, eventFields) *AdapterError { return nil },
	Result:   decodeResult,
}

func decodeHello(ev *ClientEvent, f eventFields) *AdapterError {
	for _, field := range []struct {
		name string
		to   *string
	}{{"client", &ev.Hello.Client}, {"version", &ev.Hello.Version}, {"language", &ev.Hello.Language}} {
		if err := f.text(field.name, field.to); err != nil {
			return err
		}
	}
	var err *AdapterError
	ev.Hello.Lacks, err = f.lacks()
	return err
}

func decodeResult(ev *ClientEvent, f eventFields) *AdapterError {
	if err := f.text("message", &ev.Message); err != nil {
		return err
	}
	var err *AdapterError
	if ev.Outcome, err = f.outcome(); err != nil {
		return err
	}
	ev.Code, err = f.code()
	return err
}

// eventFields are the fields of an event, not yet read.
type eventFields map[string]json.RawMessage

// has reports whether a field is there and not null.
func (f eventFields) has(name string) bool {
	return len(f[name]) > 0 && string(f[name]) != "null"
}

// text reads an optional string.
func (f eventFields) text(name string, to *string) *AdapterError {
	if f.has(name) && json.Unmarshal(f[name], to) != nil {
		return &AdapterError{What: fmt.Sprintf("wrote a %q that is no string", name)}
	}
	return nil
}

// token reads a decimal string. Leading zeros do no harm.
func (f eventFields) token() (uint64, *AdapterError) {
	const try = `the token is a string of decimal digits, 0 to 18446744073709551615, as in "token":"42"`
	var digits string
	switch {
	case !f.has("token"):
		return 0, &AdapterError{What: "wrote granted without a token", Try: try}
	case json.Unmarshal(f["token"], &digits) != nil:
		return 0, &AdapterError{What: "wrote a token that is no string", Try: try + "; JSON numbers are rounded above 2^53 by many readers"}
	case negative(digits) != 0:
		return 0, &AdapterError{What: "wrote a negative token", Try: signedToken(negative(digits)) + "; " + try}
	case digits == "" || strings.Trim(digits, "0123456789") != "":
		return 0, &AdapterError{What: "wrote a token that is not decimal", Try: try}
	}
	token, err := strconv.ParseUint(digits, 10, 64)
	if err != nil {
		return 0, &AdapterError{What: "wrote a token above 2^64-1", Try: try}
	}
	return token, nil
}

// negative reads digits as a negative number of 64 bits; 0 for anything else.
func negative(digits string) int64 {
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil {
		return 0
	}
	return min(n, 0)
}

// signedToken says what a negative token most likely is. It is no finding about the
// client: the adapter may be what reads it so.
func signedToken(n int64) string {
	return fmt.Sprintf("it is probably the token %d, read as a signed number: tokens go up to 2^64-1 and are read and printed unsigned (C-RD-04)", uint64(n))
}

// outcomes are the known ones, in the order of the contract.
var outcomes = []string{
	string(OutcomeOK), string(OutcomeFailed), string(OutcomeLost),
	string(OutcomeRetry), string(OutcomeStop), string(OutcomeCancelled),
}

func (f eventFields) outcome() (Outcome, *AdapterError) {
	var outcome string
	if !f.has("outcome") || json.Unmarshal(f["outcome"], &outcome) != nil {
		return "", &AdapterError{What: "wrote a result without an outcome", Try: "it is " + oneOf(outcomes)}
	}
	if !slices.Contains(outcomes, outcome) {
		return "", &AdapterError{What: "wrote the unknown outcome " + quoteLine(outcome), Try: guess(outcome, outcomes)}
	}
	return Outcome(outcome), nil
}

// code reads an ERROR's code; nil where there was none.
func (f eventFields) code() (*int, *AdapterError) {
	if !f.has("code") {
		return nil, nil
	}
	var code int
	if json.Unmarshal(f["code"], &code) != nil || code < 0 || code > 0xff {
		return nil, &AdapterError{What: "wrote a code that is no number from 0 to 255",
			Try: "it is the ERROR's code, and null where there was none"}
	}
	return &code, nil
}

// declinable are the features that lacks may name.
var declinable = []string{LacksRetry, LacksCancel, LacksFail, LacksClassify, LacksTLS, LacksMTLS}

// owed are what somebody may try to decline and every client has to do, in the
// words that come to mind.
var owed = []string{"token", "tokens", "lost", "stop", "stop-signal", "signal", "reader", "permanent-reader",
	"granted", "finished", "release", "result", "heartbeat", "heartbeats"}

func (f eventFields) lacks() ([]string, *AdapterError) {
	var words, lacks []string
	if f.has("lacks") && json.Unmarshal(f["lacks"], &words) != nil {
		return nil, &AdapterError{What: "wrote a lacks that is no list of strings", Try: `write it as "lacks":["cancel"]`}
	}
	for _, word := range words {
		switch {
		case slices.Contains(owed, word):
			return nil, &AdapterError{What: "declines " + quoteLine(word) + ", which no client may",
				Try: "tokens, the stop signal and a permanent reader are the least; it may lack " + oneOf(declinable)}
		case !slices.Contains(declinable, word):
			return nil, &AdapterError{What: "lacks the unknown " + quoteLine(word), Try: guess(word, declinable)}
		case !slices.Contains(lacks, word):
			lacks = append(lacks, word)
		}
	}
	return lacks, nil
}

// guessedBytes of a word are enough to see what was meant: the effort of a
// guess grows with the length.
const guessedBytes = 40

// guess offers the nearest known word, where one is near, and all of them.
func guess(word string, known []string) string {
	if name, ok := typo.Nearest(word[:min(len(word), guessedBytes)], known); ok {
		return "did you mean " + name + "? Known are " + strings.Join(known, ", ")
	}
	return "known are " + strings.Join(known, ", ")
}

func oneOf(words []string) string {
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}
