package reports

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
)

//go:embed page
var pageFiles embed.FS

var (
	htmlStyle    = readPage("page/report.css")
	htmlScript   = readPage("page/report.js")
	htmlTemplate = template.Must(template.New("report.html").Funcs(template.FuncMap{"icon": icon, "word": word}).ParseFS(pageFiles, "page/*.html"))
)

// HTML writes a result as one page that needs nothing else: no network, no fonts,
// no script for anything but convenience. It begins with the conclusion and what
// was tested; findings come next, each with its drawn timeline and the command that
// repeats it; then requirements, scenarios, measurements and what stayed open.
//
// Texts of a subject are escaped, and the page's own policy forbids any script and
// any request that is not its own. The errors are those of w; nothing is written of
// a page that cannot be made.
func HTML(w io.Writer, r Result) error {
	var out bytes.Buffer
	if err := htmlTemplate.ExecuteTemplate(&out, "report.html", newHTMLReport(r)); err != nil {
		return fmt.Errorf("the HTML report: %w", err)
	}
	_, err := w.Write(out.Bytes())
	return err
}

// contentPolicy allows the page's own style and script, by their digests, and
// nothing else.
func contentPolicy() string {
	return fmt.Sprintf("default-src 'none'; style-src 'sha256-%s'; script-src 'sha256-%s'; base-uri 'none'; form-action 'none'",
		digest(htmlStyle), digest(htmlScript))
}

func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return base64.StdEncoding.EncodeToString(sum[:])
}

func readPage(name string) string {
	text, err := pageFiles.ReadFile(name)
	if err != nil {
		panic(err) // it was there when the package was built
	}
	return string(text)
}
