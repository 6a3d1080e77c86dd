package certificate

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	testresult "github.com/in-toto/attestation/go/predicates/test_result/v0"
	intoto "github.com/in-toto/attestation/go/v1"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/reports"
)

// The types of what is signed.
const (
	// Schema names the form of what the statement says beyond in-toto's own fields.
	// A later form has a higher number.
	Schema        = "monolock-conform/certificate/1"
	StatementType = intoto.StatementTypeUri
	PredicateType = "https://in-toto.io/attestation/test-result/v0.1"
)

// What the predicate's result says. A certificate is never FAILED.
const (
	Passed = "PASSED"
	Warned = "WARNED" // a SHOULD does not hold
)

// Certificate is what a statement says. Units stand in the names of the fields.
type Certificate struct {
	Claim   Claim
	Suite   reports.Suite
	Numbers Numbers
	Results []Digest // the results of the runs, in their order
	Result  string
	Passed  []string // IDs of requirements, in the catalogue's order
	Warned  []string
	Failed  []string
}

// Claim is the heart of a certificate: who made what, and which levels it has.
type Claim struct {
	Schema string `json:"schema"`
	About
	Role     spec.Role         `json:"role"`
	Language string            `json:"language"`
	Levels   []string          `json:"levels"`
	Offered  []spec.Feature    `json:"offered"`
	Declined []spec.Feature    `json:"declined"`
	Issued   string            `json:"issued"` // RFC 3339, UTC
	Files    map[string]string `json:"files"`  // the other files of the folder, by name: SHA-256 in hex
}

// Numbers are those of every run. IOTimeoutMS is 0 for a client.
type Numbers struct {
	Runs        int    `json:"runs"`
	LeaseMS     int64  `json:"lease_ms"`
	IOTimeoutMS int64  `json:"io_timeout_ms"`
	LockPrefix  string `json:"lock_prefix"`
}

// LongestIOTimeout bounds how late a certified server may drop an unfinished
// message: with a longer one, a server that drops nothing would not be seen.
const LongestIOTimeout = 30 * time.Second

// Digest names a file and its SHA-256 in hex.
type Digest struct{ Name, SHA256 string }

// suiteNote and catalogueNote are what is said of the suite beside its digest.
type suiteNote struct {
	Version string `json:"version"`
	Commit  string `json:"commit"`
}

type catalogueNote struct {
	Version int `json:"version"`
}

// The names of the descriptors in the predicate's configuration.
const (
	claimName     = "certificate"
	suiteName     = "suite"
	catalogueName = "catalogue"
	numbersName   = "runs"

	suiteURI   = "https://github.com/monolock-dev/monolock-conform"
	hashPrefix = "sha256:"
	mediaJSON  = "application/json"
)

// encode makes the statement as JSON. The same certificate gives the same bytes.
func (c Certificate) encode() ([]byte, error) {
	predicate, err := c.predicate()
	if err != nil {
		return nil, err
	}
	statement := &intoto.Statement{Type: StatementType, PredicateType: PredicateType, Predicate: predicate}
	for _, file := range c.Results {
		statement.Subject = append(statement.Subject, &intoto.ResourceDescriptor{
			Name: file.Name, MediaType: mediaJSON, Digest: map[string]string{"sha256": file.SHA256},
		})
	}
	if err := statement.Validate(); err != nil {
		return nil, err
	}
	return plainJSON(statement)
}

func (c Certificate) predicate() (*structpb.Struct, error) {
	suite := &intoto.ResourceDescriptor{Name: suiteName, Uri: suiteURI}
	catalogue := &intoto.ResourceDescriptor{
		Name: catalogueName, Digest: map[string]string{"sha256": strings.TrimPrefix(c.Suite.Catalogue, hashPrefix)},
	}
	claim := &intoto.ResourceDescriptor{Name: claimName, Uri: c.Claim.URL}
	numbers := &intoto.ResourceDescriptor{Name: numbersName}
	for _, note := range []struct {
		on   *intoto.ResourceDescriptor
		says any
	}{
		{claim, c.Claim}, {suite, suiteNote{c.Suite.Version, c.Suite.Commit}},
		{catalogue, catalogueNote{c.Suite.CatalogueVersion}}, {numbers, c.Numbers},
	} {
		if err := annotate(note.on, note.says); err != nil {
			return nil, err
		}
	}
	data, err := plainJSON(&testresult.TestResult{
		Result: c.Result, Url: c.Claim.URL, Configuration: []*intoto.ResourceDescriptor{claim, suite, catalogue, numbers},
		PassedTests: c.Passed, WarnedTests: c.Warned, FailedTests: c.Failed,
	})
	if err != nil {
		return nil, err
	}
	predicate := &structpb.Struct{}
	return predicate, protojson.Unmarshal(data, predicate)
}

