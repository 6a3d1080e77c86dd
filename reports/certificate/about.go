package certificate

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"
)

// About is what its author says of the implementation.
type About struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	URL     string `json:"url"`     // where it is published: http or https
	Contact string `json:"contact"` // who answers for it: an address of mail, or a page
}

// longestText bounds each text of [About], in bytes.
const longestText = 200

// Check returns all that is wrong with a, or nil.
func (a About) Check() error {
	var faults []error
	for _, text := range []struct{ what, text string }{
		{"name", a.Name}, {"version", a.Version}, {"url", a.URL}, {"contact", a.Contact},
	} {
		if fault := textFault(text.text); fault != "" {
			faults = append(faults, fmt.Errorf("the %s %.*q %s", text.what, longestText, text.text, fault))
		}
	}
	if a.URL != "" && !IsLink(a.URL) {
		faults = append(faults, fmt.Errorf("the url %.*q is no http or https address of a page", longestText, a.URL))
	}
	return errors.Join(faults...)
}

// textFault says why a text is no line that can be shown as it is.
func textFault(text string) string {
	switch {
	case text == "":
		return "is empty"
	case len(text) > longestText:
		return fmt.Sprintf("is longer than %d bytes", longestText)
	case !utf8.ValidString(text):
		return "is not UTF-8"
	case strings.TrimSpace(text) != text:
		return "begins or ends with a blank"
	case strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsGraphic(r) }):
		return "holds characters that cannot be shown"
	}
	return ""
}

// IsLink reports whether text is an address that a reader may follow: of the web,
// with a host, and without a user's name, which could pass for a host.
func IsLink(text string) bool {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.User != nil {
		return false
	}
	host := u.Hostname()
	return host != "" && !strings.ContainsFunc(host, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune(".-:", r)
	})
}
