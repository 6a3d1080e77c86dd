package spec

// Source is a page of monolock's documentation.
type Source string

// The pages.
const (
	WP Source = "WP" // wire protocol
	WC Source = "WC" // writing a client
	ER Source = "ER" // error codes
	HW Source = "HW" // how it works
	FT Source = "FT" // fencing tokens
	TL Source = "TL" // TLS
	AC Source = "AC" // ACL
	AD Source = "AD" // admin API
	AU Source = "AU" // audit log
	OB Source = "OB" // observability
	CF Source = "CF" // configuration
	CP Source = "CP" // capacity
	GO Source = "GO" // Go client
)

var pageTitles = map[Source]string{
	WP: "wire protocol",
	WC: "writing a client",
	ER: "error codes",
	HW: "how it works",
	FT: "fencing tokens",
	TL: "TLS",
	AC: "ACL",
	AD: "admin API",
	AU: "audit log",
	OB: "observability",
	CF: "configuration",
	CP: "capacity",
	GO: "Go client",
}

// Page returns the page's title, "wire protocol" for WP, and "" for a source
// that is no page.
func (s Source) Page() string { return pageTitles[s] }

// Ref is a place in the documentation: a page and, where it is known more
// closely, the number of a rule or the name of a section.
type Ref struct {
	Page Source `json:"page"`
	Rule string `json:"rule,omitempty"`
}

// String returns "writing a client, rule 6", "wire protocol, state machine"
// or, without a rule, the page's title alone.
func (r Ref) String() string {
	switch {
	case r.Rule == "":
		return r.Page.Page()
	case isDecimal(r.Rule):
		return r.Page.Page() + ", rule " + r.Rule
	default:
		return r.Page.Page() + ", " + r.Rule
	}
}

func isDecimal(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}

// silent marks a requirement on which the documents say nothing, so that nil
// is left to mean a forgotten source.
var silent = []Ref{}
