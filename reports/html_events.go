package reports

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

// htmlEvents is a table of events.
type htmlEvents struct {
	Before, After int // events that the table leaves out
	Between       int // of other connections
	Rows          []htmlEvent
}

type htmlEvent struct {
	Time, Who, Sign, Text string
	Class                 string      // "decisive", "found" or ""
	Bytes                 string      // few bytes, by their fields
	Fields                []htmlField // many bytes, each field with what it says
	Size                  int
}

// htmlField is a part of a frame.
type htmlField struct{ Hex, Meaning string }

// fewBytes stand in the table as they are.
const fewBytes = wire.AcquiredSize

// allEvents is the table of a scenario's whole timeline.
func allEvents(s Scenario) htmlEvents {
	rows := make([]htmlEvent, len(s.Timeline))
	for i, e := range s.Timeline {
		rows[i] = newHTMLEvent(e)
	}
	return htmlEvents{Rows: rows}
}

// aroundEvents are the events that the text report shows at a finding.
func aroundEvents(at place) htmlEvents {
	part, shows := partOf(at, shownBefore, shownAfter)
	if !shows {
		return htmlEvents{}
	}
	table := htmlEvents{Before: part.before, After: part.after, Between: part.between}
	for i, e := range part.events {
		row := newHTMLEvent(e)
		if i == part.decisive {
			row.Class = "decisive"
		}
		table.Rows = append(table.Rows, row)
	}
	return table
}

func newHTMLEvent(e Event) htmlEvent {
	row := htmlEvent{
		Time: strconv.FormatFloat(float64(e.TUS)/1000, 'f', 3, 64), Who: cleanLine(e.Who),
		Sign: arrow(e), Text: cleanLine(e.Frame), Size: len(e.Hex) / 2,
	}
	if e.Who == byVerdict {
		row.Class = "found"
	}
	fields := frameFields(e)
	if row.Size > fewBytes {
		row.Fields = fields
		return row
	}
	parts := make([]string, len(fields))
	for i, f := range fields {
		parts[i] = f.Hex
	}
	row.Bytes = strings.Join(parts, " ")
	return row
}

// arrow is the direction of bytes, or the kind of anything else.
func arrow(e Event) string {
	switch s := sign(e); s {
	case "->":
		return "→"
	case "<-":
		return "←"
	default:
		return cleanLine(s)
	}
}

// frameFields takes a frame's bytes apart. What is no whole frame is one field.
func frameFields(e Event) []htmlField {
	bytes, err := hex.DecodeString(e.Hex)
	if err != nil || len(bytes) == 0 {
		return nil
	}
	name, _ := frameName(e)
	switch kind := wire.Type(bytes[0]); {
	case !strings.HasPrefix(name, kind.String()):
	case kind == wire.TypeAcquire && len(bytes) >= wire.AcquireHeaderSize:
		return acquireFields(bytes)
	case kind == wire.TypeAcquired && len(bytes) == wire.AcquiredSize:
		return []htmlField{{e.Hex[:2], kind.String()}, {e.Hex[2:], "token"}}
	case kind == wire.TypeError && len(bytes) >= wire.ErrorHeaderSize:
		return errorFields(bytes)
	}
	return []htmlField{{hex.EncodeToString(bytes), asciiText(bytes)}}
}

func acquireFields(b []byte) []htmlField {
	const name = wire.AcquireHeaderSize
	return []htmlField{
		{hex.EncodeToString(b[:1]), "ACQUIRE"},
		{hex.EncodeToString(b[1:2]), fmt.Sprintf("version %d", b[1])},
		{hex.EncodeToString(b[2:6]), fmt.Sprintf("lease %d ms", binary.BigEndian.Uint32(b[2:6]))},
		{hex.EncodeToString(b[6:name]), fmt.Sprintf("a name of %s", counted(int(binary.BigEndian.Uint16(b[6:name])), "byte", "bytes"))},
		{hex.EncodeToString(b[name:]), asciiText(b[name:])},
	}
}

func errorFields(b []byte) []htmlField {
	const reason = wire.ErrorHeaderSize
	return []htmlField{
		{hex.EncodeToString(b[:1]), "ERROR"},
		{hex.EncodeToString(b[1:2]), wire.Code(b[1]).String()},
		{hex.EncodeToString(b[2:reason]), fmt.Sprintf("a reason of %s", counted(int(b[2]), "byte", "bytes"))},
		{hex.EncodeToString(b[reason:]), asciiText(b[reason:])},
	}
}

// asciiText shows bytes as dumps do: a dot for each that is no printable ASCII.
func asciiText(b []byte) string {
	text := make([]byte, len(b))
	for i, c := range b {
		text[i] = '.'
		if c >= ' ' && c <= '~' {
			text[i] = c
		}
	}
	return string(text)
}