// plainJSON is the JSON of a message without the blanks that protojson strews in
// at random.
func plainJSON(m proto.Message) ([]byte, error) {
	data, err := protojson.Marshal(m)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = json.Compact(&out, data)
	return out.Bytes(), err
}

func annotate(d *intoto.ResourceDescriptor, says any) error {
	data, err := json.Marshal(says)
	if err != nil {
		return err
	}
	d.Annotations = &structpb.Struct{}
	return protojson.Unmarshal(data, d.Annotations)
}

// decode reads a statement. A *foreignError says that it is none of ours; any
// other error says what is wrong with it.
func decode(data []byte) (Certificate, error) {
	lenient := protojson.UnmarshalOptions{DiscardUnknown: true} // as in-toto's parsing rules ask
	statement := &intoto.Statement{}
	if err := lenient.Unmarshal(data, statement); err != nil {
		return Certificate{}, foreign("the payload is no in-toto statement: %v", err)
	}
	if err := checkTypes(statement); err != nil {
		return Certificate{}, err
	}
	body, err := protojson.Marshal(statement.GetPredicate())
	if err != nil {
		return Certificate{}, err
	}
	result := &testresult.TestResult{}
	if err := lenient.Unmarshal(body, result); err != nil {
		return Certificate{}, foreign("the predicate is no test result: %v", err)
	}
	c := Certificate{Result: result.GetResult(), Passed: result.GetPassedTests(), Warned: result.GetWarnedTests(), Failed: result.GetFailedTests()}
	for _, subject := range statement.GetSubject() {
		c.Results = append(c.Results, Digest{Name: subject.GetName(), SHA256: subject.GetDigest()["sha256"]})
	}
	if err := c.readConfiguration(result); err != nil {
		return c, err
	}
	return c, nil
}

func checkTypes(s *intoto.Statement) error {
	if s.GetType() != StatementType {
		return foreign("the statement's type is %q, and %q belongs there", s.GetType(), StatementType)
	}
	if s.GetPredicateType() != PredicateType {
		return foreign("the predicate's type is %q, and %q belongs there: this states something else than a test result", s.GetPredicateType(), PredicateType)
	}
	return nil
}

// readConfiguration reads what stands beside in-toto's own fields.
func (c *Certificate) readConfiguration(result *testresult.TestResult) error {
	found := map[string]*intoto.ResourceDescriptor{}
	for _, d := range result.GetConfiguration() {
		if found[d.GetName()] != nil {
			return fmt.Errorf("the configuration describes %q twice", d.GetName())
		}
		found[d.GetName()] = d
	}
	var suite suiteNote
	var catalogue catalogueNote
	if err := readNote(found, claimName, &c.Claim); err != nil {
		return err
	}
	if err := checkSchema(c.Claim.Schema); err != nil {
		return err
	}
	for _, note := range []struct {
		name string
		into any
	}{{suiteName, &suite}, {catalogueName, &catalogue}, {numbersName, &c.Numbers}} {
		if err := readNote(found, note.name, note.into); err != nil {
			return err
		}
	}
	c.Suite = reports.Suite{
		Version: suite.Version, Commit: suite.Commit,
		Catalogue: hashPrefix + found[catalogueName].GetDigest()["sha256"], CatalogueVersion: catalogue.Version,
	}
	if url := result.GetUrl(); url != c.Claim.URL {
		return fmt.Errorf("it names two addresses, %q and %q", url, c.Claim.URL)
	}
	return nil
}

func readNote(found map[string]*intoto.ResourceDescriptor, name string, into any) error {
	d := found[name]
	if d == nil {
		return foreign("the configuration lacks %q: this is no certificate of monolock-conform", name)
	}
	data, err := protojson.Marshal(d.GetAnnotations())
	if err != nil {
		return err
	}
	if err := json.Unmarshal(data, into); err != nil {
		return fmt.Errorf("what is said of %q is not in its form: %w", name, err)
	}
	return nil
}

// checkSchema tells other forms apart.
func checkSchema(schema string) error {
	if schema == Schema {
		return nil
	}
	family := Schema[:strings.LastIndex(Schema, "/")+1]
	version, ours := strings.CutPrefix(schema, family)
	if number, err := strconv.Atoi(version); ours && err == nil && number > 1 {
		return foreign("the certificate's schema %q is newer than this suite, which reads %q: use a newer monolock-conform", schema, Schema)
	}
	return foreign("the certificate's schema is %q, and %q belongs there", schema, Schema)
}

// foreignError says that a file is no certificate that this suite reads.
type foreignError struct{ error }

func foreign(format string, args ...any) error { return &foreignError{fmt.Errorf(format, args...)} }
