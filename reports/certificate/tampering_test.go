package certificate_test

import (
	"bytes"
	"crypto/ed25519"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/reports"
	"github.com/monolock-dev/monolock-conform/reports/certificate"
	"github.com/monolock-dev/monolock-conform/reports/certificate/certificatetest"
)

// tampering is one way to forge a certificate, and the words that tell it.
type tampering struct {
	name  string
	forge func(f *forgery)
	says  []string
	// unreadable: it is no certificate at all any more.
	unreadable bool
}

// under changes files beneath a signature that stays.
var under = []tampering{
	{name: "an edited result", says: []string{"run-1/result.json is not what was signed: its SHA-256 is"},
		forge: func(f *forgery) { f.replace(resultName(1), `"jobs": 8`, `"jobs": 9`) }},
	{name: "an edited report", says: []string{"run-2/report.html is not what was signed"},
		forge: func(f *forgery) { f.write("run-2/report.html", []byte("all is well")) }},
	{name: "an edited badge", says: []string{"badge.svg is not what was signed"},
		forge: func(f *forgery) { f.write("badge.svg", []byte("<svg>gold</svg>")) }},
	{name: "a result that is missing", says: []string{"run-3/result.json is missing"},
		forge: func(f *forgery) { os.Remove(filepath.Join(f.dir, resultName(3))) }},
	{name: "two results swapped", says: []string{"run-1/result.json is not what was signed", "run-2/result.json is not what was signed"},
		forge: func(f *forgery) {
			one, two := f.read(resultName(1)), f.read(resultName(2))
			f.write(resultName(1), two)
			f.write(resultName(2), one)
		}},
	{name: "a changed statement", says: []string{"the signature of SHA256:", "was changed after signing"},
		forge: func(f *forgery) { f.payload("monolock-x", "monolock-y") }},
	{name: "no signature", says: []string{"it carries no signature"},
		forge: func(f *forgery) { f.envelope(func(e object) { e["signatures"] = []any{} }) }},
	{name: "a signature over another payload", says: []string{"the signature is of another one"},
		forge: func(f *forgery) {
			other := forge(f.t, certificatetest.Good(spec.RoleClient))
			var signatures any
			other.envelope(func(e object) { signatures = e["signatures"] })
			f.write(certificate.KeyFile, other.read(certificate.KeyFile))
			f.envelope(func(e object) { e["signatures"] = signatures })
		}},
	{name: "a wrong payload type", says: []string{`the payload's type is "text/plain"`}, unreadable: true,
		forge: func(f *forgery) { f.envelope(func(e object) { e["payloadType"] = "text/plain" }) }},
	{name: "a payload that is no base64", says: []string{"no base64"}, unreadable: true,
		forge: func(f *forgery) { f.envelope(func(e object) { e["payload"] = "%" }) }},
	{name: "another key in the folder", says: []string{"it is signed by another key (SHA256:"},
		forge: func(f *forgery) {
			f.write(certificate.KeyFile, certificate.EncodePublic(f.own.Public().(ed25519.PublicKey)))
		}},
	{name: "no key in the folder", says: []string{"the key that signed is not known: key.pub is missing"},
		forge: func(f *forgery) { os.Remove(filepath.Join(f.dir, certificate.KeyFile)) }},
	{name: "an envelope that is cut off", says: []string{"certificate.json is no JSON, or cut off"}, unreadable: true,
		forge: func(f *forgery) {
			f.write(certificate.EnvelopeFile, f.read(certificate.EnvelopeFile)[:100])
		}},
	{name: "another file in the envelope's place", says: []string{`the payload's type is ""`}, unreadable: true,
		forge: func(f *forgery) { f.write(certificate.EnvelopeFile, f.read(resultName(1))) }},
	{name: "a field twice in the envelope", says: []string{`certificate.json has the field "payloadType" twice`},
		forge: func(f *forgery) {
			f.replace(certificate.EnvelopeFile, "{", `{"payloadtype": "text/plain",`)
		}},
	{name: "a folder in the envelope's place", says: []string{"certificate.json is no regular file"}, unreadable: true,
		forge: func(f *forgery) {
			os.Remove(filepath.Join(f.dir, certificate.EnvelopeFile))
			os.Mkdir(filepath.Join(f.dir, certificate.EnvelopeFile), 0o755)
		}},
	{name: "a result that is cut off", says: []string{"run-1/result.json: the result is cut off"}, unreadable: true,
		forge: func(f *forgery) { f.write(resultName(1), f.read(resultName(1))[:5000]) }},
}

