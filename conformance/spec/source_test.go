package spec

import "testing"

func TestRefString(t *testing.T) {
	tests := []struct {
		ref  Ref
		want string
	}{
		{Ref{Page: WC, Rule: "6"}, "writing a client, rule 6"},
		{Ref{Page: WP, Rule: "state machine"}, "wire protocol, state machine"},
		{Ref{Page: GO}, "Go client"},
	}
	for _, test := range tests {
		if got := test.ref.String(); got != test.want {
			t.Errorf("got %q, want %q", got, test.want)
		}
	}
}

func TestEveryPageIsNamedAndUsed(t *testing.T) {
	used := map[Source]bool{}
	for _, r := range All() {
		for _, ref := range r.Sources {
			used[ref.Page] = true
		}
	}
	for page := range pageTitles {
		if page.Page() == "" || !used[page] {
			t.Errorf("page %s: title %q, used %v", page, page.Page(), used[page])
		}
	}
	if got := Source("XX").Page(); got != "" {
		t.Errorf("an unknown page has the title %q", got)
	}
}
