package defects

import (
	"net"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"github.com/monolock-dev/monolock-conform/conformance/wire"
	"github.com/monolock-dev/monolock-conform/refserver"
)

// names are the lock names that are wrongly taken, refused or merged.
func names() []Defect {
	return []Defect{
		{
			ID:       "name-limit-254",
			Sentence: "It refuses names of 255 bytes with 0x15.",
			Must:     ids("S-ACQ-10 S-ACQ-12"),
			May:      ids("S-ACQ-18 S-FRM-01 S-FRM-02"),
			New: checkName(func(name string) (wire.Code, bool) {
				return wire.CodeNameTooLong, len(name) < wire.MaxNameLen
			}),
		},
		{
			ID:       "one-byte-name-refused",
			Sentence: "It refuses names of one byte with 0x14.",
			Must:     ids("S-ACQ-10"),
			May:      ids("S-ACQ-18"),
			New: checkName(func(name string) (wire.Code, bool) {
				return wire.CodeEmptyName, len(name) > 1
			}),
		},
		{
			ID:       "name-limit-256",
			Sentence: "It accepts names of 256 bytes.",
			Must:     ids("S-ACQ-11"),
			New: trustName(func(name string) bool {
				return len(name) == wire.MaxNameLen+1
			}),
		},
		{
			ID:       "very-long-name-accepted",
			Sentence: "It accepts names of more than 4096 bytes.",
			Must:     ids("S-ACQ-11"),
			New: trustName(func(name string) bool {
				return len(name) > 4096
			}),
		},
		{
			ID:       "name-length-low-byte",
			Sentence: "It reads only the low byte of name_len.",
			Must:     ids("S-ACQ-11 S-ACQ-12"),
			May:      ids("S-ACQ-23 S-ROB-01"),
			New: conns(func() func(net.Conn) net.Conn {
				return func(nc net.Conn) net.Conn {
					return header(nc, func(h []byte) { h[6] = 0 })
				}
			}),
		},
		{
			ID:       "name-limit-in-characters",
			Sentence: "It counts the limit of a name in characters.",
			Must:     ids("S-ACQ-12"),
			New: trustName(func(name string) bool {
				return len(name) > wire.MaxNameLen && utf8.ValidString(name) && utf8.RuneCountInString(name) <= wire.MaxNameLen
			}),
		},
		{
			ID:       "empty-name-accepted",
			Sentence: "It accepts an empty name.",
			Must:     ids("S-ACQ-13"),
			May:      ids("S-ACQ-23"),
			New:      trustName(func(name string) bool { return name == "" }),
		},
		{
			ID:       "utf8-unchecked",
			Sentence: "It accepts names that are not UTF-8.",
			Must:     ids("S-ACQ-14"),
			New: trustName(func(name string) bool {
				return name != "" && len(name) <= wire.MaxNameLen
			}),
		},
		{
			ID:       "utf8-surrogates-accepted",
			Sentence: "It accepts surrogates in a name.",
			Must:     ids("S-ACQ-14"),
			New: trustName(func(name string) bool {
				return wellFormedBut(name, func(b0, b1 byte) int {
					if b0 == 0xed && b1 >= 0xa0 {
						return 3
					}
					return 0
				})
			}),
		},
		{
			ID:       "utf8-overlong-accepted",
			Sentence: "It accepts overlong forms of two bytes in a name.",
			Must:     ids("S-ACQ-14"),
			New: trustName(func(name string) bool {
				return wellFormedBut(name, func(b0, _ byte) int {
					if b0 == 0xc0 || b0 == 0xc1 {
						return 2
					}
					return 0
				})
			}),
		},
		{
			ID:       "utf8-tail-unchecked",
			Sentence: "It accepts a name whose last character is cut.",
			Must:     ids("S-ACQ-14"),
			New: trustName(func(name string) bool {
				for cut := 1; cut <= min(3, len(name)); cut++ {
					head, tail := name[:len(name)-cut], name[len(name)-cut:]
					if len(name) <= wire.MaxNameLen && utf8.ValidString(head) && !utf8.FullRuneInString(tail) {
						return true
					}
				}
				return false
			}),
		},
		{
			ID:       "case-folded",
			Sentence: "It folds the case of names.",
			Must:     ids("S-ACQ-15"),
			May:      ids("S-ACQ-16"), // the ångström sign folds to the letter
			New:      keyed(func(name string) string { return cases.Fold().String(name) }),
		},
		{
			ID:       "ascii-case-folded",
			Sentence: "It folds the case of ASCII letters in names.",
			Must:     ids("S-ACQ-15"),
			New: keyed(func(name string) string {
				return strings.Map(func(c rune) rune {
					if c <= unicode.MaxASCII {
						return unicode.ToLower(c)
					}
					return c
				}, name)
			}),
		},
		{
			ID:       "nfc",
			Sentence: "It normalises names to NFC.",
			Must:     ids("S-ACQ-16"),
			New:      keyed(norm.NFC.String),
		},
		{
			ID:       "trimmed",
			Sentence: "It trims blanks and line ends from names.",
			Must:     ids("S-ACQ-17"),
			New:      keyed(strings.TrimSpace),
		},
		{
			ID:       "nul-ends-name",
			Sentence: "It takes a name only up to its first NUL.",
			Must:     ids("S-ACQ-17"),
			May:      ids("S-ACQ-18"),
			New:      keyed(func(name string) string { return strings.SplitN(name, "\x00", 2)[0] }),
		},
		{
			ID:       "bom-removed",
			Sentence: "It removes a byte order mark from either end of a name.",
			Must:     ids("S-ACQ-17"),
			New:      keyed(func(name string) string { return strings.Trim(name, "\ufeff") }),
		},
		{
			ID:       "nul-refused",
			Sentence: "It refuses names with a NUL with 0x16.",
			Must:     ids("S-ACQ-17 S-ACQ-18"),
			New:      refuseRune(func(c rune) bool { return c == 0 }),
		},
		{
			ID:       "control-characters-refused",
			Sentence: "It refuses names with control characters, other than NUL, tab and line ends, with 0x16.",
			Must:     ids("S-ACQ-18"),
			New:      refuseRune(func(c rune) bool { return unicode.IsControl(c) && !strings.ContainsRune("\x00\t\r\n", c) }),
		},
		{
			ID:       "noncharacters-refused",
			Sentence: "It refuses names with noncharacters with 0x16.",
			Must:     ids("S-ACQ-18"),
			New:      refuseRune(func(c rune) bool { return c&0xfffe == 0xfffe || c >= 0xfdd0 && c <= 0xfdef }),
		},
		{
			ID:       "astral-refused",
			Sentence: "It refuses names with characters above U+FFFF with 0x16.",
			Must:     ids("S-ACQ-18"),
			New:      refuseRune(func(c rune) bool { return c > 0xffff }),
		},
		{
			ID:       "paths-refused",
			Sentence: "It refuses names that hold two dots in a row with 0x16.",
			Must:     ids("S-ACQ-18"),
			New:      checkName(func(name string) (wire.Code, bool) { return wire.CodeNameNotUTF8, !strings.Contains(name, "..") }),
		},
	}
}

