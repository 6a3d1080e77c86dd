// Package certificatetest makes the results of runs that never were, for tests of
// certificates: all scenarios of a role, each with the verdicts of a good subject.
package certificatetest

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/sha256"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/conformance/timeline"
	"github.com/monolock-dev/monolock-conform/conformance/wire"
	"github.com/monolock-dev/monolock-conform/reports"
	"github.com/monolock-dev/monolock-conform/reports/certificate"
	"github.com/monolock-dev/monolock-conform/scenarios"
)

// Version is that of the suite that made the results.
const Version = "1.2.3"

var (
	// Start is when the first run began.
	Start = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	// Issued is when the certificate was.
	Issued = Start.Add(time.Minute)
	// Now is when somebody verifies it.
	Now = Start.Add(24 * time.Hour)
	// About is what its author says of it.
	About = certificate.About{Name: "monolock-x", Version: "0.3.1", URL: "https://example.org/monolock-x", Contact: "mail@example.org"}
)

// Suite is the suite that made the results.
func Suite() certificate.Suite {
	return certificate.Suite{Version: Version, Catalogue: spec.Hash(), CatalogueVersion: spec.CatalogueVersion, Scenarios: scenarios.All}
}

// Input is the n-th run of a subject that is as it should be, counted from 1. A
// server is reached by its address, a client declines nothing.
func Input(role spec.Role, n int) reports.Input {
	params := conformance.DefaultParams()
	params.Seed = uint64(100 + n)
	started := Start.Add(time.Duration(n-1) * 10 * time.Second)
	in := reports.Input{
		Suite:  reports.Suite{Version: Version, Commit: "abc"},
		Params: params, Jobs: 8, Args: []string{"--server", "127.0.0.1:7070"},
		Subject: reports.Subject{Role: role, Target: "127.0.0.1:7070"},
		Outcome: &conformance.Outcome{Started: started, Duration: 8 * time.Second},
	}
	if role == spec.RoleClient {
		in.Offered, in.Args = conformance.ClientFeatures(nil), []string{"--client", "./adapter"}
		in.Subject = reports.Subject{Role: role, Target: "./adapter", Name: About.Name, Version: About.Version, Language: "Python 3.12"}
	}
	for k, s := range scenarios.All(role) {
		began := started.Add(time.Duration(n+k) * time.Millisecond)
		in.Outcome.Results = append(in.Outcome.Results, good(s, in.Offered, began))
	}
	return in
}

// good is the result of a scenario in which all holds.
func good(s conformance.Scenario, offered []spec.Feature, began time.Time) conformance.Result {
	result := conformance.Result{Scenario: s, Verdict: conformance.Pass, Attempts: 1, Started: began, Zero: began, Ended: began.Add(time.Second), Events: exchange(began)}
	for _, id := range s.Judges {
		j := conformance.Judgement{ID: id, Verdict: conformance.Pass, Event: -1}
		r, _ := spec.Get(id)
		needs := slices.Concat(s.Needs, r.Features)
		switch {
		case slices.ContainsFunc(needs, func(f spec.Feature) bool { return !slices.Contains(offered, f) }):
			j.Verdict, j.Actual = conformance.Unsupported, "needs what this subject lacks"
		case r.Level == spec.LevelObserve:
			j.Verdict, j.Actual = conformance.Observed, "value"
		}
		result.Judgements = append(result.Judgements, j)
	}
	result.Verdict = Worst(result.Judgements)
	return result
}

// exchange is a timeline of an opening and a heartbeat.
func exchange(began time.Time) []timeline.Event {
	tl := timeline.New(began)
	tl.Add(began, timeline.Event{Who: "conn-1", By: timeline.Suite, What: timeline.Open})
	frame := wire.HeartbeatFrame
	tl.Add(began.Add(time.Millisecond), timeline.Event{Who: "conn-1", By: timeline.Suite, What: timeline.Send, Frame: &frame, Bytes: wire.Bytes(frame)})
	return tl.Events()
}

// Worst is the verdict of a scenario with these judgements.
func Worst(judgements []conformance.Judgement) conformance.Verdict {
	worst := conformance.Verdict("")
	for _, j := range judgements {
		worst = conformance.Worst(worst, j.Verdict)
	}
	return worst
}

// Judge makes every scenario that judges id say v.
func Judge(in reports.Input, id spec.ID, v conformance.Verdict) reports.Input {
	for i := range in.Outcome.Results {
		result := &in.Outcome.Results[i]
		for k := range result.Judgements {
			if result.Judgements[k].ID == id {
				result.Judgements[k] = conformance.Judgement{ID: id, Verdict: v, Sentence: "it holds", Expected: "this", Actual: "that", Event: 1}
				result.Verdict = Worst(result.Judgements)
			}
		}
	}
	return in
}

// Good are the results of three runs of a good subject.
func Good(role spec.Role) []reports.Result {
	var runs []reports.Result
	for n := range certificate.Runs {
		runs = append(runs, reports.New(Input(role, n+1)))
	}
	return runs
}

// Order is what a good certificate is made of, and the key that signs it.
func Order(runs []reports.Result) certificate.Order {
	_, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		panic(err)
	}
	return certificate.Order{About: About, Runs: runs, IOTimeout: conformance.DefaultIOTimeout, LockPrefix: conformance.DefaultLockPrefix, Issued: Issued, Key: key}
}

// Write seals a certificate into a folder.
func Write(t testing.TB, dir string, o certificate.Order) {
	t.Helper()
	files, err := certificate.Seal(o)
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		path := filepath.Join(dir, filepath.FromSlash(file.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, file.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// Key is a key that follows from a name.
func Key(name string) ed25519.PrivateKey {
	seed := sha256.Sum256([]byte(name))
	return ed25519.NewKeyFromSeed(seed[:])
}
