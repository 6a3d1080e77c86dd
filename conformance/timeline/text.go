package timeline

import (
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
)

// shownBytes is how many bytes of foreign data a line shows.
const shownBytes = 32

// Line describes e for people on one line of graphic characters:
//
//	12.345 ms  conn-3  <- ACQUIRED token=7
func (e Event) Line() string {
	return fmt.Sprintf("%10.3f ms  %-8s %s", float64(e.At.Microseconds())/1000, e.Who, e.Text())
}

// Text describes e without its time and place.
func (e Event) Text() string {
	switch e.What {
	case Send:
		return "-> " + e.content()
	case Recv:
		return "<- " + e.content()
	}
	words := []string{string(e.What)}
	if e.What == FIN || e.What == RST || e.What == Open {
		words = append(words, "by the "+string(e.By))
	}
	if e.Note != "" {
		words = append(words, escape(e.Note))
	}
	return strings.Join(words, " ")
}

func (e Event) content() string {
	text := ""
	switch {
	case e.Frame != nil:
		text = e.Frame.String()
	default:
		text = Hex(e.Bytes, e.Size)
	}
	if e.Note != "" {
		text += " (" + escape(e.Note) + ")"
	}
	return text
}

// Hex shows up to 32 bytes as hex pairs, and how many there were in all.
func Hex(b []byte, size int) string {
	shown := b[:min(len(b), shownBytes)]
	pairs := make([]string, len(shown))
	for i, c := range shown {
		pairs[i] = hex.EncodeToString([]byte{c})
	}
	if size > len(shown) {
		pairs = append(pairs, fmt.Sprintf("… (%d bytes)", size))
	}
	return strings.Join(pairs, " ")
}

// escape makes text fit for a line of a terminal.
func escape(text string) string {
	quoted := strconv.QuoteToGraphic(text)
	return strings.ReplaceAll(quoted[1:len(quoted)-1], `\"`, `"`)
}
