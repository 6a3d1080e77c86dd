package certificate_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/reports"
	"github.com/monolock-dev/monolock-conform/reports/certificate"
	"github.com/monolock-dev/monolock-conform/reports/certificate/certificatetest"
)

// resigned are forgeries whose digests fit and which the forger signed with a key
// of his own, so that the folder agrees with itself.
var resigned = []tampering{
	{name: "a verdict changed in a requirement", says: []string{"requirement S-Q-02 says pass, and its judgements say fail", "it says conformant, and its judgements come to not-conformant"},
		forge: func(f *forgery) {
			f.results(func(_ int, r *reports.Result) {
				accuse(r, spec.S_Q_02, conformance.Fail)
				reports.Judge(r)
				requirement(r, spec.S_Q_02).Verdict = conformance.Pass
				r.Result = reports.Conformant
			})
		}},
	{name: "a verdict changed in a judgement", says: []string{"the scenario server/", "says fail, and its judgements say pass"},
		forge: func(f *forgery) {
			f.results(func(_ int, r *reports.Result) { scenarioOn(r, spec.S_Q_02).Verdict = conformance.Fail })
		}},
	{name: "a judgement that its timeline denies", says: []string{`says pass, and its timeline shows "S-Q-02 fail: it holds"`},
		forge: func(f *forgery) {
			f.results(func(_ int, r *reports.Result) {
				s := scenarioOn(r, spec.S_Q_02)
				s.Timeline = append(s.Timeline, reports.Event{Who: "verdict", What: "event", Frame: "S-Q-02 fail: it holds"})
			})
		}},
	{name: "a dropped scenario", says: []string{"run-1/result.json: it lacks 1 scenario of the suite: server/", "run-3/result.json: it lacks 1 scenario"},
		forge: func(f *forgery) {
			f.results(func(_ int, r *reports.Result) {
				r.Scenarios = r.Scenarios[1:]
				reports.Judge(r)
			})
		}},
	{name: "an invented scenario", says: []string{"it has 1 scenario that the suite does not know: server/queue/easy"},
		forge: func(f *forgery) {
			f.results(func(_ int, r *reports.Result) {
				easy := r.Scenarios[0]
				easy.ID = "server/queue/easy"
				r.Scenarios = append(r.Scenarios, easy)
				reports.Judge(r)
			})
		}},
	{name: "a scenario twice", says: []string{"occurs twice"},
		forge: func(f *forgery) {
			f.results(func(_ int, r *reports.Result) { r.Scenarios = append(r.Scenarios, r.Scenarios[0]) })
		}},
	{name: "a dropped judgement", says: []string{"judges S-", "and the result says nothing of it"},
		forge: func(f *forgery) {
			f.results(func(_ int, r *reports.Result) {
				for i := range r.Scenarios {
					if s := &r.Scenarios[i]; len(s.Requirements) > 1 {
						s.Requirements = s.Requirements[1:]
						break
					}
				}
				reports.Judge(r)
			})
		}},
	{name: "a dropped requirement", says: []string{"it lacks 1 requirement of the catalogue: S-Q-02"},
		forge: func(f *forgery) {
			f.results(func(_ int, r *reports.Result) {
				r.Requirements = slices.DeleteFunc(r.Requirements, func(q reports.Requirement) bool { return q.ID == spec.S_Q_02 })
			})
			f.statement(func(s object) { drop(s.in("predicate"), "passedTests", "S-Q-02") })
		}},
	{name: "a requirement twice", says: []string{"it lists some of its requirements twice"},
		forge: func(f *forgery) {
			f.results(func(_ int, r *reports.Result) { r.Requirements = append(r.Requirements, r.Requirements[0]) })
		}},
	{name: "other scenarios named for a requirement", says: []string{"requirement S-Q-02 names other scenarios than those that judge it"},
		forge: func(f *forgery) {
			f.results(func(_ int, r *reports.Result) { requirement(r, spec.S_Q_02).Scenarios = []string{"server/queue/other"} })
		}},
	{name: "another title", says: []string{"has another title than the suite's"},
		forge: func(f *forgery) {
			f.results(func(_ int, r *reports.Result) { r.Scenarios[0].Title = "all is well" })
		}},
	{name: "not complete", says: []string{"run-1/result.json: it is not complete"},
		forge: func(f *forgery) { f.results(func(_ int, r *reports.Result) { r.Complete = false }) }},
	{name: "a level changed in a requirement", says: []string{"requirement S-Q-02 is a MUST, and not a SHOULD"},
		forge: func(f *forgery) {
			f.results(func(_ int, r *reports.Result) { requirement(r, spec.S_Q_02).Level = spec.LevelShould })
		}},
	{name: "a detail changed", says: []string{`requirement S-Q-02 says "at most 1 ns"`},
		forge: func(f *forgery) {
			f.results(func(_ int, r *reports.Result) { requirement(r, spec.S_Q_02).Detail = "at most 1 ns" })
		}},
	{name: "a scenario that never ran", says: []string{"says pass, and it was never tried"},
		forge: func(f *forgery) {
			f.results(func(_ int, r *reports.Result) { scenarioOn(r, spec.S_Q_02).Attempts = 0 })
		}},
	{name: "a scenario in which nothing happened", says: []string{"says pass, and nothing happened in it"},
		forge: func(f *forgery) {
			f.results(func(_ int, r *reports.Result) { scenarioOn(r, spec.S_Q_02).Timeline = nil })
		}},
	{name: "a known failure", says: []string{"it has known failures (S-Q-02), and a baseline never certifies"},
		forge: func(f *forgery) {
			f.results(func(_ int, r *reports.Result) {
				accuse(r, spec.S_Q_02, conformance.KnownFail)
				reports.Judge(r)
			})
		}},
	{name: "a hidden known failure", says: []string{"requirement S-Q-02 says pass, and its judgements say known-fail"},
		forge: func(f *forgery) {
			f.results(func(_ int, r *reports.Result) { accuse(r, spec.S_Q_02, conformance.KnownFail) })
		}},
	{name: "a MUST that was not decided", says: []string{"its result is undecided: inconclusive S-Q-02"},
		forge: func(f *forgery) {
			f.results(func(_ int, r *reports.Result) {
				accuse(r, spec.S_Q_02, conformance.Inconclusive)
				reports.Judge(r)
			})
		}},
	{name: "a MUST said to be unsupported", says: []string{"core needs every MUST without a feature, and 1 was not shown to hold: S-Q-02 unsupported"},
		forge: func(f *forgery) {
			f.results(func(_ int, r *reports.Result) {
				accuse(r, spec.S_Q_02, conformance.Unsupported)
				reports.Judge(r)
			})
		}},
	{name: "a filter", says: []string{"it was filtered by --skip server/queue/*", "1 scenario was left out"},
		forge: func(f *forgery) {
			f.results(func(n int, r *reports.Result) {
				if n != 2 {
					return
				}
				r.Filters.Skip = []string{"server/queue/*"}
				s := scenarioOn(r, spec.S_Q_02)
				s.Verdict, s.Attempts, s.Timeline = conformance.Excluded, 0, nil
				for i := range s.Requirements {
					s.Requirements[i].Verdict = conformance.Excluded
				}
				reports.Judge(r)
			})
		}},
	{name: "a hidden filter", says: []string{"it was filtered by --skip (in its command line)", "it lacks 1 scenario"},
		forge: func(f *forgery) {
			f.results(func(_ int, r *reports.Result) {
				r.Run.Args = append(r.Run.Args, "--skip", r.Scenarios[0].ID)
				r.Scenarios = r.Scenarios[1:]
				reports.Judge(r)
			})
		}},
	{name: "a baseline", says: []string{"it was filtered by --baseline (in its command line)"},
		forge: func(f *forgery) {
			f.results(func(_ int, r *reports.Result) { r.Run.Args = append(r.Run.Args, "--baseline=known.txt") })
		}},
	{name: "another lease", says: []string{"its lease was 60000 ms, and a certificate is made at 500 ms"},
		forge: func(f *forgery) {
			f.results(func(_ int, r *reports.Result) { r.Run.LeaseMS = 60000 })
		}},
	{name: "counts that are wrong", says: []string{"its counts of verdicts are not those of its judgements"},
		forge: func(f *forgery) {
			f.results(func(_ int, r *reports.Result) { r.Counts[conformance.Pass]++ })
		}},
	{name: "complete where it is not", says: []string{"it says complete: false, and it is true"},
		forge: func(f *forgery) { f.results(func(_ int, r *reports.Result) { r.Complete = false }) }},
	{name: "the same seed thrice", says: []string{"runs 1 and 2 have the same seed 7", "runs 2 and 3 have the same seed 7"},
		forge: func(f *forgery) { f.results(func(_ int, r *reports.Result) { r.Run.Seed = 7 }) }},
	{name: "one run thrice", says: []string{"runs 1 and 3 agree in every time, to the microsecond"},
		forge: func(f *forgery) {
			first := f.read(resultName(1))
			for n := 2; n <= certificate.Runs; n++ {
				f.write(resultName(n), first)
				f.result(n, func(r *reports.Result) { r.Run.Seed = uint64(n) })
			}
			f.statement(func(object) {})
		}},
	{name: "only two runs", says: []string{"a certificate rests on 3 runs; this one says 2 and names 2 results"},
		forge: func(f *forgery) {
			f.statement(func(s object) {
				s["subject"] = s["subject"].([]any)[:2]
				s.note("runs")["runs"] = 2
			})
		}},
	{name: "one result named twice", says: []string{"it names run-1/result.json twice"},
		forge: func(f *forgery) {
			f.statement(func(s object) { s["subject"].([]any)[1] = s["subject"].([]any)[0] })
		}},
	{name: "a level that was not earned", says: []string{`it claims the level "tls", and the results do not earn it`},
		forge: func(f *forgery) {
			f.statement(func(s object) { s.note("certificate")["levels"] = []string{"core", "tls"} })
		}},
	{name: "a level left out", says: []string{`the results earn the level "core", and it does not claim it`},
		forge: func(f *forgery) {
			f.statement(func(s object) { s.note("certificate")["levels"] = []string{} })
		}},
	{name: "a level twice", says: []string{`its levels are ["core" "core"], and the results earn ["core"]`},
		forge: func(f *forgery) {
			f.statement(func(s object) { s.note("certificate")["levels"] = []string{"core", "core"} })
		}},
	{name: "a feature that was declined", says: []string{"the certificate's declined features: it says []"},
		forge: func(f *forgery) {
			f.statement(func(s object) { s.note("certificate")["declined"] = []string{} })
		}},
	{name: "a feature said to be offered", says: []string{"by what it offers it declines"},
		forge: func(f *forgery) {
			f.results(func(_ int, r *reports.Result) { r.Features.Offered = append(r.Features.Offered, spec.FeatureControl) })
		}},
	{name: "requirements that did not pass listed as passed", says: []string{"the certificate's passed requirements: it says [S-TLS-01]"},
		forge: func(f *forgery) {
			f.statement(func(s object) { s.in("predicate")["passedTests"] = []string{"S-TLS-01"} })
		}},
	{name: "a failed requirement", says: []string{"it lists requirements that failed (S-Q-02), and certifies nevertheless"},
		forge: func(f *forgery) {
			f.statement(func(s object) { s.in("predicate")["failedTests"] = []string{"S-Q-02"} })
		}},
	{name: "another predicate's result", says: []string{"the certificate's result: it says WARNED, and the results say PASSED"},
		forge: func(f *forgery) { f.statement(func(s object) { s.in("predicate")["result"] = "WARNED" }) }},
	{name: "another statement type", says: []string{`the statement's type is "https://in-toto.io/Statement/v0.1"`}, unreadable: true,
		forge: func(f *forgery) {
			f.statement(func(s object) { s["_type"] = "https://in-toto.io/Statement/v0.1" })
		}},
	{name: "another predicate type", says: []string{`the predicate's type is "https://slsa.dev/provenance/v1"`}, unreadable: true,
		forge: func(f *forgery) {
			f.statement(func(s object) { s["predicateType"] = "https://slsa.dev/provenance/v1" })
		}},
	{name: "a newer certificate", says: []string{`schema "monolock-conform/certificate/2" is newer than this suite`, "use a newer monolock-conform"}, unreadable: true,
		forge: func(f *forgery) {
			f.statement(func(s object) { s.note("certificate")["schema"] = "monolock-conform/certificate/2" })
		}},
	{name: "a newer result", says: []string{`run-2/result.json: the result's schema "monolock-conform/result/2" is newer`}, unreadable: true,
		forge: func(f *forgery) {
			f.replace(resultName(2), "monolock-conform/result/1", "monolock-conform/result/2")
			f.statement(func(object) {})
		}},
	{name: "another catalogue under the suite's name", says: []string{"its catalogue is sha256:00", "it was changed, or another build made it"},
		forge: func(f *forgery) {
			hash := strings.Repeat("00", 32)
			f.results(func(_ int, r *reports.Result) { r.Suite.Catalogue = "sha256:" + hash })
			f.statement(func(s object) {
				for _, d := range s.in("predicate")["configuration"].([]any) {
					if d := object(d.(map[string]any)); d["name"] == "catalogue" {
						d.in("digest")["sha256"] = hash
					}
				}
			})
		}},
	{name: "a catalogue that never was", says: []string{"the catalogue's version is 0, and there was none before 1"},
		forge: func(f *forgery) {
			f.results(func(_ int, r *reports.Result) { r.Suite.CatalogueVersion = 0 })
			f.statement(func(s object) { s.note("catalogue")["version"] = 0 })
		}},
	{name: "a newer catalogue", says: []string{"it was made by version 99 of the catalogue", "use a newer monolock-conform"}, unreadable: true,
		forge: func(f *forgery) {
			f.results(func(_ int, r *reports.Result) { r.Suite.CatalogueVersion = 99 })
			f.statement(func(s object) { s.note("catalogue")["version"] = 99 })
		}},
	{name: "results of several suites", says: []string{"run-3/result.json was made by another suite", "suites are not mixed"}, unreadable: true,
		forge: func(f *forgery) {
			f.results(func(n int, r *reports.Result) {
				if n == 3 {
					r.Suite.Commit = "def"
				}
			})
		}},
	{name: "a result of another subject", says: []string{"runs 1 and 2 differ in target (127.0.0.1:7070, 127.0.0.1:9), and all must be of one subject"},
		forge: func(f *forgery) {
			f.results(func(n int, r *reports.Result) {
				if n == 2 {
					r.Subject.Target = "127.0.0.1:9"
				}
			})
		}},
	{name: "an endless io-timeout", says: []string{"its io-timeout is 3600000 ms, and at most 30s certifies"},
		forge: func(f *forgery) { f.statement(func(s object) { s.note("runs")["io_timeout_ms"] = 3600000 }) }},
	{name: "no name", says: []string{`the name "" is empty`},
		forge: func(f *forgery) { f.statement(func(s object) { s.note("certificate")["name"] = "" }) }},
	{name: "an address that is none of the web", says: []string{`the url "javascript:alert(1)" is no http or https address`},
		forge: func(f *forgery) {
			f.statement(func(s object) {
				s.note("certificate")["url"], s.in("predicate")["url"] = "javascript:alert(1)", "javascript:alert(1)"
			})
		}},
	{name: "two addresses", says: []string{"it names two addresses"},
		forge: func(f *forgery) {
			f.statement(func(s object) { s.in("predicate")["url"] = "https://elsewhere.example" })
		}},
	{name: "a date to come", says: []string{"it was issued on 2099-01-01T00:00:00Z, which is still to come"},
		forge: func(f *forgery) {
			f.statement(func(s object) { s.note("certificate")["issued"] = "2099-01-01T00:00:00Z" })
		}},
	{name: "issued before it was tested", says: []string{"before its last run ended"},
		forge: func(f *forgery) {
			f.statement(func(s object) { s.note("certificate")["issued"] = "2026-01-01T00:00:00Z" })
		}},
	{name: "old runs under a new date", says: []string{"long before the certificate was issued"},
		forge: func(f *forgery) {
			f.statement(func(s object) { s.note("certificate")["issued"] = "2026-03-02T12:30:00Z" })
		}},
	{name: "runs at one time", says: []string{"before the one before it ended"},
		forge: func(f *forgery) {
			f.results(func(_ int, r *reports.Result) { r.Run.Started = "2026-03-01T12:00:00Z" })
		}},
	{name: "a date of issue that is none", says: []string{`the date of issue "soon" is none`},
		forge: func(f *forgery) { f.statement(func(s object) { s.note("certificate")["issued"] = "soon" }) }},
	{name: "a run without time", says: []string{"run-1/result.json: the run took 0 ms"},
		forge: func(f *forgery) { f.results(func(_ int, r *reports.Result) { r.Run.DurationMS = 0 }) }},
	{name: "a scenario of another role", says: []string{"the scenario client/queue/other is of another role than server"},
		forge: func(f *forgery) {
			f.results(func(_ int, r *reports.Result) { r.Scenarios[0].ID = "client/queue/other" })
		}},
	{name: "a date that is none", says: []string{`the start "yesterday" is no date`},
		forge: func(f *forgery) { f.results(func(_ int, r *reports.Result) { r.Run.Started = "yesterday" }) }},
	{name: "a path out of the folder", says: []string{`"../result.json" is no name of a file in the certificate's folder`},
		forge: func(f *forgery) {
			f.statement(func(s object) { s.subject(1)["name"] = "../result.json" })
		}},
	{name: "a path from the root", says: []string{`"/etc/passwd" is no name of a file`},
		forge: func(f *forgery) {
			f.statement(func(s object) { s.note("certificate").in("files")["/etc/passwd"] = "00" })
		}},
	{name: "a link out of the folder", says: []string{"run-1/result.json cannot be read: path escapes"},
		forge: func(f *forgery) {
			outside := filepath.Join(f.t.TempDir(), "result.json")
			path := filepath.Join(f.dir, resultName(1))
			if err := os.WriteFile(outside, f.read(resultName(1)), 0o644); err != nil {
				f.t.Fatal(err)
			}
			if err := os.Remove(path); err != nil {
				f.t.Fatal(err)
			}
			if err := os.Symlink(outside, path); err != nil {
				f.t.Skipf("this system has no links: %v", err)
			}
		}},
	{name: "a field twice in the statement", says: []string{`the statement has the field "subject" twice`},
		forge: func(f *forgery) {
			f.statement(func(s object) { s["SUBJECT"] = []any{} })
		}},
	{name: "a field twice", says: []string{`run-1/result.json has the field "Result" twice`},
		forge: func(f *forgery) {
			f.replace(resultName(1), `"result": "conformant"`, `"result": "not-conformant", "Result": "conformant"`)
			f.statement(func(object) {})
		}},
}

func TestForgeriesWithAnOwnKeyAreFound(t *testing.T) {
	for _, row := range resigned {
		t.Run(row.name, func(t *testing.T) {
			f := forge(t, certificatetest.Good(spec.RoleServer))
			row.forge(f)
			found := verify(t, f.dir, nil)
			wantFaults(t, found, row)
			if strings.Contains(says(found), "signature") {
				t.Errorf("the forger's signature should fit:\n%s", says(found))
			}
		})
	}
}
