package faultproxy

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

// field is one key of a rule: the text form, the JSON form and the checks all
// read this table.
type field struct {
	key string
	get func(Rule) string // "" where it is not set
	set func(*Rule, string) error
}

var fields = []field{
	{"delay", func(r Rule) string { return showTime(r.Delay) }, setTime(func(r *Rule) *time.Duration { return &r.Delay })},
	{"jitter", func(r Rule) string { return showTime(r.Jitter) }, setTime(func(r *Rule) *time.Duration { return &r.Jitter })},
	{"sizes", func(r Rule) string { return showSizes(r.Sizes) }, setSizes},
	{"pause", func(r Rule) string { return showTime(r.Pause) }, setTime(func(r *Rule) *time.Duration { return &r.Pause })},
	{"size", func(r Rule) string { return showInt(int64(r.Size)) }, setSize},
	{"wait", func(r Rule) string { return showTime(r.Wait) }, setTime(func(r *Rule) *time.Duration { return &r.Wait })},
	{"rate", func(r Rule) string { return showInt(r.Rate) }, setBytes(func(r *Rule) *int64 { return &r.Rate })},
	{"side", func(r Rule) string { return showName(sideNames, int(r.Side)) }, setSide},
	{"dir", func(r Rule) string { return showName(dirNames, int(r.Dir)) }, setDir},
	{"conn", func(r Rule) string { return showNth(r.Conn) }, setNth(func(r *Rule) *Nth { return &r.Conn })},
	{"on", showOn, setOn},
	{"n", func(r Rule) string { return showNth(r.N) }, setNth(func(r *Rule) *Nth { return &r.N })},
	{"at", func(r Rule) string { return showInt(r.At) }, setBytes(func(r *Rule) *int64 { return &r.At })},
	{"after", showAfter, setAfter},
	{"chance", showChance, setChance},
	{"len", func(r Rule) string { return showInt(r.Len) }, setBytes(func(r *Rule) *int64 { return &r.Len })},
	{"xor", showXor, setXor},
	{"byte", showByte, setByte},
}

func fieldOf(key string) (field, bool) {
	for _, f := range fields {
		if f.key == key {
			return f, true
		}
	}
	return field{}, false
}

func showTime(d time.Duration) string {
	if d == 0 {
		return ""
	}
	return d.String()
}

func setTime(of func(*Rule) *time.Duration) func(*Rule, string) error {
	return func(r *Rule, text string) error {
		d, err := time.ParseDuration(text)
		if err != nil || d < 0 {
			return fmt.Errorf(`%q is no duration such as "100ms" or "1.5s"`, text)
		}
		*of(r) = d
		return nil
	}
}

func showInt(n int64) string {
	if n == 0 {
		return ""
	}
	return strconv.FormatInt(n, 10)
}

// setBytes reads a number of bytes; k and M stand for thousands and millions.
func setBytes(of func(*Rule) *int64) func(*Rule, string) error {
	return func(r *Rule, text string) error {
		n, err := parseBytes(text)
		*of(r) = n
		return err
	}
}

func parseBytes(text string) (int64, error) {
	digits, unit := text, int64(1)
	if cut, ok := strings.CutSuffix(text, "k"); ok {
		digits, unit = cut, 1e3
	} else if cut, ok := strings.CutSuffix(text, "M"); ok {
		digits, unit = cut, 1e6
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || n < 0 || n > 1<<53/unit {
		return 0, fmt.Errorf(`%q is no number of bytes such as "1400", "64k" or "2M"`, text)
	}
	return n * unit, nil
}

func setSize(r *Rule, text string) error {
	n, err := parseBytes(text)
	if err == nil && n > 1<<30 {
		return fmt.Errorf("%q is more than can be gathered", text)
	}
	r.Size = int(n)
	return err
}

func showSizes(sizes []Span) string {
	var parts []string
	for _, s := range sizes {
		part := strconv.Itoa(s.Min)
		if s.Max != s.Min {
			part += "-" + strconv.Itoa(s.Max)
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, ",")
}

func setSizes(r *Rule, text string) error {
	r.Sizes = nil
	for part := range strings.SplitSeq(text, ",") {
		low, high, isRange := strings.Cut(part, "-")
		if !isRange {
			high = low
		}
		smallest, err1 := strconv.ParseUint(low, 10, 30)
		largest, err2 := strconv.ParseUint(high, 10, 30)
		if errors.Join(err1, err2) != nil || smallest == 0 || largest < smallest {
			return fmt.Errorf(`%q is no list of sizes such as "3", "1,2,5" or "1-16"`, text)
		}
		r.Sizes = append(r.Sizes, Span{int(smallest), int(largest)})
	}
	return nil
}

// showName leaves out the first name, which is the zero value.
func showName(names []string, i int) string {
	if i == 0 {
		return ""
	}
	return nameOf(names, i)
}

func setDir(r *Rule, text string) error {
	i, err := chosen("direction", text, dirNames)
	r.Dir = Dir(i)
	return err
}

func setSide(r *Rule, text string) error {
	i, err := chosen("side", text, sideNames)
	r.Side = Side(i)
	return err
}

func showNth(n Nth) string {
	if n.N == 0 {
		return ""
	}
	return n.String()
}

func setNth(of func(*Rule) *Nth) func(*Rule, string) error {
	return func(r *Rule, text string) error {
		n, err := parseNth(text)
		*of(r) = n
		return err
	}
}

func showOn(r Rule) string {
	if r.On == 0 {
		return ""
	}
	return r.On.String()
}

func setOn(r *Rule, text string) error {
	i, err := chosen("frame", strings.ToUpper(text), frameNames)
	if err == nil {
		r.On = frameTypes[i]
	}
	return err
}

var frameNames = func() (names []string) {
	for _, t := range []wire.Type{wire.TypeAcquire, wire.TypeHeartbeat, wire.TypeWaiting, wire.TypeAcquired, wire.TypeError} {
		names = append(names, t.String())
	}
	return names
}()

func showAfter(r Rule) string {
	if !r.After {
		return ""
	}
	return "true"
}

func setAfter(r *Rule, text string) (err error) {
	if r.After, err = strconv.ParseBool(text); err != nil {
		return fmt.Errorf(`%q is neither "true" nor "false"`, text)
	}
	return nil
}

func showChance(r Rule) string {
	if r.Chance == 0 {
		return ""
	}
	return strconv.FormatFloat(r.Chance, 'g', -1, 64)
}

func setChance(r *Rule, text string) error {
	p, err := strconv.ParseFloat(text, 64)
	if err != nil || !(p > 0 && p <= 1) {
		return fmt.Errorf(`%q is no probability above 0, such as "0.1"`, text)
	}
	r.Chance = p
	return nil
}

func showXor(r Rule) string {
	if r.Xor == 0 {
		return ""
	}
	return fmt.Sprintf("0x%02x", r.Xor)
}

func setXor(r *Rule, text string) (err error) {
	r.Xor, err = parseByte(text)
	if err == nil && r.Xor == 0 {
		return errors.New("xor with 0 changes nothing")
	}
	return err
}

func showByte(r Rule) string {
	if r.Byte == nil {
		return ""
	}
	return fmt.Sprintf("0x%02x", *r.Byte)
}

func setByte(r *Rule, text string) error {
	b, err := parseByte(text)
	r.Byte = &b
	return err
}

func parseByte(text string) (uint8, error) {
	b, err := strconv.ParseUint(text, 0, 8)
	if err != nil {
		return 0, fmt.Errorf(`%q is no byte such as "0x7f" or "127"`, text)
	}
	return uint8(b), nil
}
