package certificate

import (
	"bytes"
	"crypto/ed25519"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/secure-systems-lab/go-securesystemslib/dsse"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/reports"
)

// Suite is the suite that verifies: what it knows, a certificate is compared with.
type Suite struct {
	Version          string
	Catalogue        string // see [spec.Hash]
	CatalogueVersion int
	Scenarios        func(spec.Role) []conformance.Scenario
}

// Fault is a sentence about what does not hold. Unreadable says that the file is
// none that this suite reads, rather than one that says something false.
type Fault struct {
	Says       string
	Unreadable bool
}

// Finding is what came of verifying one certificate. Texts of the certificate are
// raw in Certificate, and escaped in the sentences.
type Finding struct {
	Certificate Certificate // what could be read of it
	Combined    []Combined  // of the results, not of the statement
	Key         string      // the fingerprint of the key that signed, or ""
	Trusted     bool        // whether that key was the reader's own choice
	Faults      []Fault
	Notes       []string // what a reader should know, though it holds
}

// Holds reports whether nothing is wrong.
func (f Finding) Holds() bool { return len(f.Faults) == 0 }

// Unreadable reports whether something is no certificate that this suite reads.
func (f Finding) Unreadable() bool {
	return slices.ContainsFunc(f.Faults, func(fault Fault) bool { return fault.Unreadable })
}

// Verify checks the certificate in path, a folder or the envelope in it, and finds
// all that does not hold. It reads the folder and nothing else, and judges the
// results again by itself. trusted is the key that must have signed; nil takes the
// one in the folder, which then shows only that the folder agrees with itself.
// The error says that there is no certificate.
func Verify(path string, suite Suite, trusted ed25519.PublicKey, now time.Time) (Finding, error) {
	f, err := open(path)
	if err != nil {
		return Finding{}, err
	}
	defer f.root.Close()
	v := &verification{folder: f, suite: suite, trusted: trusted, now: now}
	v.all()
	return v.Finding, nil
}

// verification is one on its way.
type verification struct {
	Finding
	folder  folder
	suite   Suite
	trusted ed25519.PublicKey
	now     time.Time
}

func (v *verification) fault(format string, args ...any) {
	v.Faults = append(v.Faults, Fault{Says: reports.CleanLine(fmt.Sprintf(format, args...))})
}

func (v *verification) unreadable(format string, args ...any) {
	v.Faults = append(v.Faults, Fault{Says: reports.CleanLine(fmt.Sprintf(format, args...)), Unreadable: true})
}

func (v *verification) note(format string, args ...any) {
	v.Notes = append(v.Notes, reports.CleanLine(fmt.Sprintf(format, args...)))
}

func (v *verification) all() {
	envelope, ok := v.readEnvelope()
	if !ok {
		return
	}
	v.signature(envelope)
	if !v.readStatement(envelope) {
		return
	}
	v.claim()
	runs, whole := v.results()
	v.otherFiles()
	if whole {
		v.together(runs)
	}
}

// readEnvelope reports false where there is nothing to look into.
func (v *verification) readEnvelope() (*dsse.Envelope, bool) {
	data, err := v.folder.read(v.folder.envelope)
	if err != nil {
		v.unreadable("%v", err)
		return nil, false
	}
	envelope := &dsse.Envelope{}
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	if err := json.Unmarshal(data, envelope); err != nil {
		v.unreadable("%s is no JSON, or cut off: %v", v.folder.envelope, err)
		return nil, false
	}
	if key := repeatedKey(data); key != "" {
		v.fault("%s has the field %q twice, so that programs read it differently", v.folder.envelope, key)
	}
	if envelope.PayloadType != PayloadType {
		v.unreadable("the payload's type is %q, and %q belongs there: this is no certificate", envelope.PayloadType, PayloadType)
		return envelope, envelope.Payload != ""
	}
	return envelope, true
}

// readStatement reports false where there is no statement of ours.
func (v *verification) readStatement(envelope *dsse.Envelope) bool {
	payload, err := envelope.DecodeB64Payload()
	if err != nil {
		v.unreadable("the payload is no base64: %v", err)
		return false
	}
	if key := repeatedKey(payload); key != "" {
		v.fault("the statement has the field %q twice, so that programs read it differently", key)
	}
	v.Certificate, err = decode(payload)
	if _, other := errors.AsType[*foreignError](err); other {
		v.unreadable("%v", err)
		return false
	}
	if err != nil {
		v.fault("the statement: %v", err)
		return false
	}
	return true
}

// signature looks for a signature by the key that must have signed.
func (v *verification) signature(envelope *dsse.Envelope) {
	if len(envelope.Signatures) == 0 {
		v.fault("it carries no signature")
		return
	}
	embedded, err := v.embeddedKey()
	key := v.trusted
	if key == nil {
		if err != nil {
			v.fault("the key that signed is not known: %v; name it with --key", err)
			return
		}
		key = embedded
	}
	switch {
	case signedBy(envelope, key):
		v.Key, v.Trusted = Fingerprint(key), v.trusted != nil
	case v.trusted != nil && embedded != nil && signedBy(envelope, embedded):
		v.fault("it is signed by a foreign key, %s, and not by the one that was given, %s", Fingerprint(embedded), Fingerprint(key))
	case !v.names(envelope, key):
		v.fault("it is signed by another key (%s) than %s", keyIDs(envelope), Fingerprint(key))
	default:
		v.fault("the signature of %s does not fit what it signs: the certificate was changed after signing, or the signature is of another one", Fingerprint(key))
	}
	if v.trusted != nil && embedded != nil && !embedded.Equal(v.trusted) && v.Key != "" {
		v.note("%s in the folder is another key than the one that was given, which signed", KeyFile)
	}
}

