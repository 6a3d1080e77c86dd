package clientlist

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strings"
)

// Markdown writes the list for a page of a repository. Nothing of a certificate can
// become markup there. The errors are those of w.
func (l List) Markdown(out io.Writer) error {
	w := &sticky{w: bufio.NewWriter(out)}
	w.printf("# monolock clients\n\n%s\n\n%s\n", plain(l.title()), plain(worth))
	for _, note := range l.Notes {
		w.printf("\n> Note: %s\n", plain(note))
	}
	if len(l.Entries) > 0 {
		l.markdownEntries(w)
	}
	if len(l.Refused) > 0 {
		w.printf("\n## Refused, and not certified\n\n")
		for _, r := range l.Refused {
			w.printf("- folder %s\n", plain(r.Folder))
			for _, reason := range r.reasons() {
				w.printf("  - reason: %s\n", plain(reason))
			}
		}
	}
	if len(l.Entries) > 0 {
		l.markdownMatrix(w)
	}
	return errors.Join(w.err, w.w.Flush())
}

func (l List) markdownEntries(w *sticky) {
	w.printf("\n| client | version | language | level | features | declined | certified | suite | key |\n")
	w.printf("| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n")
	for _, r := range l.rows() {
		certified := plain(r.Date)
		if r.Stale != "" {
			certified += " **" + plain(r.Stale) + "**"
		}
		w.printf("| %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", linked(r.Name, r.Link), plain(r.Version), plain(r.Language),
			plain(r.Level), plain(r.Features), plain(r.Declined), certified, plain(r.Suite), plain(r.Key))
	}
}

func (l List) markdownMatrix(w *sticky) {
	w.printf("\n## Requirements by client\n\nSigns: %s\n\n| requirement | level |", plain(legend()))
	for _, r := range l.rows() {
		w.printf(" %s %s |", plain(r.Name), plain(r.Version))
	}
	w.printf("\n| --- | --- |%s\n", strings.Repeat(" :-: |", len(l.Entries)))
	for _, row := range l.matrix() {
		w.printf("| %s | %s |", plain(string(row.ID)), plain(string(row.Level)))
		for _, v := range row.Verdicts {
			w.printf(" %s |", plain(signOf(v)))
		}
		w.printf("\n")
	}
}

// marks are the characters that can begin or end something in the middle of a line
// of Markdown. As entities they cannot.
const marks = "\\`*_[]<>#|~&@"

// plain makes any text stand in Markdown as it is, behind a word of ours: what is
// markup at the beginning of a line only is left. A plain address becomes no link.
func plain(text string) string {
	var out strings.Builder
	for i, r := range text {
		switch {
		case r == '\n' || r == '\r':
			out.WriteByte(' ')
		case strings.ContainsRune(marks, r), r == ':' && linksOn(text[:i], text[i:]), r == '.' && hasSuffixFold(text[:i], "www"):
			fmt.Fprintf(&out, "&#%d;", r)
		default:
			out.WriteRune(r)
		}
	}
	return out.String()
}

// linksOn reports whether a colon between these makes a link of them.
func linksOn(before, colon string) bool {
	return strings.HasPrefix(colon, "://") || hasSuffixFold(before, "mailto") || hasSuffixFold(before, "xmpp")
}

func hasSuffixFold(text, suffix string) bool {
	return len(text) >= len(suffix) && strings.EqualFold(text[len(text)-len(suffix):], suffix)
}

// linked is a name that leads to an address of the web, where there is one.
func linked(name, link string) string {
	u, err := url.Parse(link)
	if link == "" || err != nil {
		return plain(name)
	}
	// What a parsed address leaves as it is and Markdown does not.
	safe := strings.NewReplacer("<", "%3C", ">", "%3E", "|", "%7C", "\\", "%5C", " ", "%20", "`", "%60", "(", "%28", ")", "%29", "[", "%5B", "]", "%5D")
	address := u.String()
	if u.Host != "" {
		before, after, _ := strings.Cut(address, u.Host) // the brackets of IPv6 stay
		address = before + u.Host + safe.Replace(after)
	}
	return fmt.Sprintf("[%s](<%s>)", plain(name), address)
}
