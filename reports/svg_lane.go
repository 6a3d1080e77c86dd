package reports

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
)

// laneKind is the part of the set-up that a lane stands for, in the order in which
// they are drawn: from the client to the server.
type laneKind int

// The kinds of lanes.
const (
	laneForce    laneKind = iota // what is in force and names nobody
	laneClient                   // an adapter's words, and its work
	laneLink                     // between client and proxy
	laneProxy                    // faults
	laneUpstream                 // between proxy and server
	laneConn                     // between the suite and its subject
	laneServer
	laneOther
)

var laneTitles = map[laneKind]string{
	laneForce: "in force", laneClient: "client", laneLink: "client–proxy", laneProxy: "proxy",
	laneUpstream: "proxy–server", laneConn: "connections", laneServer: "server", laneOther: "others",
}

// isConnection tells lanes with two ends from those of one part.
func (k laneKind) isConnection() bool { return k == laneLink || k == laneUpstream || k == laneConn }

var laneName = regexp.MustCompile(`^(client|link|upstream|conn)-\d+$`)

// kindOf reads a lane's kind off its name.
func kindOf(who string) laneKind {
	switch family, _, _ := strings.Cut(who, "-"); {
	case who == "":
		return laneForce
	case who == "proxy":
		return laneProxy
	case who == "server":
		return laneServer
	case !laneName.MatchString(who):
		return laneOther
	case family == "client":
		return laneClient
	case family == "link":
		return laneLink
	case family == "upstream":
		return laneUpstream
	}
	return laneConn
}

// lane is one row of a picture.
type lane struct {
	who   string
	kind  laneKind
	marks []mark
	lines []stripLine // what lasted: claims, leases, faults
	// opened and closed bound the life of a connection; closed is past the end of
	// the picture for one that stayed open.
	opened, closed int64
}

// choose names the lanes that are drawn, and counts those for which there is no room.
// The first names come first there.
func (p *picture) choose(first []string, most int) (chosen []string, hidden int) {
	var all []string
	add := func(who string) {
		if !slices.Contains(all, who) {
			all = append(all, who)
		}
	}
	for _, e := range p.events {
		if !e.isGap() {
			add(e.Who)
		}
	}
	for _, s := range allStrips(p.scenario) {
		if kind := kindOf(s.who); len(p.events) == 0 || kind == laneForce || kind == laneProxy || kind == laneClient {
			add(s.who)
		}
	}
	slices.SortStableFunc(all, func(a, b string) int { return cmp.Compare(priority(a, first), priority(b, first)) })
	chosen = all[:min(len(all), most)]
	return chosen, len(all) - len(chosen)
}

// lanesOf fills the chosen lanes, in the order in which they are drawn.
func (p *picture) lanesOf(chosen []string) []lane {
	var lanes []lane
	strips := p.strips()
	for _, who := range chosen {
		l := lane{who: who, kind: kindOf(who)}
		for _, s := range strips {
			if s.who == who {
				l.lines = addStrip(l.lines, s)
			}
		}
		for _, e := range p.events {
			if e.Who == who && !e.isGap() {
				l.marks = addMark(l.marks, p.mark(e))
			}
		}
		l.opened, l.closed = p.life(who)
		if len(l.lines) > 0 || slices.ContainsFunc(l.marks, mark.seen) || slices.Contains(p.named, who) {
			lanes = append(lanes, l)
		}
	}
	slices.SortStableFunc(lanes, func(a, b lane) int {
		return cmp.Or(cmp.Compare(a.kind, b.kind), cmp.Compare(len(a.who), len(b.who)), cmp.Compare(a.who, b.who))
	})
	return lanes
}

// priority is the place of a lane in the choice of those that are drawn.
func priority(who string, first []string) int {
	if at := slices.Index(first, who); at >= 0 {
		return at
	}
	if kindOf(who).isConnection() || kindOf(who) == laneClient {
		return len(first) + 1
	}
	return len(first)
}

// never is later than anything.
const never = int64(1) << 62

// life is when a connection was opened and when it ended, from the whole timeline.
// One of which nothing comes behind events that were left out ended there, for all
// that is known.
func (p *picture) life(who string) (opened, closed int64) {
	opened, closed = never, never
	gap := never
	for _, e := range p.scenario.Timeline {
		switch {
		case e.isGap():
			gap = min(gap, e.TUS)
		case e.Who != who:
		default:
			opened, gap = min(opened, e.TUS), never
			if e.What == "fin" || e.What == "rst" {
				closed = e.TUS // the last one ends it
			}
		}
	}
	return opened, min(closed, gap)
}
