package faultproxy

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

// checked returns r as a proxy takes it in: defaults filled in, memory of its own.
// Errors: everything that is wrong with r, joined.
func (r Rule) checked() (Rule, error) {
	info, known := faultTable[r.Fault]
	if !known {
		return r, unknownFault(string(r.Fault))
	}
	r.Sizes = slices.Clone(r.Sizes)
	if r.Fault == Coalesce && r.Wait == 0 {
		r.Wait = defaultGather
	}
	if info.byFrame && r.On != 0 && r.Dir == Both {
		r.Dir = dirOf(r.On)
	}
	errs := append(r.foreignKeys(info), r.wrongValues(info)...)
	return r, errors.Join(errs...)
}

// foreignKeys lists the fields that are set and mean nothing for the fault.
func (r Rule) foreignKeys(info Info) (errs []error) {
	for _, f := range fields {
		if f.get(r) != "" && !slices.Contains(info.Keys, f.key) {
			errs = append(errs, fmt.Errorf("%s takes no %s; it takes %s", r.Fault, f.key, keysOf(info)))
		}
	}
	return errs
}

func keysOf(info Info) string {
	if len(info.Keys) == 0 {
		return "none"
	}
	return strings.Join(info.Keys, ", ")
}

// wrongValues lists what is missing, out of range or contradicts.
func (r Rule) wrongValues(info Info) (errs []error) {
	wrong := func(bad bool, format string, args ...any) {
		if bad {
			errs = append(errs, fmt.Errorf(string(r.Fault)+": "+format, args...))
		}
	}
	for _, f := range fields {
		wrong(f.key == info.need && f.get(r) == "", "%s is missing, as in %q", f.key, info.Example)
	}
	wrong(r.Dir > Down || r.Side > ServerSide, "no such direction or side")
	wrong(r.Conn.N < 0 || r.N.N < 0, "numbers count from 1")
	wrong(r.At < 0 || r.Len < 0 || r.Rate < 0 || r.Size < 0, "a number of bytes is negative")
	wrong(r.Delay < 0 || r.Jitter < 0 || r.Pause < 0 || r.Wait < 0, "a time is negative")
	wrong(!(r.Chance >= 0 && r.Chance <= 1), "chance %v lies outside 0 to 1", r.Chance)
	wrong(r.Xor != 0 && r.Byte != nil, "xor and byte exclude each other")
	for _, s := range r.Sizes {
		wrong(s.Min < 1 || s.Max < s.Min, "sizes begin at 1 byte and go upwards")
	}
	return append(errs, r.wrongTrigger(info)...)
}

// wrongTrigger lists what is wrong with the place where r begins.
func (r Rule) wrongTrigger(info Info) (errs []error) {
	wrong := func(bad bool, format string, args ...any) {
		if bad {
			errs = append(errs, fmt.Errorf(string(r.Fault)+": "+format, args...))
		}
	}
	if r.On == 0 {
		wrong(r.N.N != 0 || r.After || r.Chance != 0, "n, after and chance need on, the type of a frame")
		return errs
	}
	wrong(!slices.Contains(frameTypes, r.On), "0x%02x is no type of a frame", byte(r.On))
	wrong(info.byFrame && r.Dir != dirOf(r.On), "%v goes %v, not %v", r.On, dirOf(r.On), r.Dir)
	wrong(r.After && r.At != 0, "at and after exclude each other")
	wrong(r.At >= int64(longest(r.On)) && r.At > 0, "%v has no byte %d, its last is %d at most", r.On, r.At, longest(r.On)-1)
	return errs
}

// frameTypes are the types of frames, in the order of the documents.
var frameTypes = []wire.Type{wire.TypeAcquire, wire.TypeHeartbeat, wire.TypeWaiting, wire.TypeAcquired, wire.TypeError}

// longest returns the size of the longest frame of a type, in bytes.
func longest(t wire.Type) int {
	switch t {
	case wire.TypeAcquire:
		return wire.AcquireHeaderSize + 0xffff
	case wire.TypeAcquired:
		return wire.AcquiredSize
	case wire.TypeError:
		return wire.ErrorHeaderSize + wire.MaxReasonLen
	}
	return 1
}
