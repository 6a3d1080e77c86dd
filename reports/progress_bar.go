package reports

import "strings"

// bar is one line of a terminal that is rewritten.
type bar struct {
	out   output
	width int
	shown string // what stands there now
}

const (
	barCells = 20
	wipe     = "\r\x1b[K" // to the line's begin, and erase it
)

func (b *bar) say(line string) {
	if b.shown != "" {
		b.out.write(wipe)
		b.shown = ""
	}
	b.out.write(line + "\n")
}

func (b *bar) show(s standing) {
	text := b.text(s)
	if text == b.shown {
		return
	}
	b.out.write(wipe + text)
	b.shown = text
}

// text fits into the line, with a cell to spare, so that it never wraps.
func (b *bar) text(s standing) string {
	filled := 0
	if s.total > 0 {
		filled = min(s.done*barCells/s.total, barCells)
	}
	text := []rune("[" + strings.Repeat("#", filled) + strings.Repeat(".", barCells-filled) + "] " + s.words())
	if room := b.width - 1; len(text) > room {
		text = append(text[:max(room-1, 0)], '…')
	}
	return string(text)
}

func (b *bar) end(standing) error {
	if b.shown != "" {
		b.out.write(wipe)
		b.shown = ""
	}
	return b.out.err
}
