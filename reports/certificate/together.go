package certificate

import (
	"reflect"
	"slices"
	"time"

	"github.com/monolock-dev/monolock-conform/reports"
)

// together checks what follows from all results, and what the statement makes of it.
func (v *verification) together(runs []reports.Result) {
	v.mixedSuites(runs)
	for _, reason := range Reasons(runs) {
		v.fault("%s", reason)
	}
	v.Combined = Combine(runs)
	v.compare(runs)
	v.dates(runs)
}

// mixedSuites finds results that other suites made than the one that is named.
func (v *verification) mixedSuites(runs []reports.Result) {
	for i, r := range runs {
		if r.Suite != v.Certificate.Suite {
			v.unreadable("%s was made by another suite (%s) than the certificate names (%s): suites are not mixed",
				v.Certificate.Results[i].Name, suiteText(r.Suite), suiteText(v.Certificate.Suite))
		}
	}
}

// compare recomputes the statement from the results.
func (v *verification) compare(runs []reports.Result) {
	said, found := v.Certificate, stated(runs)
	for _, part := range []struct {
		what       string
		said, want any
	}{
		{"result", said.Result, found.Result},
		{"passed requirements", said.Passed, found.Passed},
		{"requirements with a warning", said.Warned, found.Warned},
		{"role", said.Claim.Role, found.Claim.Role},
		{"language", said.Claim.Language, found.Claim.Language},
		{"offered features", said.Claim.Offered, found.Claim.Offered},
		{"declined features", said.Claim.Declined, found.Claim.Declined},
		{"lease", said.Numbers.LeaseMS, runs[0].Run.LeaseMS},
	} {
		if !same(part.said, part.want) {
			v.fault("the certificate's %s: it says %v, and the results say %v", part.what, part.said, part.want)
		}
	}
	v.compareLevels(said.Claim.Levels, found.Claim.Levels)
	for _, reason := range OtherSubject(said.Claim.About, runs[0].Subject) {
		v.fault("%s", reason)
	}
}

// compareLevels says which levels are claimed and not earned, and the other way.
func (v *verification) compareLevels(said, earned []string) {
	for _, level := range said {
		if !slices.Contains(earned, level) {
			v.fault("it claims the level %q, and the results do not earn it", level)
		}
	}
	for _, level := range earned {
		if !slices.Contains(said, level) {
			v.fault("the results earn the level %q, and it does not claim it", level)
		}
	}
	if len(said) != len(earned) || !slices.Contains(earned, Core) {
		v.fault("its levels are %q, and the results earn %q; every certificate has core", said, earned)
	}
}

// same compares, and takes an empty list for a missing one.
func same(a, b any) bool {
	x, y := reflect.ValueOf(a), reflect.ValueOf(b)
	if x.Kind() == reflect.Slice && x.Len() == 0 && y.Len() == 0 {
		return true
	}
	return reflect.DeepEqual(a, b)
}

const (
	// clockSkew is how far the author's clock may be ahead of the reader's.
	clockSkew = 24 * time.Hour
	// oneSitting is how long making a certificate may take beside its runs.
	oneSitting = 24 * time.Hour
	// startGrain is how much too early a run may seem to start: its start is written
	// in whole seconds, and a clock is set now and then.
	startGrain = 2 * time.Second
)

// dates checks that the runs came one after the other, and the certificate after
// them, and not in the future.
func (v *verification) dates(runs []reports.Result) {
	issued, err := time.Parse(time.RFC3339, v.Certificate.Claim.Issued)
	if err != nil {
		v.fault("the date of issue %q is none", v.Certificate.Claim.Issued)
		return
	}
	if issued.After(v.now.Add(clockSkew)) {
		v.fault("it was issued on %s, which is still to come", v.Certificate.Claim.Issued)
	}
	end, total := time.Time{}, time.Duration(0)
	for i, r := range runs {
		name := v.Certificate.Results[i].Name
		started, err := time.Parse(time.RFC3339, r.Run.Started)
		duration := time.Duration(r.Run.DurationMS) * time.Millisecond
		switch {
		case err != nil:
			v.fault("%s: the start %q is no date", name, r.Run.Started)
			return
		case duration <= 0:
			v.fault("%s: the run took %d ms, and no run takes no time", name, r.Run.DurationMS)
		case started.Add(startGrain).Before(end):
			v.fault("%s: the run began at %s, before the one before it ended", name, r.Run.Started)
		}
		end, total = started.Add(duration), total+duration
		if i == 0 && issued.Sub(started) > oneSitting+total {
			v.fault("the first run began at %s, long before the certificate was issued at %s", r.Run.Started, v.Certificate.Claim.Issued)
		}
	}
	if issued.Add(startGrain).Before(end) {
		v.fault("it was issued at %s, before its last run ended", v.Certificate.Claim.Issued)
	}
}
