package clientlist

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/monolock-dev/monolock-conform/reports"
)

// Text writes the list for a terminal. The errors are those of w.
func (l List) Text(out io.Writer) error {
	w := &sticky{w: bufio.NewWriter(out)}
	w.printf("monolock clients\n%s\n%s\n", l.title(), worth)
	for _, note := range l.Notes {
		w.printf("note: %s\n", note)
	}
	for i, r := range l.rows() {
		l.textEntry(w, i+1, r)
	}
	l.textRefused(w)
	if len(l.Entries) > 0 {
		l.textMatrix(w)
	}
	return errors.Join(w.err, w.w.Flush())
}

func (l List) textEntry(w *sticky, number int, r row) {
	w.printf("\n[%d] %s %s\n", number, r.Name, r.Version)
	for _, field := range []struct{ what, text string }{
		{"language", r.Language}, {"level", r.Level}, {"features", r.Features}, {"declined", r.Declined},
		{"certified", r.Date + ", monolock-conform " + r.Suite}, {"link", r.Link}, {"key", r.Key}, {"status", r.Stale},
	} {
		if field.text != "" {
			w.printf("    %-10s%s\n", field.what, field.text)
		}
	}
}

func (l List) textRefused(w *sticky) {
	if len(l.Refused) == 0 {
		return
	}
	w.printf("\nRefused, and not certified\n")
	for _, r := range l.Refused {
		w.printf("  %s\n", reports.CleanLine(r.Folder))
		for _, reason := range r.reasons() {
			w.printf("    - %s\n", reason)
		}
	}
}

// textMatrix has a column for each number above.
func (l List) textMatrix(w *sticky) {
	width := len(fmt.Sprint(len(l.Entries))) + 1
	w.printf("\nRequirements by client\n  %s\n  %-17s", legend(), "")
	for i := range l.Entries {
		w.printf("%*d", width, i+1)
	}
	w.printf("\n")
	for _, row := range l.matrix() {
		var cells strings.Builder
		for _, v := range row.Verdicts {
			fmt.Fprintf(&cells, "%*s", width, signOf(v))
		}
		w.printf("  %-9s %-7s%s\n", row.ID, row.Level, cells.String())
	}
}

// sticky keeps the first error.
type sticky struct {
	w   *bufio.Writer
	err error
}

func (s *sticky) printf(format string, args ...any) {
	if s.err == nil {
		_, s.err = fmt.Fprintf(s.w, format, args...)
	}
}