func TestTamperingUnderASignatureIsFound(t *testing.T) {
	for _, row := range under {
		t.Run(row.name, func(t *testing.T) {
			f := forge(t, certificatetest.Good(spec.RoleServer))
			row.forge(f)
			wantFaults(t, verify(t, f.dir, nil), row)
		})
	}
}

// TestAForgerIsFoundByHisKey signs what is otherwise whole.
func TestAForgerIsFoundByHisKey(t *testing.T) {
	f := forge(t, certificatetest.Good(spec.RoleServer))
	f.statement(func(object) {})
	wantFaults(t, verify(t, f.dir, f.key.Public().(ed25519.PublicKey)), tampering{says: []string{"it is signed by a foreign key, SHA256:"}})
	if found := verify(t, f.dir, nil); !found.Holds() || found.Trusted {
		t.Errorf("without a key the folder only agrees with itself: %s, trusted %v", says(found), found.Trusted)
	}
}

// TestAnotherKeyInTheFolderIsSaid where the reader brings the right one.
func TestAnotherKeyInTheFolderIsSaid(t *testing.T) {
	f := forge(t, certificatetest.Good(spec.RoleServer))
	f.write(certificate.KeyFile, certificate.EncodePublic(f.own.Public().(ed25519.PublicKey)))
	found := verify(t, f.dir, f.key.Public().(ed25519.PublicKey))
	if !found.Holds() || !slices.Equal(found.Notes, []string{"key.pub in the folder is another key than the one that was given, which signed"}) {
		t.Errorf("%s %q", says(found), found.Notes)
	}
}

// TestAResultOfAnotherClientIsFound: a client says who it is.
func TestAResultOfAnotherClientIsFound(t *testing.T) {
	f := forge(t, certificatetest.Good(spec.RoleClient))
	f.results(func(_ int, r *reports.Result) { r.Subject.Name, r.Subject.Version = "another", "9.9" })
	wantFaults(t, verify(t, f.dir, nil), tampering{says: []string{
		`the adapter says that it tests "another", and the certificate would name "monolock-x"`, `its version is "9.9"`,
	}})
}

// TestAllThatIsWrongIsSaid: a reader mends, or refuses, at once.
func TestAllThatIsWrongIsSaid(t *testing.T) {
	f := forge(t, certificatetest.Good(spec.RoleServer))
	f.result(1, func(r *reports.Result) { requirement(r, spec.S_Q_02).Verdict = conformance.Warn })
	os.Remove(filepath.Join(f.dir, resultName(2)))
	f.payload("monolock-x", "monolock-y")
	wantFaults(t, verify(t, f.dir, nil), tampering{says: []string{"signature", "run-1/result.json is not what was signed", "requirement S-Q-02", "run-2/result.json is missing"}})
}

// TestAnOlderCatalogueIsSaid: it is no tampering.
func TestAnOlderCatalogueIsSaid(t *testing.T) {
	f := forge(t, certificatetest.Good(spec.RoleServer))
	later := certificatetest.Suite()
	later.Version, later.CatalogueVersion, later.Catalogue = "2.0.0", spec.CatalogueVersion+1, "sha256:later"
	found, err := certificate.Verify(f.dir, later, nil, certificatetest.Now)
	if err != nil || !found.Holds() || !strings.Contains(strings.Join(found.Notes, "\n"), "it was made by an older catalogue, version 1, and this suite has version 2") {
		t.Errorf("%v: %s %q", err, says(found), found.Notes)
	}
	f.results(func(_ int, r *reports.Result) { accuse(r, spec.S_Q_02, conformance.Warn) })
	found, _ = certificate.Verify(f.dir, later, nil, certificatetest.Now)
	wantFaults(t, found, tampering{says: []string{"requirement S-Q-02 says pass, and its judgements say warn"}})
}

