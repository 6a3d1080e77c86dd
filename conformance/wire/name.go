package wire

import (
	"fmt"
	"strconv"
	"unicode/utf8"
)

// MaxNameLen is the longest name that the protocol allows, in bytes.
const MaxNameLen = 255

// MaxReasonLen is the longest reason that an ERROR can carry, in bytes.
const MaxReasonLen = 255

// Check returns the code of the first fault of a, and ok when it has none.
// The order (version, lease, length, UTF-8) is this package's choice: where
// several faults meet, the documents leave open which one is named (S-ACQ-24).
func (a Acquire) Check() (code Code, ok bool) {
	switch {
	case a.Version != Version:
		return CodeUnsupportedVersion, false
	case a.LeaseMS == 0:
		return CodeLeaseNotPositive, false
	}
	return CheckName(a.Name)
}

// CheckName returns the code that a bad lock name deserves, and ok for a good
// one: 1..255 bytes of valid UTF-8.
func CheckName(name string) (code Code, ok bool) {
	switch {
	case name == "":
		return CodeEmptyName, false
	case len(name) > MaxNameLen:
		return CodeNameTooLong, false
	case !utf8.ValidString(name):
		return CodeNameNotUTF8, false
	}
	return 0, true
}

// longestQuoted is how much of a name QuoteName shows, in bytes.
const longestQuoted = 64

// QuoteName shows a name in ASCII, escaped, and cut with its length when long.
func QuoteName(name string) string {
	if len(name) <= longestQuoted {
		return strconv.QuoteToASCII(name)
	}
	return fmt.Sprintf("%s… (%d bytes)", strconv.QuoteToASCII(name[:longestQuoted]), len(name))
}
