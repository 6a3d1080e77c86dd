package certificate_test

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/reports"
	"github.com/monolock-dev/monolock-conform/reports/certificate"
	"github.com/monolock-dev/monolock-conform/reports/certificate/certificatetest"
)

// TestWhatDoesNotCertify: each is refused with its reason, and without a file.
func TestWhatDoesNotCertify(t *testing.T) {
	const server, client = spec.RoleServer, spec.RoleClient
	for _, row := range []struct {
		name string
		role spec.Role
		// change is made to the input of the second run.
		change func(in reports.Input) reports.Input
		// order is changed, too.
		order func(o *certificate.Order)
		says  string
	}{
		{name: "a fail", role: server, says: "run 2: its result is not-conformant: fail S-Q-02",
			change: func(in reports.Input) reports.Input {
				return certificatetest.Judge(in, spec.S_Q_02, conformance.Fail)
			}},
		{name: "a pass, a fail and a pass", role: server, says: "S-Q-02 held in one run and not in another",
			change: func(in reports.Input) reports.Input {
				return certificatetest.Judge(in, spec.S_Q_02, conformance.Fail)
			}},
		{name: "flaky", role: server, says: "run 2: its result is undecided: flaky S-Q-02",
			change: func(in reports.Input) reports.Input {
				return certificatetest.Judge(in, spec.S_Q_02, conformance.Flaky)
			}},
		{name: "undecided", role: server, says: "run 2: its result is undecided: inconclusive S-Q-02",
			change: func(in reports.Input) reports.Input {
				return certificatetest.Judge(in, spec.S_Q_02, conformance.Inconclusive)
			}},
		{name: "a broken harness", role: server, says: "run 2: its result is undecided: error S-Q-02",
			change: func(in reports.Input) reports.Input {
				return certificatetest.Judge(in, spec.S_Q_02, conformance.Error)
			}},
		{name: "a known failure", role: server, says: "run 2: it has known failures (S-Q-02)",
			change: func(in reports.Input) reports.Input {
				return certificatetest.Judge(in, spec.S_Q_02, conformance.KnownFail)
			}},
		{name: "a MUST that was not shown", role: server, says: "run 2: core needs every MUST without a feature, and 1 was not shown to hold: S-Q-02",
			change: func(in reports.Input) reports.Input {
				return certificatetest.Judge(in, spec.S_Q_02, conformance.Unsupported)
			}},
		{name: "an exclusion", role: server, says: "run 2: 1 scenario was left out",
			change: func(in reports.Input) reports.Input {
				in.Excluded = append(in.Excluded, in.Outcome.Results[0].Scenario)
				in.Outcome.Results = in.Outcome.Results[1:]
				return in
			}},
		{name: "a filter", role: server, says: "run 2: it was filtered by --label-filter queue",
			change: func(in reports.Input) reports.Input { in.Filters.Labels = "queue"; return in }},
		{name: "a shard", role: server, says: "run 2: it was filtered by --shard 1/2",
			change: func(in reports.Input) reports.Input { in.Filters.Shard = "1/2"; return in }},
		{name: "a subject that cannot be reached", role: server, says: "run 2: it did not come to its end: nobody is there",
			change: func(in reports.Input) reports.Input {
				for _, result := range in.Outcome.Results {
					in.Selected = append(in.Selected, result.Scenario)
				}
				in.Outcome, in.Preflight = nil, errors.New("nobody is there")
				return in
			}},
		{name: "a feature in one run only", role: client, says: "runs 1 and 2 differ in the offered features",
			change: func(in reports.Input) reports.Input { in.Offered = in.Offered[1:]; return in }},
		{name: "another version of the client", role: client, says: "runs 1 and 2 differ in the subject's version",
			change: func(in reports.Input) reports.Input { in.Subject.Version = "0.4.0"; return in }},
		{name: "another version than the author's", role: client, says: `the adapter says that its version is "0.3.1", and the certificate would name "0.4.0"`,
			order: func(o *certificate.Order) { o.About.Version = "0.4.0" }},
		{name: "a server without a name", role: server, says: `the name "" is empty`,
			order: func(o *certificate.Order) { o.About.Name = "" }},
		{name: "no page", role: server, says: "is no http or https address",
			order: func(o *certificate.Order) { o.About.URL = "ftp://example.org" }},
		{name: "two runs", role: server, says: "a certificate rests on 3 runs, and there are 2",
			order: func(o *certificate.Order) { o.Runs = o.Runs[:2] }},
		{name: "no runs", role: server, says: "a certificate rests on 3 runs, and there are 0",
			order: func(o *certificate.Order) { o.Runs = nil }},
		{name: "one run twice", role: server, says: "runs 1 and 2 have the same seed",
			order: func(o *certificate.Order) { o.Runs[1] = o.Runs[0] }},
	} {
		t.Run(row.name, func(t *testing.T) {
			runs := certificatetest.Good(row.role)
			if row.change != nil {
				runs[1] = reports.New(row.change(certificatetest.Input(row.role, 2)))
			}
			order := certificatetest.Order(runs)
			if row.order != nil {
				row.order(&order)
			}
			files, err := certificate.Seal(order)
			refused, ok := errors.AsType[*certificate.RefusedError](err)
			if !ok || len(files) > 0 {
				t.Fatalf("%d files, %v; want a refusal", len(files), err)
			}
			if !strings.Contains(refused.Error(), row.says) {
				t.Errorf("nothing says %q:\n%v", row.says, refused)
			}
		})
	}
}

