package wire

import "fmt"

// Code is the code of an ERROR. The code is the contract; the reason is not.
type Code byte

// The codes that the documents assign. All others go by their range.
const (
	CodeShuttingDown       Code = 0x01
	CodeClosedByAdmin      Code = 0x02
	CodeUnsupportedVersion Code = 0x10
	CodeNotAcquire         Code = 0x11
	CodeDuplicateAcquire   Code = 0x12
	CodeUnknownType        Code = 0x13
	CodeEmptyName          Code = 0x14
	CodeNameTooLong        Code = 0x15
	CodeNameNotUTF8        Code = 0x16
	CodeLeaseNotPositive   Code = 0x17
	CodeNotAuthorized      Code = 0x18
)

// firstClientError is where the range of client errors begins.
const firstClientError Code = 0x10

// codeTexts are the canonical texts, the ones that a reason contains.
var codeTexts = map[Code]string{
	CodeShuttingDown:       "server shutting down",
	CodeClosedByAdmin:      "closed by administrator",
	CodeUnsupportedVersion: "unsupported protocol version",
	CodeNotAcquire:         "first message must be ACQUIRE",
	CodeDuplicateAcquire:   "duplicate ACQUIRE",
	CodeUnknownType:        "unknown message type",
	CodeEmptyName:          "empty lock name",
	CodeNameTooLong:        "lock name too long",
	CodeNameNotUTF8:        "lock name is not valid UTF-8",
	CodeLeaseNotPositive:   "lease must be positive",
	CodeNotAuthorized:      "not authorized for lock",
}

// IsClientError reports whether c lies in the range of client errors
// (0x10-0xff): report and stop. Any other code is a server condition:
// connect again. The range decides also for codes not assigned yet.
// Source: writing a client, rule 6.
func (c Code) IsClientError() bool { return c >= firstClientError }

// Text returns the canonical text of c, and "" for a code not assigned yet.
func (c Code) Text() string { return codeTexts[c] }

// String returns "0x15 (lock name too long)".
func (c Code) String() string {
	text, known := codeTexts[c]
	if !known {
		text = "not assigned yet"
	}
	return fmt.Sprintf("0x%02x (%s)", byte(c), text)
}
