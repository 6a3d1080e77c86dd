package defects

import (
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

// names are locks that are not the ones asked for.
func names() []Defect {
	return []Defect{
		{
			ID:       "name-trimmed",
			Sentence: "It trims blanks from the name's ends.",
			Must:     ids("C-ACQ-03"),
			New:      renames(strings.TrimSpace),
		},
		{
			ID:       "name-case-folded",
			Sentence: "It sends the name in lower case.",
			Must:     ids("C-ACQ-03"),
			New:      renames(strings.ToLower),
		},
		{
			ID:       "name-normalised",
			Sentence: "It sends the name in the composed form (NFC).",
			Must:     ids("C-ACQ-03"),
			New:      renames(norm.NFC.String),
		},
		{
			ID:       "name-ends-at-nul",
			Sentence: "It sends the name up to its first NUL.",
			Must:     ids("C-ACQ-03"),
			New: renames(func(name string) string {
				before, _, _ := strings.Cut(name, "\x00")
				return before
			}),
		},
		{
			ID:       "name-limit-counts-characters",
			Sentence: "It refuses names of more than 63 characters.",
			Must:     ids("C-ACQ-03"),
			New:      renames(func(name string) string { return tooLongBeyond(63, name) }),
		},
		{
			ID:       "name-cut-at-255",
			Sentence: "It cuts a name that is too long at 255 bytes.",
			Must:     ids("C-ACQ-04"),
			New: renames(func(name string) string {
				return strings.ToValidUTF8(name[:min(len(name), wire.MaxNameLen)], "")
			}),
		},
	}
}

// renames makes a client that asks for another name.
func renames(change func(string) string) func(config) client {
	return func(cfg config) client {
		return calls(cfg, func(do call) call { return do.withName(change) })
	}
}

// tooLongBeyond returns name, or for a longer one a name that is refused.
func tooLongBeyond(limit int, name string) string {
	if len([]rune(name)) > limit {
		return strings.Repeat("x", wire.MaxNameLen+1)
	}
	return name
}