// TestAShouldThatDoesNotHoldIsAWarning and certifies.
func TestAShouldThatDoesNotHoldIsAWarning(t *testing.T) {
	runs := certificatetest.Good(spec.RoleClient)
	runs[2] = reports.New(certificatetest.Judge(certificatetest.Input(spec.RoleClient, 3), spec.C_CAN_01, conformance.Warn))
	dir := t.TempDir()
	certificatetest.Write(t, dir, certificatetest.Order(runs))
	f := verify(t, dir, nil)
	if !f.Holds() {
		t.Fatal(says(f))
	}
	c := f.Certificate
	if c.Result != certificate.Warned || !slices.Equal(c.Warned, []string{"C-CAN-01"}) || slices.Contains(c.Passed, "C-CAN-01") {
		t.Errorf("%s, warned %v", c.Result, c.Warned)
	}
	if !slices.Contains(c.Claim.Levels, "cancel") { // the other SHOULD of it passed
		t.Errorf("levels %v", c.Claim.Levels)
	}
}

// TestACertificateSaysWhatTheAdapterSays where its author is silent.
func TestACertificateSaysWhatTheAdapterSays(t *testing.T) {
	order := certificatetest.Order(certificatetest.Good(spec.RoleClient))
	order.About.Name, order.About.Version = "", ""
	dir := t.TempDir()
	certificatetest.Write(t, dir, order)
	if claim := verify(t, dir, nil).Certificate.Claim; claim.About != certificatetest.About || claim.Language != "Python 3.12" {
		t.Errorf("%+v", claim)
	}
}

// TestTheStatementIsInToto: anybody's program reads it.
func TestTheStatementIsInToto(t *testing.T) {
	files, err := certificate.Seal(certificatetest.Order(certificatetest.Good(spec.RoleServer)))
	if err != nil {
		t.Fatal(err)
	}
	var envelope struct {
		PayloadType, Payload string
		Signatures           []struct{ KeyID, Sig string }
	}
	if err := json.Unmarshal(files[len(files)-1].Data, &envelope); err != nil {
		t.Fatal(err)
	}
	payload, err := base64.StdEncoding.DecodeString(envelope.Payload)
	if err != nil {
		t.Fatal(err)
	}
	var s struct {
		Type          string `json:"_type"`
		PredicateType string
		Subject       []struct {
			Name   string
			Digest map[string]string
		}
		Predicate struct {
			Result, URL string
			PassedTests []string
		}
	}
	if err := json.Unmarshal(payload, &s); err != nil {
		t.Fatal(err)
	}
	if envelope.PayloadType != "application/vnd.in-toto+json" || s.Type != "https://in-toto.io/Statement/v1" ||
		s.PredicateType != "https://in-toto.io/attestation/test-result/v0.1" || len(envelope.Signatures) != 1 {
		t.Errorf("types %q, %q, %q; %d signatures", envelope.PayloadType, s.Type, s.PredicateType, len(envelope.Signatures))
	}
	if len(s.Subject) != 3 || len(s.Subject[2].Digest["sha256"]) != 64 || s.Subject[2].Name != "run-3/result.json" {
		t.Errorf("subjects %+v", s.Subject)
	}
	if s.Predicate.Result != "PASSED" || s.Predicate.URL != certificatetest.About.URL || !slices.Contains(s.Predicate.PassedTests, "S-Q-02") {
		t.Errorf("predicate %+v", s.Predicate)
	}
}
