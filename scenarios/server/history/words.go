package history

import (
	"bytes"
	"fmt"
	"html"
	"regexp"
	"slices"
	"strings"
)

// concerned are the claims on the locks that some problems are about: whoever is
// named in what was seen. Where nobody is, these are all claims.
func concerned(claims []Claim, problems []Problem) []Claim {
	var locks []string
	for _, p := range problems {
		for _, c := range claims {
			if names(p.Actual, c.Who) && !slices.Contains(locks, c.Lock) {
				locks = append(locks, c.Lock)
			}
		}
	}
	if len(locks) == 0 {
		return claims
	}
	return slices.DeleteFunc(slices.Clone(claims), func(c Claim) bool { return !slices.Contains(locks, c.Lock) })
}

// names reports whether a text names a connection, and not one whose name begins so.
func names(text, who string) bool {
	return regexp.MustCompile(`(^|\W)` + regexp.QuoteMeta(who) + `(\W|$)`).MatchString(text)
}

// explained puts before the drawing what it shows and how to read it.
func explained(page []byte, drawn, all int, problems []Problem) []byte {
	var words strings.Builder
	words.WriteString(`<section style="font: 15px/1.5 sans-serif; max-width: 60rem; padding: 45px 12px 1rem; border-bottom: 1px solid #ccc">` + "\n")
	fmt.Fprintf(&words, "<h1 style=\"font-size: 1.3rem\">The claims of a few locks, as their clients saw them</h1>\n")
	for _, p := range problems {
		fmt.Fprintf(&words, "<p><b>%s does not hold: %s.</b> %s.</p>\n", html.EscapeString(string(p.ID)), html.EscapeString(p.Sentence), html.EscapeString(p.Actual))
	}
	fmt.Fprintf(&words, "<p>Drawn are the claims that were granted of the %d on the locks that this is about; there were %d in all. A row is a client; each of its claims has a name of its own. "+
		"Time runs to the right and is stretched where much happens; a pointer on a bar shows more.</p>\n", drawn, all)
	words.WriteString(`<ul>
<li><b>“conn-5 takes, token 7”</b> lasts from when it asked until it read the grant: somewhere in it the lock became its own.</li>
<li><b>“conn-5 gives back”</b> lasts from the end of its claim, by its close or its lease, to the next grant of that lock: somewhere in it the lock became free.</li>
<li><b>The strokes</b> are one order, lock by lock, in which all of it can have happened (“valid LP”). Where there is none, they end, and the red one is the first that fits no order: two held at once, or a token was too small.</li>
<li><b>Who waited longer</b> is not judged here. Where waiters were served out of order, look for the two connections that are named above (the browser finds them as text): the one that began its bar later ends it first.</li>
</ul>
</section>
`)
	return bytes.Replace(page, []byte("<body>"), []byte("<body>\n"+words.String()), 1)
}
