package clientlist_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/reports"
	"github.com/monolock-dev/monolock-conform/reports/certificate"
	"github.com/monolock-dev/monolock-conform/reports/certificate/certificatetest"
	"github.com/monolock-dev/monolock-conform/reports/clientlist"
)

var update = flag.Bool("update", false, "write the golden files anew")

// client is one certificate of a test's folder.
type client struct {
	folder string
	about  certificate.About
	// change is made to the input of each run.
	change func(n int, in reports.Input) reports.Input
}

// write seals a certificate of c below dir. Its key follows from its name.
func write(t *testing.T, dir string, c client) {
	t.Helper()
	var runs []reports.Result
	for n := 1; n <= certificate.Runs; n++ {
		in := certificatetest.Input(spec.RoleClient, n)
		in.Subject.Name, in.Subject.Version = c.about.Name, c.about.Version
		if c.change != nil {
			in = c.change(n, in)
		}
		runs = append(runs, reports.New(in))
	}
	order := certificatetest.Order(runs)
	order.Key, order.About = certificatetest.Key(c.about.Name), c.about
	certificatetest.Write(t, filepath.Join(dir, c.folder), order)
}

func about(name, version string) certificate.About {
	return certificate.About{Name: name, Version: version, URL: "https://example.org/" + version, Contact: "mail@example.org"}
}

