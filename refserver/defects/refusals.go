package defects

import (
	"time"
	"unicode/utf8"

	"github.com/monolock-dev/monolock-conform/conformance/wire"
	"github.com/monolock-dev/monolock-conform/refserver"
)

// refusals name the wrong code, one defect a code.
func refusals() []Defect {
	return []Defect{
		{
			ID:       "code-for-version",
			Sentence: "It refuses an unsupported version with 0x13 instead of 0x10.",
			Must:     ids("S-ACQ-06"),
			May:      ids("S-ACQ-23"),
			New:      recode(wire.CodeUnsupportedVersion, wire.CodeUnknownType, always),
		},
		{
			ID:       "code-for-heartbeat-first",
			Sentence: "It refuses a HEARTBEAT as first message with 0x13 instead of 0x11.",
			Must:     ids("S-ACQ-03"),
			May:      ids("S-ACQ-23"),
			New: rules(func(r *changed) {
				r.judge = func(s *session, m message, now time.Time) decision {
					d := standard.Judge(s, m, now)
					if d.Code == wire.CodeNotAcquire && m.Kind == refserver.Heartbeat {
						d.Code = wire.CodeUnknownType
					}
					return d
				}
			}),
		},
		{
			ID:       "code-for-unknown-type-first",
			Sentence: "It refuses an unknown type as first message with 0x10.",
			Must:     ids("S-ACQ-20"),
			New: rules(func(r *changed) {
				r.judge = func(s *session, m message, now time.Time) decision {
					d := standard.Judge(s, m, now)
					if d.Code == wire.CodeNotAcquire && m.Kind == refserver.Unknown {
						d.Code = wire.CodeUnsupportedVersion
					}
					return d
				}
			}),
		},
		{
			ID:       "code-for-duplicate-while-holding",
			Sentence: "It refuses a second ACQUIRE of a holder with 0x11 instead of 0x12.",
			Must:     ids("S-ACQ-04"),
			May:      ids("S-FRM-03"),
			New: recode(wire.CodeDuplicateAcquire, wire.CodeNotAcquire, func(s *session, _ occasion) bool {
				return s.State() == refserver.Acquired
			}),
		},
		{
			ID:       "code-for-duplicate-while-waiting",
			Sentence: "It refuses a second ACQUIRE of a waiter with 0x11 instead of 0x12.",
			Must:     ids("S-ACQ-05"),
			New: recode(wire.CodeDuplicateAcquire, wire.CodeNotAcquire, func(s *session, _ occasion) bool {
				return s.State() == refserver.Waiting
			}),
		},
		{
			ID:       "code-for-unknown-type",
			Sentence: "It refuses an unknown type after ACQUIRE with 0x12 instead of 0x13.",
			Must:     ids("S-ACQ-19"),
			New:      recode(wire.CodeUnknownType, wire.CodeDuplicateAcquire, always),
		},
		{
			ID:       "code-for-empty-name",
			Sentence: "It refuses an empty name with 0x16 instead of 0x14.",
			Must:     ids("S-ACQ-13"),
			May:      ids("S-ACQ-23"),
			New:      recode(wire.CodeEmptyName, wire.CodeNameNotUTF8, always),
		},
		{
			ID:       "code-for-long-name",
			Sentence: "It refuses a name that is too long with 0x14 instead of 0x15.",
			Must:     ids("S-ACQ-11 S-ACQ-12"),
			May:      ids("S-ACQ-23"),
			New:      recode(wire.CodeNameTooLong, wire.CodeEmptyName, always),
		},
		{
			ID:       "code-for-utf8",
			Sentence: "It refuses a name that is not UTF-8 with 0x14 instead of 0x16.",
			Must:     ids("S-ACQ-14"),
			May:      ids("S-ACQ-23"),
			New:      recode(wire.CodeNameNotUTF8, wire.CodeEmptyName, always),
		},
		{
			ID:       "code-for-lease-zero",
			Sentence: "It refuses lease_ms 0 with 0x14 instead of 0x17.",
			Must:     ids("S-ACQ-07"),
			May:      ids("S-ACQ-23"),
			New:      recode(wire.CodeLeaseNotPositive, wire.CodeEmptyName, always),
		},
		{
			ID:       "code-for-several-faults",
			Sentence: "It refuses an ACQUIRE with several faults with 0x18, a code of none of them.",
			Must:     ids("S-ACQ-23"),
			New: rules(func(r *changed) {
				r.check = func(a wire.Acquire) (wire.Code, bool) {
					if faults(a) > 1 {
						return wire.CodeNotAuthorized, false
					}
					return standard.Check(a)
				}
			}),
		},
	}
}

// faults counts what is wrong with a.
func faults(a wire.Acquire) int {
	n := 0
	if a.Version != wire.Version {
		n++
	}
	if a.LeaseMS == 0 {
		n++
	}
	if _, ok := wire.CheckName(a.Name); !ok {
		n++
	}
	if len(a.Name) > wire.MaxNameLen && !utf8.ValidString(a.Name) {
		n++ // too long, which is counted, and not UTF-8 either
	}
	return n
}