// names reports whether a signature says that it is by this key.
func (v *verification) names(envelope *dsse.Envelope, key ed25519.PublicKey) bool {
	return slices.ContainsFunc(envelope.Signatures, func(s dsse.Signature) bool { return s.KeyID == Fingerprint(key) || s.KeyID == "" })
}

func keyIDs(envelope *dsse.Envelope) string {
	var all []string
	for _, s := range envelope.Signatures {
		all = append(all, s.KeyID)
	}
	return some(all)
}

// embeddedKey is the key in the folder.
func (v *verification) embeddedKey() (ed25519.PublicKey, error) {
	data, err := v.folder.read(KeyFile)
	if err != nil {
		return nil, err
	}
	block, err := decodePEM(KeyFile, publicBlock, data)
	if err != nil {
		return nil, err
	}
	return parsePublic(KeyFile, block)
}

// claim checks what the statement says of itself.
func (v *verification) claim() {
	c := v.Certificate
	if err := c.Claim.Check(); err != nil {
		for fault := range strings.SplitSeq(err.Error(), "\n") {
			v.fault("%s", fault)
		}
	}
	if c.Numbers.Runs != Runs || len(c.Results) != Runs {
		v.fault("a certificate rests on %d runs; this one says %d and names %s", Runs, c.Numbers.Runs, counted(len(c.Results), "result", "results"))
	}
	if len(c.Failed) > 0 {
		v.fault("it lists requirements that failed (%s), and certifies nevertheless", some(c.Failed))
	}
	if c.Numbers.IOTimeoutMS > LongestIOTimeout.Milliseconds() {
		v.fault("its io-timeout is %d ms, and at most %v certifies", c.Numbers.IOTimeoutMS, LongestIOTimeout)
	}
	v.checkSuite(c.Suite)
}

// checkSuite compares the suite that certified with this one.
func (v *verification) checkSuite(s reports.Suite) {
	switch {
	case s.CatalogueVersion > v.suite.CatalogueVersion:
		v.unreadable("it was made by version %d of the catalogue, and this suite knows version %d: use a newer monolock-conform", s.CatalogueVersion, v.suite.CatalogueVersion)
	case s.CatalogueVersion < 1:
		v.fault("the catalogue's version is %d, and there was none before 1", s.CatalogueVersion)
	case s.CatalogueVersion < v.suite.CatalogueVersion:
		v.note("it was made by an older catalogue, version %d, and this suite has version %d: what has come since was not tested, and whether all of the old one was cannot be told", s.CatalogueVersion, v.suite.CatalogueVersion)
	case s.Catalogue != v.suite.Catalogue && s.Version == v.suite.Version:
		v.fault("its catalogue is %s, and that of monolock-conform %s is %s: it was changed, or another build made it (commit %s), which must verify it", s.Catalogue, v.suite.Version, v.suite.Catalogue, s.Commit)
	case s.Catalogue != v.suite.Catalogue:
		v.note("its catalogue has the IDs and levels of this suite's, but other texts (made by monolock-conform %s, verified by %s)", s.Version, v.suite.Version)
	}
	if s.CatalogueVersion == v.suite.CatalogueVersion && s.Version != v.suite.Version {
		v.note("it was made by monolock-conform %s, and verified by %s: scenarios that only one of them has are not compared", s.Version, v.suite.Version)
	}
}

// results reads and checks the result of each run. It reports whether all could be
// read.
func (v *verification) results() ([]reports.Result, bool) {
	var runs []reports.Result
	seen := map[string]bool{}
	for _, d := range v.Certificate.Results {
		if seen[d.Name] {
			v.fault("it names %s twice", d.Name)
			continue
		}
		seen[d.Name] = true
		if r, ok := v.result(d); ok {
			runs = append(runs, r)
		}
	}
	return runs, len(runs) > 0 && len(runs) == len(v.Certificate.Results)
}

func (v *verification) result(d Digest) (reports.Result, bool) {
	data, err := v.folder.read(d.Name)
	if err != nil {
		v.fault("%v", err)
		return reports.Result{}, false
	}
	if got := digest(data); got != d.SHA256 {
		v.fault("%s is not what was signed: its SHA-256 is %s, and the certificate says %s", d.Name, got, d.SHA256)
	}
	r, err := reports.ReadJSON(bytes.NewReader(data))
	if err != nil {
		v.unreadable("%s: %v", d.Name, err)
		return r, false
	}
	if key := repeatedKey(data); key != "" {
		v.fault("%s has the field %q twice, so that programs read it differently", d.Name, key)
	}
	for _, fault := range v.inspect(r) {
		v.fault("%s: %s", d.Name, fault)
	}
	return r, true
}

// otherFiles compares the reports, which people read instead of the results. One
// that was not passed on is said and forgiven; one that was changed is not.
func (v *verification) otherFiles() {
	names := []string{}
	for name := range v.Certificate.Claim.Files {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		data, err := v.folder.read(name)
		switch {
		case err != nil && nameFault(name) == "" && strings.HasSuffix(err.Error(), "is missing"):
			v.note("%v; it follows from the results", err)
		case err != nil:
			v.fault("%v", err)
		case digest(data) != v.Certificate.Claim.Files[name]:
			v.fault("%s is not what was signed", name)
		}
	}
}
