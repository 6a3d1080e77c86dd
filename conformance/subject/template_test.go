package subject

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestTemplateArgs(t *testing.T) {
	full := map[string]string{Listen: "h:1", ACL: "/a b", TLSCert: "c.pem", TLSKey: "k.pem"}
	bare := map[string]string{Listen: "h:1", ACL: ""}
	for _, test := range []struct {
		name, text string
		values     map[string]string
		want       []string
	}{
		{"values are filled in whole", "true -listen {listen} -acl-file {acl}", full,
			[]string{"true", "-listen", "h:1", "-acl-file", "/a b"}},
		{"the flag goes with its value", "true -listen {listen} -acl-file {acl} -x", bare,
			[]string{"true", "-listen", "h:1", "-x"}},
		{"an argument with = goes alone", "true -v -acl-file={acl} -listen={listen}", bare,
			[]string{"true", "-v", "-listen=h:1"}},
		{"a flag with = before it stays", "true {listen} -v=1 {acl}", bare, []string{"true", "h:1", "-v=1"}},
		{"a word before it stays", "true {listen} acl {acl}", bare, []string{"true", "h:1", "acl"}},
		{"-- and - stay", "true {listen} - {acl} -- {acl}", bare, []string{"true", "h:1", "-", "--"}},
		{"two that miss", "true -c {tls_cert} -k {tls_key} {listen}", bare, []string{"true", "h:1"}},
		{"one of two in an argument", "true -p {tls_cert}:{acl} {listen}", bare, []string{"true", "h:1"}},
		{"quotes and empty words", `true '' "a b" c\ d {listen}`, bare, []string{"true", "", "a b", "c d", "h:1"}},
		{"other braces are text", `true '{"a":1}' {} {listen}`, bare, []string{"true", `{"a":1}`, "{}", "h:1"}},
		{"a value is not read again", "true {listen} {acl}", map[string]string{Listen: "{acl}", ACL: "x"},
			[]string{"true", "{acl}", "x"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			tmpl, err := ParseTemplate(test.text)
			if err != nil {
				t.Fatal(err)
			}
			if got := tmpl.Args(test.values); !slices.Equal(got, test.want) {
				t.Errorf("Args() = %q, want %q", got, test.want)
			}
		})
	}
}

func TestTemplateOffers(t *testing.T) {
	tmpl, err := ParseTemplate("true -acl={acl} {listen} -ops {ops}")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := tmpl.Offers(), []string{Listen, Ops, ACL}; !slices.Equal(got, want) {
		t.Errorf("Offers() = %q, want %q", got, want)
	}
}

func TestParseTemplateErrors(t *testing.T) {
	dir := t.TempDir()
	plain := filepath.Join(dir, "plain")
	if err := os.WriteFile(plain, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ text, want string }{
		{"", "the command is empty"},
		{"   # only a comment", "the command is empty"},
		{"true 'x {listen}", "close every quote"},
		{"true", "lacks {listen}"},
		{"true {listne}", "did you mean {listen}?"},
		{"true {listen} {tls-cert}", "did you mean {tls_cert}?"},
		{"true {listen} {ca}", "did you mean {client_ca}?"},
		{"true {addr}", "did you mean {listen}?"},
		{"true {listen} ${ACL_FILE}", "did you mean {acl}?"},
		{"sh -c 'x -listen {listen} -acl {acl}'", "give each an argument of its own"},
		{"no-such-program {listen}", "was not found in PATH"},
		{"./no-such-program {listen}", "check the path"},
		{plain + " {listen}", "is not executable"},
		{dir + " {listen}", "is a directory"},
		{"A=1 true {listen}", "env A=1 PROGRAM"},
		{"no-such-program {oops}", "did you mean {ops}?"},
	} {
		_, err := ParseTemplate(test.text)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("ParseTemplate(%q): %v, want %q", test.text, err, test.want)
		}
	}
}
