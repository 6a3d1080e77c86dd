package server

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

var names = []conformance.Scenario{
	{
		ID: "server/acquire/shortest-and-longest-name", Role: spec.RoleServer,
		Title:  "names of 1 byte and of 255 bytes are accepted",
		Judges: []spec.ID{spec.S_ACQ_10},
		Method: "A name of 255 bytes is granted. A name of one byte, which somebody else may hold on a shared server, is granted or queued.",
		Run: func(t *conformance.T) {
			t.Ask(t.LockOf(wire.MaxNameLen, "x")).WantAcquired(spec.S_ACQ_10, "a name of 255 bytes is accepted")
			t.Ask("x").WantAccepted(spec.S_ACQ_10, "a name of 1 byte is accepted")
		},
	},
	{
		ID: "server/acquire/name-too-long", Role: spec.RoleServer,
		Title:  "names of more than 255 bytes are refused with ERROR 0x15",
		Judges: []spec.ID{spec.S_ACQ_11},
		Method: "Names of 256, 300 and 65,535 bytes; ERROR 0x15 must come each time.",
		Run: func(t *conformance.T) {
			for _, size := range []int{256, 300, 65535} {
				what := fmt.Sprintf("a name of %d bytes", size)
				refuse(t, spec.S_ACQ_11, what, wire.AcquireFrame(t.LockOf(size, "x"), anyLeaseMS), wire.CodeNameTooLong)
			}
		},
	},
	{
		ID: "server/acquire/limit-counts-bytes", Role: spec.RoleServer,
		Title:  "the limit of a name counts bytes, not characters",
		Judges: []spec.ID{spec.S_ACQ_12},
		Method: "A name of 255 bytes in three-byte characters is granted; one of 258 bytes, which has far fewer than 255 characters, is refused.",
		Run: func(t *conformance.T) {
			t.Ask(t.LockOf(wire.MaxNameLen, "€")).WantAcquired(spec.S_ACQ_12, "255 bytes of three-byte characters are accepted")
			refuse(t, spec.S_ACQ_12, "258 bytes of three-byte characters", wire.AcquireFrame(t.LockOf(258, "€"), anyLeaseMS), wire.CodeNameTooLong)
			refuse(t, spec.S_ACQ_12, "86 characters of three bytes", wire.AcquireFrame(strings.Repeat("€", 86), anyLeaseMS), wire.CodeNameTooLong)
		},
	},
	{
		ID: "server/acquire/empty-name", Role: spec.RoleServer,
		Title:  "an empty name is refused with ERROR 0x14",
		Judges: []spec.ID{spec.S_ACQ_13},
		Method: "An ACQUIRE with name_len 0; ERROR 0x14 must come.",
		Run: func(t *conformance.T) {
			refuse(t, spec.S_ACQ_13, "an empty name", wire.AcquireFrame("", anyLeaseMS), wire.CodeEmptyName)
		},
	},
	{
		ID: "server/acquire/ill-formed-utf8", Role: spec.RoleServer,
		Title:  "a name that is not valid UTF-8 is refused with ERROR 0x16",
		Judges: []spec.ID{spec.S_ACQ_14},
		Method: "One case for each class of ill-formed UTF-8, in the middle and at the end of an otherwise good name; ERROR 0x16 must come.",
		Run: func(t *conformance.T) {
			t.ForEach(2*len(illFormed), refusalLanes, func(t *conformance.T, i int) {
				bad, tail := illFormed[i/2], []string{"", "z"}[i%2]
				if !bad.onlyAtEnd || tail == "" {
					where := map[string]string{"": " at the end of the name", "z": " before a letter"}[tail]
					refuse(t, spec.S_ACQ_14, bad.class+where, wire.AcquireFrame(t.Lock("job")+bad.bytes+tail, anyLeaseMS), wire.CodeNameNotUTF8)
				}
			})
		},
	},
	{
		ID: "server/acquire/case-sensitive", Role: spec.RoleServer,
		Title:  "names are case sensitive",
		Judges: []spec.ID{spec.S_ACQ_15},
		Method: "Names that differ in case only, of ASCII and of other scripts, are each granted at the same time.",
		Run:    differentLocks(spec.S_ACQ_15, "names that differ in case are different locks", "job", "JOB", "Job", "straße", "STRASSE", "σ", "ς", "Σ", "ı", "i", "I", "İ"),
	},
	{
		ID: "server/acquire/not-normalised", Role: spec.RoleServer,
		Title:  "names are not normalised",
		Judges: []spec.ID{spec.S_ACQ_16},
		Method: "Composed and decomposed spellings of one text, and compatibility variants, are each granted at the same time.",
		Run: differentLocks(spec.S_ACQ_16, "spellings of one text are different locks",
			"caf\u00e9", "cafe\u0301", "\u00c5", "A\u030a", "\uac00", "\u1100\u1161", "\uf900", "\u8c48", "\u2460", "1"),
	},
	{
		ID: "server/acquire/not-trimmed", Role: spec.RoleServer,
		Title:  "names are not trimmed",
		Judges: []spec.ID{spec.S_ACQ_17},
		Method: "A name, and the same with a blank, tab, newline, NUL or byte order mark at either end, are each granted at the same time.",
		Run:    notTrimmed,
	},
	{
		ID: "server/acquire/every-valid-name", Role: spec.RoleServer,
		Title:  "every valid name is accepted",
		Judges: []spec.ID{spec.S_ACQ_18},
		Method: "Names that trip parsers, printers and paths, and names generated from the seed out of all of Unicode, of 1 to 255 bytes: each is granted.",
		Run:    everyValidName,
	},
}

