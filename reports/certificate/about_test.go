package certificate_test

import (
	"strings"
	"testing"

	"github.com/monolock-dev/monolock-conform/reports/certificate"
	"github.com/monolock-dev/monolock-conform/reports/certificate/certificatetest"
)

func TestTextsOfAnAuthor(t *testing.T) {
	if err := certificatetest.About.Check(); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"": "is empty", strings.Repeat("x", 201): "is longer than 200 bytes", "\xff": "is not UTF-8", " x": "begins or ends with a blank",
		"a\nb": "cannot be shown", "a\u202eb": "cannot be shown",
	} {
		for what, set := range map[string]func(a *certificate.About){
			"name": func(a *certificate.About) { a.Name = text }, "version": func(a *certificate.About) { a.Version = text },
			"url": func(a *certificate.About) { a.URL = text }, "contact": func(a *certificate.About) { a.Contact = text },
		} {
			about := certificatetest.About
			set(&about)
			if err := about.Check(); err == nil || !strings.Contains(err.Error(), "the "+what+" ") || !strings.Contains(err.Error(), want) {
				t.Errorf("%s %q: %v, want %q", what, text, err, want)
			}
		}
	}
}

func TestLinks(t *testing.T) {
	for link, want := range map[string]bool{
		"https://example.org": true, "http://example.org:8080/a?b#c": true, "https://[::1]/": true, "https://müller.example/": true,
		"": false, "example.org": false, "https://": false, "javascript:alert(1)": false, "ftp://example.org": false, "data:text/html,x": false,
		"https://bank.example@evil.example/": false, "https://a<b>.example": false, "//example.org": false, " https://example.org": false,
	} {
		if got := certificate.IsLink(link); got != want {
			t.Errorf("%q: %v, want %v", link, got, want)
		}
	}
}