// community is a folder with clients of all sorts.
func community(t *testing.T) string {
	dir := t.TempDir()
	write(t, dir, client{folder: "zeta-1", about: about("zeta", "1.0")})
	write(t, dir, client{folder: "alpha/0.9", about: about("alpha", "0.9")})
	write(t, dir, client{folder: "alpha/0.10", about: about("alpha", "0.10"), change: func(n int, in reports.Input) reports.Input {
		if n == 3 {
			in = certificatetest.Judge(in, spec.C_CAN_01, conformance.Warn)
		}
		return in
	}})
	write(t, dir, client{folder: "beta", about: about("beta", "2"), change: func(_ int, in reports.Input) reports.Input {
		in.Suite.Version = "1.1.0"
		return in
	}})
	write(t, dir, client{folder: "forged", about: about("forged", "1")})
	forged := filepath.Join(dir, "forged", "run-2", "result.json")
	data, err := os.ReadFile(forged)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(forged, bytes.Replace(data, []byte(`"jobs": 8`), []byte(`"jobs": 80`), 1), 0o644); err != nil {
		t.Fatal(err)
	}
	certificatetest.Write(t, filepath.Join(dir, "a-server"), certificatetest.Order(certificatetest.Good(spec.RoleServer)))
	for _, folder := range []string{"nothing", ".git"} {
		if err := os.Mkdir(filepath.Join(dir, folder), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func read(t *testing.T, dir string, suite certificate.Suite) clientlist.List {
	t.Helper()
	list, err := clientlist.Read(dir, suite, certificatetest.Now)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestTheListIsInOrderAndTrue(t *testing.T) {
	list := read(t, community(t), certificatetest.Suite())
	var names, refused []string
	for _, e := range list.Entries {
		names = append(names, e.Claim.Name+" "+e.Claim.Version)
	}
	for _, r := range list.Refused {
		refused = append(refused, r.Folder+": "+r.Reasons[0])
	}
	if want := []string{"alpha 0.10", "alpha 0.9", "beta 2", "zeta 1.0"}; !slices.Equal(names, want) {
		t.Errorf("listed %q, want %q", names, want)
	}
	for i, want := range []string{"forged: run-2/result.json is not what was signed", "nothing: it holds no certificate.json"} {
		if len(refused) != 2 || !strings.HasPrefix(refused[i], want) {
			t.Errorf("refused %q, want one that begins with %q", refused, want)
		}
	}
	notes := strings.Join(list.Notes, "\n")
	for _, want := range []string{"a-server certifies a server", "1.1.0 with catalogue 1", "1.2.3 with catalogue 1"} {
		if len(list.Notes) != 2 || !strings.Contains(notes, want) {
			t.Errorf("notes %q, want one on the server and one on mixed suites: %q", list.Notes, want)
		}
	}
}

// A folder without a client says what it holds instead.
func TestAListOfNobodySaysWhatWasFound(t *testing.T) {
	dir := t.TempDir()
	certificatetest.Write(t, filepath.Join(dir, "a-server"), certificatetest.Order(certificatetest.Good(spec.RoleServer)))
	wantTitle := func(want string) {
		t.Helper()
		list := read(t, dir, certificatetest.Suite())
		for name, write := range map[string]func(io.Writer) error{"text": list.Text, "markdown": list.Markdown, "html": list.HTML} {
			var out bytes.Buffer
			if err := write(&out); err != nil || !strings.Contains(out.String(), want) || !strings.Contains(out.String(), "a-server certifies a server") {
				t.Errorf("%s lacks %q, or the note on the server (%v):\n%s", name, want, err, out.String())
			}
		}
	}
	wantTitle("no certificate of a client; found 1 certificate of a server.")
	if err := os.Mkdir(filepath.Join(dir, "nothing"), 0o755); err != nil {
		t.Fatal(err)
	}
	wantTitle("found 1 certificate of a server and 1 folder that is refused.")
}

func TestStaleCertificatesAreSaidToBeStale(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, client{folder: "x", about: about("x", "1")})
	for behind, want := range []bool{false, false, true} {
		suite := certificatetest.Suite()
		suite.Version, suite.CatalogueVersion = "9", spec.CatalogueVersion+behind
		list := read(t, dir, suite)
		if len(list.Entries) != 1 || list.Entries[0].Stale() != want {
			t.Errorf("%d behind: %+v, want stale %v", behind, list.Entries, want)
		}
		for name, text := range formats(t, list) {
			if got := strings.Contains(text, "stale: tested by catalogue"); got != want {
				t.Errorf("%d behind, %s: says stale %v, want %v", behind, name, got, want)
			}
		}
	}
}

// TestDifferentKeysOfOneNameAreSaid: somebody else may have certified.
func TestDifferentKeysOfOneNameAreSaid(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, client{folder: "x-1", about: about("x", "1")})
	write(t, dir, client{folder: "x-2", about: about("x", "2")})
	if notes := read(t, dir, certificatetest.Suite()).Notes; len(notes) > 0 {
		t.Errorf("one key: %q", notes)
	}
	order := certificatetest.Order(certificatetest.Good(spec.RoleClient))
	order.About.Name = "" // then the adapter's
	certificatetest.Write(t, filepath.Join(dir, "a"), order)
	certificatetest.Write(t, filepath.Join(dir, "b"), certificatetest.Order(certificatetest.Good(spec.RoleClient)))
	notes := strings.Join(read(t, dir, certificatetest.Suite()).Notes, "\n")
	for _, want := range []string{"monolock-x 0.3.1 is listed twice, from a and b.", "are signed by different keys"} {
		if !strings.Contains(notes, want) {
			t.Errorf("the notes lack %q: %q", want, notes)
		}
	}
}

// known is a list with all that a list can have, and no hash that a change of the
// catalogue would change.
func known() clientlist.List {
	good := clientlist.Entry{Folder: "a", Key: "SHA256:aaa", Combined: []certificate.Combined{
		{ID: spec.C_ACQ_01, Verdict: conformance.Pass}, {ID: spec.C_ACQ_02, Verdict: conformance.Warn},
	}}
	good.Claim.About, good.Claim.Language, good.Claim.Issued = about("alpha", "0.10"), "Python 3.12", "2026-03-01T12:00:00Z"
	good.Claim.Levels, good.Claim.Declined = []string{"core", "retry", "cancel"}, []spec.Feature{spec.FeatureTLS, spec.FeatureMTLS}
	good.Suite = reports.Suite{Version: "1.2.3", CatalogueVersion: 3}
	stale := good
	stale.Folder, stale.Key, stale.Behind, stale.Suite.CatalogueVersion = "b", "SHA256:bbb", 2, 1
	stale.Claim.About, stale.Claim.Language, stale.Claim.Declined = about("beta & <sons>", "1.0"), "", nil
	stale.Claim.Levels = []string{"core"}
	stale.Combined = []certificate.Combined{{ID: spec.C_ACQ_01, Verdict: conformance.Unsupported}}
	return clientlist.List{
		Suite: certificate.Suite{Version: "1.3.0", CatalogueVersion: 3}, Entries: []clientlist.Entry{good, stale},
		Refused: []clientlist.Refused{{Folder: "forged", Reasons: []string{"it carries no signature", "2", "3", "4", "5", "6", "7"}}, {Folder: "nothing", Reasons: []string{"it holds no certificate.json"}}},
		Notes:   []string{"The certificates were made by different suites."},
	}
}

var rowID = regexp.MustCompile(`C-[A-Z]+-[0-9]+`)

// firstRows leaves out all requirements but the first two: a golden file does not
// change with the catalogue.
func firstRows(text string) string {
	var kept strings.Builder
	for line := range strings.Lines(text) {
		if id := rowID.FindString(line); id == "" || id == "C-ACQ-01" || id == "C-ACQ-02" {
			kept.WriteString(line)
		}
	}
	return kept.String()
}

func TestFormatsAreAsInTheGoldenFiles(t *testing.T) {
	for name, text := range formats(t, known()) {
		golden, text := filepath.Join("testdata", "list."+name), firstRows(text)
		if *update {
			if err := os.WriteFile(golden, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if text != string(want) {
			t.Errorf("%s is not as in %s; look at it, and write it anew with -update:\n%s", name, golden, text)
		}
	}
}

func TestTheSameFolderGivesTheSameList(t *testing.T) {
	dir := community(t)
	if a, b := formats(t, read(t, dir, certificatetest.Suite())), formats(t, read(t, dir, certificatetest.Suite())); !maps.Equal(a, b) {
		t.Error("another list")
	}
}

func formats(t *testing.T, list clientlist.List) map[string]string {
	t.Helper()
	all := map[string]string{}
	for name, render := range map[string]func(io.Writer) error{"txt": list.Text, "md": list.Markdown, "html": list.HTML} {
		var out bytes.Buffer
		if err := render(&out); err != nil {
			t.Fatal(err)
		}
		all[name] = out.String()
	}
	return all
}

// TestHostileNamesStayText puts markup where names are expected. Seal and verify
// allow what can be shown; nothing of it may become markup.
func TestHostileNamesStayText(t *testing.T) {
	hostile := "a|b](javascript:alert(1)) <script>alert(1)</script> `x` **y** www.evil.example <b onmouseover=x>"
	dir := t.TempDir()
	evil := certificate.About{Name: hostile, Version: "1|2", URL: "https://example.org/a|b>(c)?q=<d>`e`", Contact: "<mail>"}
	write(t, dir, client{folder: "x", about: evil, change: func(_ int, in reports.Input) reports.Input {
		in.Subject.Language = "<img src=x onerror=alert(1)> | C\n# heading"
		return in
	}})
	if err := os.Mkdir(filepath.Join(dir, "<script>|`"), 0o755); err != nil {
		t.Fatal(err)
	}
	all := formats(t, read(t, dir, certificatetest.Suite()))
	for _, raw := range []string{"<script>", "<img", "<b ", `href="javascript`} {
		for _, name := range []string{"html", "md"} {
			if strings.Contains(all[name], raw) {
				t.Errorf("%s holds %q", name, raw)
			}
		}
	}
	for row := range strings.Lines(all["md"]) {
		if bars := strings.Count(row, "|"); strings.HasPrefix(row, "| ") && bars != 10 && bars != 4 {
			t.Errorf("a row of %d bars: %q", bars, row)
		}
		for _, markup := range []string{"`", "](javascript", "www.evil", "**y"} {
			if strings.Contains(row, markup) {
				t.Errorf("the Markdown holds %q: %q", markup, row)
			}
		}
	}
	if !strings.Contains(all["md"], "](<https://example.org/a%7Cb%3E%28c%29?q=%3Cd%3E%60e%60>)") {
		t.Errorf("the link is not as it should be:\n%.900s", all["md"])
	}
}

// TestThePageIsWellFormed reads it with a parser that is not a browser's: what is
// open is closed, and everything is in the page itself.
func TestThePageIsWellFormed(t *testing.T) {
	page := formats(t, read(t, community(t), certificatetest.Suite()))["html"]
	d := xml.NewDecoder(strings.NewReader(page))
	d.Entity = xml.HTMLEntity
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if start, ok := token.(xml.StartElement); ok && slices.Contains([]string{"script", "link", "img", "iframe"}, start.Name.Local) {
			t.Errorf("the page has a %s", start.Name.Local)
		}
	}
}

func TestFoldersWithoutACertificate(t *testing.T) {
	empty := t.TempDir()
	if err := os.Mkdir(filepath.Join(empty, "x"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{empty, filepath.Join(empty, "nowhere")} {
		if _, err := clientlist.Read(dir, certificatetest.Suite(), certificatetest.Now); err == nil {
			t.Errorf("%s: no error", dir)
		}
	}
}

func TestAFolderThatIsOneCertificate(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, client{about: about("x", "1")})
	if list := read(t, dir, certificatetest.Suite()); len(list.Entries) != 1 || len(list.Refused) != 0 {
		t.Errorf("%+v, refused %+v", list.Entries, list.Refused)
	}
}

func TestErrorsOfWriters(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, client{folder: "x", about: about("x", "1")})
	list := read(t, dir, certificatetest.Suite())
	for name, render := range map[string]func(io.Writer) error{"txt": list.Text, "md": list.Markdown, "html": list.HTML} {
		if err := render(broken{}); !errors.Is(err, errBroken) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

var errBroken = errors.New("broken")

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errBroken }