// TestAnotherSuiteOfTheSameCatalogueIsSaid: texts are mended between versions, and
// scenarios come.
func TestAnotherSuiteOfTheSameCatalogueIsSaid(t *testing.T) {
	f := forge(t, certificatetest.Good(spec.RoleServer))
	next := certificatetest.Suite()
	next.Version, next.Catalogue = "1.3.0", "sha256:mended"
	next.Scenarios = func(role spec.Role) []conformance.Scenario {
		all := certificatetest.Suite().Scenarios(role)
		return append(all, conformance.Scenario{ID: "server/queue/new", Judges: []spec.ID{spec.S_Q_02}})
	}
	found, err := certificate.Verify(f.dir, next, nil, certificatetest.Now)
	if err != nil || !found.Holds() || len(found.Notes) != 2 {
		t.Errorf("%v: %s %q", err, says(found), found.Notes)
	}
}

// TestReportsThatWereNotPassedOnAreForgiven: they follow from the results.
func TestReportsThatWereNotPassedOnAreForgiven(t *testing.T) {
	f := forge(t, certificatetest.Good(spec.RoleServer))
	os.Remove(filepath.Join(f.dir, "run-1", "report.html"))
	found := verify(t, f.dir, nil)
	if !found.Holds() || !slices.Equal(found.Notes, []string{"run-1/report.html is missing; it follows from the results"}) {
		t.Errorf("%s %q", says(found), found.Notes)
	}
}

// TestNothingOfACertificateIsRawInWords feeds controls where text is expected.
func TestNothingOfACertificateIsRawInWords(t *testing.T) {
	f := forge(t, certificatetest.Good(spec.RoleServer))
	f.statement(func(s object) { s.note("certificate")["name"] = "a\x1b[31m\nforged" })
	if text := says(verify(t, f.dir, nil)); strings.ContainsAny(text, "\x1b") || strings.Contains(text, "\nforged") {
		t.Errorf("raw: %q", text)
	}
}

// TestTheSameOrderGivesTheSameBytes: nothing of it is random but the key.
func TestTheSameOrderGivesTheSameBytes(t *testing.T) {
	order := certificatetest.Order(certificatetest.Good(spec.RoleClient))
	first, err := certificate.Seal(order)
	if err != nil {
		t.Fatal(err)
	}
	for range 5 {
		again, err := certificate.Seal(order)
		if err != nil || !reflect.DeepEqual(again, first) {
			t.Fatalf("sealed again: other bytes, %v", err)
		}
	}
	if bytes.Contains(first[len(first)-1].Data, []byte("PRIVATE")) {
		t.Error("the private key is in the envelope")
	}
}

func wantFaults(t *testing.T, f certificate.Finding, row tampering) {
	t.Helper()
	text := says(f)
	for _, want := range row.says {
		if !strings.Contains(text, want) {
			t.Errorf("nothing says %q:\n%s", want, text)
		}
	}
	if f.Holds() || f.Unreadable() != row.unreadable {
		t.Errorf("holds %v, unreadable %v; want unreadable %v:\n%s", f.Holds(), f.Unreadable(), row.unreadable, text)
	}
}

func says(f certificate.Finding) string {
	var all []string
	for _, fault := range f.Faults {
		all = append(all, fault.Says)
	}
	return strings.Join(all, "\n")
}

// accuse makes one scenario say v of a requirement, and nothing else.
func accuse(r *reports.Result, id spec.ID, v conformance.Verdict) {
	s := scenarioOn(r, id)
	s.Verdict = conformance.Verdict("")
	for i := range s.Requirements {
		j := &s.Requirements[i]
		if j.ID == id {
			j.Verdict = v
		}
		s.Verdict = conformance.Worst(s.Verdict, j.Verdict)
	}
}

func scenarioOn(r *reports.Result, id spec.ID) *reports.Scenario {
	for i := range r.Scenarios {
		if slices.ContainsFunc(r.Scenarios[i].Requirements, func(j reports.Judgement) bool { return j.ID == id }) {
			return &r.Scenarios[i]
		}
	}
	panic("no scenario judges " + id)
}

func requirement(r *reports.Result, id spec.ID) *reports.Requirement {
	for i := range r.Requirements {
		if r.Requirements[i].ID == id {
			return &r.Requirements[i]
		}
	}
	panic("no requirement " + id)
}

func drop(o object, key, value string) {
	o[key] = slices.DeleteFunc(o[key].([]any), func(v any) bool { return v == value })
}
