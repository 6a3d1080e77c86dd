package clientlist

import (
	"fmt"
	"slices"
	"strings"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/reports"
	"github.com/monolock-dev/monolock-conform/reports/certificate"
)

// worth says what being listed means, and what not.
const worth = "Each certificate agrees with the results of its three runs, and is signed by the key that is named. Whose key it is, a certificate cannot prove: compare it with what the author publishes."

// row is an entry in the words that every format shows, raw from the certificate
// but for what cannot be shown.
type row struct {
	Name, Version, Language, Level, Features, Declined, Date, Suite, Link, Key, Stale string
}

func (l List) rows() []row {
	var all []row
	for _, e := range l.Entries {
		r := row{
			Name: e.Claim.Name, Version: e.Claim.Version, Language: e.Claim.Language, Level: certificate.Core,
			Features: joined(e.features()), Declined: joined(e.Claim.Declined), Date: day(e.Claim.Issued),
			Suite: fmt.Sprintf("%s, catalogue %d", e.Suite.Version, e.Suite.CatalogueVersion), Key: e.Key,
		}
		if certificate.IsLink(e.Claim.URL) {
			r.Link = e.Claim.URL
		}
		if e.Stale() {
			r.Stale = fmt.Sprintf("stale: tested by catalogue %d, and there is %d", e.Suite.CatalogueVersion, l.Suite.CatalogueVersion)
		}
		for _, text := range []*string{&r.Name, &r.Version, &r.Language, &r.Features, &r.Declined, &r.Date, &r.Suite, &r.Link, &r.Key} {
			*text = reports.CleanLine(*text)
		}
		all = append(all, r)
	}
	return all
}

// features are the levels beyond core.
func (e Entry) features() []string {
	return slices.DeleteFunc(slices.Clone(e.Claim.Levels), func(level string) bool { return level == certificate.Core })
}

// day is the day of an RFC 3339 time.
func day(issued string) string {
	date, _, _ := strings.Cut(issued, "T")
	return date
}

func joined[T ~string](words []T) string {
	var all []string
	for _, word := range words {
		all = append(all, string(word))
	}
	if len(all) == 0 {
		return "none"
	}
	return strings.Join(all, ", ")
}

// title is the list's first line.
func (l List) title() string {
	return fmt.Sprintf("Listed by monolock-conform %s, catalogue %d: %s.", reports.CleanLine(l.Suite.Version), l.Suite.CatalogueVersion, l.found())
}

// found says how many certificates are listed, and where there are none, what was
// found instead.
func (l List) found() string {
	listed := counted(len(l.Entries), "certificate", "certificates")
	if len(l.Entries) > 0 {
		return listed
	}
	var instead []string
	if l.Servers > 0 {
		instead = append(instead, counted(l.Servers, "certificate of a server", "certificates of servers"))
	}
	if n := len(l.Refused); n > 0 {
		instead = append(instead, counted(n, "folder that is refused", "folders that are refused"))
	}
	return "no certificate of a client; found " + strings.Join(instead, " and ")
}

func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// The signs of the matrix. Every format says what they mean.
var signs = []struct {
	verdict    conformance.Verdict
	sign, word string
}{
	{conformance.Pass, "+", "holds"},
	{conformance.Warn, "!", "a SHOULD that does not hold"},
	{conformance.Unsupported, "-", "not offered, so not tested"},
	{conformance.Observed, "o", "recorded, never judged"},
	{"", "?", "not in its catalogue"},
}

// signOf is the sign of a verdict, and the verdict where there is none.
func signOf(v conformance.Verdict) string {
	for _, s := range signs {
		if s.verdict == v {
			return s.sign
		}
	}
	return string(v)
}

func legend() string {
	var all []string
	for _, s := range signs {
		all = append(all, s.sign+" "+s.word)
	}
	return strings.Join(all, "; ")
}

// line is a requirement and the verdict of every client on it.
type line struct {
	spec.Requirement
	Verdicts []conformance.Verdict
}

// matrix has the requirements of the suite's catalogue, in its order.
func (l List) matrix() []line {
	var all []line
	for _, r := range spec.Of(spec.RoleClient) {
		row := line{Requirement: r}
		for _, e := range l.Entries {
			row.Verdicts = append(row.Verdicts, e.verdictOn(r.ID))
		}
		all = append(all, row)
	}
	return all
}

func (e Entry) verdictOn(id spec.ID) conformance.Verdict {
	for _, c := range e.Combined {
		if c.ID == id {
			return c.Verdict
		}
	}
	return ""
}

// shownReasons is how many reasons of a refusal are shown.
const shownReasons = 5

// reasons are the first ones, and how many more there are.
func (r Refused) reasons() []string {
	shown := slices.Clone(r.Reasons[:min(len(r.Reasons), shownReasons)])
	if more := len(r.Reasons) - len(shown); more > 0 {
		shown = append(shown, fmt.Sprintf("and %d more; see monolock-conform verify", more))
	}
	return shown
}