// illFormed has one case for each class of ill-formed UTF-8.
var illFormed = []struct {
	class, bytes string
	onlyAtEnd    bool
}{
	{"a stray continuation byte", "\x80", false},
	{"an overlong form of two bytes", "\xc0\xaf", false},
	{"an overlong form of three bytes", "\xe0\x80\xaf", false},
	{"an overlong form of four bytes", "\xf0\x80\x80\xaf", false},
	{"an overlong NUL", "\xc0\x80", false},
	{"a high surrogate", "\xed\xa0\x80", false},
	{"a low surrogate", "\xed\xbf\xbf", false},
	{"a surrogate pair", "\xed\xa0\xbd\xed\xb8\x80", false},
	{"a code point above U+10FFFF", "\xf4\x90\x80\x80", false},
	{"a lead byte of five", "\xf8\x88\x80\x80\x80", false},
	{"the byte 0xfe", "\xfe", false},
	{"the byte 0xff", "\xff", false},
	{"a truncated tail of two bytes", "\xc3", true},
	{"a truncated tail of three bytes", "\xe2\x82", true},
	{"a truncated tail of four bytes", "\xf0\x9f\x92", true},
	{"a character cut by the next", "\xe2\x82z", false},
}

// differentLocks proves that a stem with each of the endings is a lock of its
// own: all are held at the same time.
func differentLocks(id spec.ID, why string, endings ...string) func(*conformance.T) {
	return func(t *conformance.T) {
		stem := t.Lock("")
		for _, ending := range endings {
			t.Ask(stem+ending).WantAcquired(id, fmt.Sprintf("%s: %+q", why, ending))
		}
	}
}

func notTrimmed(t *conformance.T) {
	const why = "what stands at a name's end belongs to it"
	trimmed := []string{" ", "\t", "\n", "\r\n", "\x00", "\ufeff", "\u00a0", "\u3000"}
	stem := t.Lock("job")
	t.Acquire(stem)
	for _, edge := range trimmed {
		t.Ask(stem+edge).WantAcquired(spec.S_ACQ_17, fmt.Sprintf("%s: %+q behind it", why, edge))
	}
	for _, edge := range trimmed {
		t.Case(fmt.Sprintf("%+q before it", edge), func(t *conformance.T) {
			t.Ask(edge+stem).WantAcquired(spec.S_ACQ_17, fmt.Sprintf("%s: %+q before it", why, edge))
		})
	}
}

// awkward are valid names that trip programs: control characters, NUL,
// noncharacters, astral and right-to-left text, paths, formats, queries.
var awkward = []string{
	"\x00", "\x01\x02\x1b[31m", "\x7f", "\u0085", "\ufffe", "\uffff", "\U0001fffe", "\U0010ffff", "\ufffd", "\ue000", "\U000f0000",
	"\U0001f512", "\U0001f468\u200d\U0001f469\u200d\U0001f467", "\u202eabc", "\u05e9\u05dc\u05d5\u05dd", "\u0627\u0644\u0633\u0644\u0627\u0645",
	"../../etc/passwd", "..", ".", "/", "//", "\\\\host\\share", "C:\\con", "%s%n%d", "%2F", "%00", "{}", "${HOME}", "$(id)", "`id`",
	"'; DROP TABLE locks; --", "\"", "<script>", "a\nb", "a\rb", "*", "?", "[a-z]", "null", "undefined", "__proto__", "0", "-1", "\u0300", "\u200b",
}

// everyValidName asks for each name in lanes; a stem makes it this run's own.
func everyValidName(t *conformance.T) {
	const generated, lanes = 120, 8
	all := make([]string, 0, len(awkward)+generated)
	for _, name := range awkward {
		all = append(all, t.Lock("")+name)
	}
	for i := range generated {
		stem := t.Prefix() + t.Nonce()
		gen := rapid.StringOfN(rapid.Rune(), 1, -1, wire.MaxNameLen-len(stem))
		all = append(all, stem+gen.Example(int(t.Seed())*generated+i))
	}
	t.ForEach(len(all), lanes, func(t *conformance.T, i int) {
		if !utf8.ValidString(all[i]) || len(all[i]) > wire.MaxNameLen {
			panic(fmt.Sprintf("the generator made the invalid name %q", all[i]))
		}
		s := t.Ask(all[i])
		s.WantAcquired(spec.S_ACQ_18, fmt.Sprintf("the valid name %s is accepted", wire.QuoteName(all[i])))
		s.Close()
	})
}
