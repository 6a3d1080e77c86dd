package reports

import (
	"slices"
	"strings"
)

// strip is something that lasted: a claim, a lease, a fault.
type strip struct {
	who, class, text string
	from, to         int64
}

// stripLine is a row of strips that do not overlap, but for a lease and the 0.8 of
// it, which share their row.
type stripLine []strip

// Classes of strips.
const (
	classClaim   = "claim"
	classLease   = "lease"
	classSafe    = "safe" // 0.8 lease
	classSilence = "silence"
	classFault   = "fault"
)

// allStrips are a scenario's claims and bands.
func allStrips(scenario Scenario) []strip {
	var all []strip
	for _, c := range scenario.Claims {
		all = append(all, strip{c.Who, classClaim, "claim, token " + c.Token, c.FromUS, c.ToUS})
	}
	for _, b := range scenario.Bands {
		what, who := splitBand(b.What)
		class := bandClass(what)
		if who == "" && class == classFault {
			who = "proxy"
		}
		all = append(all, strip{who, class, what, b.FromUS, b.ToUS})
	}
	return all
}

// strips are those that a picture's time touches.
func (p *picture) strips() []strip {
	return slices.DeleteFunc(allStrips(p.scenario), func(s strip) bool {
		return s.to < s.from || s.from > p.axis.until() || s.to < p.axis.from()
	})
}

// splitBand takes "lease of conn-1" apart. A band that names no lane has no who.
func splitBand(text string) (what, who string) {
	at := strings.LastIndex(text, " of ")
	if at < 0 || !laneName.MatchString(text[at+len(" of "):]) {
		return text, ""
	}
	return text[:at], text[at+len(" of "):]
}

func bandClass(what string) string {
	switch what {
	case "lease":
		return classLease
	case "0.8 lease":
		return classSafe
	case "silence":
		return classSilence
	}
	return classFault
}

// addStrip puts a strip into the first row that has room for it.
func addStrip(lines []stripLine, s strip) []stripLine {
	for i, line := range lines {
		if line.takes(s) {
			lines[i] = append(line, s)
			return lines
		}
	}
	return append(lines, stripLine{s})
}

func (l stripLine) takes(s strip) bool {
	for _, other := range l {
		if family(other.class) != family(s.class) {
			return false
		}
		nested := other.class != s.class && other.from == s.from
		if !nested && s.from < other.to && other.from < s.to {
			return false
		}
	}
	return true
}

// family is what may stand in one row.
func family(class string) string {
	if class == classSafe {
		return classLease
	}
	return class
}
