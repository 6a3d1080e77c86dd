package reports

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Bounds of a text from outside, in bytes. A line holds a frame with the longest
// legal name; a block holds the stack of a panic.
const (
	lineBytes  = 2000
	blockBytes = 8000
)

// cleanLine makes text fit for one line of a terminal and of any file: controls,
// line ends, invisible and invalid characters are escaped, and what is too long
// is cut. Clean text comes back as it is.
func cleanLine(text string) string { return cut(escaped(text, ""), lineBytes) }

// cleanBlock is cleanLine for a text of several lines: line ends stay.
func cleanBlock(text string) string { return cut(escaped(text, "\n"), blockBytes) }

// CleanLine is what every text from outside goes through before a terminal or a
// file sees it as a line.
func CleanLine(text string) string { return cleanLine(text) }

func escaped(text, allowed string) string {
	var out strings.Builder
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case r == utf8.RuneError && size == 1, r == '[' && marksCommand(text[:i]):
			fmt.Fprintf(&out, `\x%02x`, text[i])
		case strings.ContainsRune(allowed, r) || unicode.IsGraphic(r):
			out.WriteString(text[i : i+size])
		default:
			quoted := strconv.QuoteRuneToASCII(r)
			out.WriteString(quoted[1 : len(quoted)-1])
		}
		i += size
	}
	return out.String()
}

// marksCommand reports whether a bracket behind before would make a command that a
// CI host obeys anywhere in a line: ##[...], ##vso[...], ##teamcity[...].
func marksCommand(before string) bool {
	return strings.HasSuffix(strings.TrimRight(before, "abcdefghijklmnopqrstuvwxyz"), "##")
}

// cut shortens text to about limit bytes, at a character's border, and says so.
func cut(text string, limit int) string {
	const remark = 64 // room for it, so that what was cut is not cut again
	if len(text) <= limit+remark {
		return text
	}
	end := limit
	for !utf8.RuneStart(text[end]) {
		end--
	}
	return fmt.Sprintf("%s … (%d bytes in all)", text[:end], len(text))
}
