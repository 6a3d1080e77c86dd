package reports

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/net/html"
)

// attacks are texts that would be more than text in some place of a page.
var attacks = []string{
	`</script><script>alert(1)</script>`,
	`</style></title></svg></textarea><img src=x onerror=alert(1)>`,
	`" onload="alert(1)" x='`,
	`'><svg onload=alert(1)>`,
	`javascript:alert(1)`,
	`//evil.example/x`,
	`../../etc/passwd`,
	`]]><!--<![CDATA[`,
	"{{.Policy}} ${alert(1)} `",
	"\x1b[31mred\x1b]0;title\x07 \u202eback \u2066 \u200b\ufeff \xff\xfe \x00",
	"conn-1 of conn-2 of <b>",
}

// TestHTMLTakesEveryTextForText puts each attack into every text of a result.
func TestHTMLTakesEveryTextForText(t *testing.T) {
	for i, attack := range attacks {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			r := lateClient()
			replaceTexts(reflect.ValueOf(&r).Elem(), attack)
			page := htmlOf(t, r)
			wantPlainCharacters(t, page)
			doc, err := html.Parse(strings.NewReader(page))
			if err != nil {
				t.Fatal(err)
			}
			wantSelfContained(t, doc)
		})
	}
}

// TestHTMLTakesTextsOfAHostileSubjectForText has the attacks where a subject can put
// them, and the rest of the result as it is.
func TestHTMLTakesTextsOfAHostileSubjectForText(t *testing.T) {
	for i, attack := range attacks {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			r := lateClient()
			r.Subject.Name, r.Subject.Target = attack, attack
			s := &r.Scenarios[0]
			s.Requirements[0].Actual += attack
			s.Claims[0].Token, s.Bands[0].What, s.Limits[0].What, s.Trace = attack, attack, attack, attack
			for k := range s.Timeline {
				s.Timeline[k].Frame += " " + attack
			}
			page := htmlOf(t, r)
			wantPlainCharacters(t, page)
			doc, err := html.Parse(strings.NewReader(page))
			if err != nil {
				t.Fatal(err)
			}
			wantSelfContained(t, doc)
			if text := textIn(doc); !strings.Contains(text, cleanLine(attack)) {
				t.Errorf("the page does not show %q", cleanLine(attack))
			}
		})
	}
}

func TestHTMLLinksOnlyFilesBesideTheResult(t *testing.T) {
	for path, want := range map[string]string{
		"traces/a b.pcapng": "traces/a%20b.pcapng", "a.pcapng": "a.pcapng",
		"/etc/passwd": "", "../x": "", "a/../../x": "", "javascript:alert(1)": "", "//host/x": "", `c:\x`: "", `\\host\x`: "",
	} {
		if got := localLink(path); got != want {
			t.Errorf("localLink(%q) = %q, want %q", path, got, want)
		}
	}
}

// replaceTexts sets every text that v holds.
func replaceTexts(v reflect.Value, text string) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(text)
	case reflect.Struct:
		for i := range v.NumField() {
			replaceTexts(v.Field(i), text)
		}
	case reflect.Slice:
		for i := range v.Len() {
			replaceTexts(v.Index(i), text)
		}
	}
}

// wantPlainCharacters wants nothing that a terminal or an editor obeys.
func wantPlainCharacters(t *testing.T, page string) {
	t.Helper()
	for at, r := range page {
		if r == '\n' || unicode.IsGraphic(r) && r != unicode.ReplacementChar {
			continue
		}
		t.Fatalf("the page holds %U near %q", r, page[max(0, at-40):at])
	}
}