// checkName is a server that refuses more names than it should.
func checkName(check func(name string) (wire.Code, bool)) func(refserver.Config) Server {
	return rules(func(r *changed) {
		r.check = func(a wire.Acquire) (wire.Code, bool) {
			if code, ok := standard.Check(a); !ok {
				return code, ok
			}
			return check(a.Name)
		}
	})
}

// trustName is a server that accepts those bad names.
func trustName(trusted func(name string) bool) func(refserver.Config) Server {
	return rules(func(r *changed) {
		r.check = func(a wire.Acquire) (wire.Code, bool) {
			if trusted(a.Name) {
				a.Name = "good"
			}
			return standard.Check(a)
		}
	})
}

// refuseRune is a server that refuses names with such a character.
func refuseRune(bad func(rune) bool) func(refserver.Config) Server {
	return checkName(func(name string) (wire.Code, bool) {
		return wire.CodeNameNotUTF8, !strings.ContainsFunc(name, bad)
	})
}

// keyed is a server that changes names before it looks for the lock.
func keyed(key func(name string) string) func(refserver.Config) Server {
	return rules(func(r *changed) { r.key = key })
}

// wellFormedBut reports whether name is valid UTF-8 once the ill-formed
// characters that skip recognises are taken out, and has at least one. skip
// returns how many bytes such a character has; 0 for any other.
func wellFormedBut(name string, skip func(b0, b1 byte) int) bool {
	if len(name) > wire.MaxNameLen {
		return false
	}
	rest, found := []byte{}, false
	for i := 0; i < len(name); {
		n := 0
		if i+1 < len(name) {
			n = skip(name[i], name[i+1])
		}
		if n == 0 || i+n > len(name) {
			rest = append(rest, name[i])
			i++
			continue
		}
		found = true
		i += n
	}
	return found && utf8.Valid(rest)
}
