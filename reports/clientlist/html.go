package clientlist

import (
	_ "embed"
	"html/template"
	"io"

	"github.com/monolock-dev/monolock-conform/conformance"
)

//go:embed list.html
var page string

// pageTemplate escapes by context, so that nothing of a certificate is markup.
var pageTemplate = template.Must(template.New("list").Funcs(template.FuncMap{
	"sign": signOf, "word": wordOf, "class": classOf,
}).Parse(page))

// HTML writes the list as one page that needs no other file and no network. The
// errors are those of w.
func (l List) HTML(w io.Writer) error {
	type refused struct {
		Folder  string
		Reasons []string
	}
	data := struct {
		Title, Worth, Legend string
		Notes                []string
		Rows                 []row
		Refused              []refused
		Matrix               []line
	}{l.title(), worth, legend(), l.Notes, l.rows(), nil, l.matrix()}
	for _, r := range l.Refused {
		data.Refused = append(data.Refused, refused{r.Folder, r.reasons()})
	}
	return pageTemplate.Execute(w, data)
}

// wordOf is what a sign means, for those who hear it.
func wordOf(v conformance.Verdict) string {
	for _, s := range signs {
		if s.verdict == v {
			return s.word
		}
	}
	return string(v)
}

// classOf is how a verdict is coloured.
func classOf(v conformance.Verdict) string {
	switch v {
	case conformance.Pass:
		return "good"
	case conformance.Warn:
		return "warn"
	}
	return "open"
}
