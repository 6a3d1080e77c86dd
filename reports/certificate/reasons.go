package certificate

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/reports"
)

// RunReasons says why a run cannot be part of a certificate: all of it, a sentence
// each. It trusts the verdicts that the result states; see [reports.Judge].
func RunReasons(r reports.Result) []string {
	var reasons []string
	reason := func(format string, args ...any) { reasons = append(reasons, fmt.Sprintf(format, args...)) }
	for _, filter := range filters(r) {
		reason("it was filtered by %s, and only the whole suite certifies", filter)
	}
	if n := excluded(r); n > 0 {
		reason("%s left out, and only the whole suite certifies", counted(n, "scenario was", "scenarios were"))
	}
	if why := r.EndedEarly(); why != "" {
		reason("it did not come to its end: %s", why)
	} else if !r.Complete && excluded(r) == 0 {
		reason("it is not complete")
	}
	if r.Result != reports.Conformant {
		reason("its result is %s: %s", r.Result, someVerdicts(r, conformance.Fail, conformance.UnexpectedPass, conformance.Error, conformance.Flaky, conformance.Inconclusive))
	}
	if known := ids(r, conformance.KnownFail); len(known) > 0 {
		reason("it has known failures (%s), and a baseline never certifies", some(known))
	}
	if shown := mustsNotShown(r); len(shown) > 0 {
		reason("core needs every MUST without a feature, and %s not shown to hold: %s", counted(len(shown), "was", "were"), strings.Join(shown, "; "))
	}
	if fitted := fittedLease(r.Run); r.Run.LeaseMS != fitted {
		reason("its lease was %d ms, and a certificate is made at %d ms: with another lease, other faults are seen", r.Run.LeaseMS, fitted)
	}
	return reasons
}

// Reasons says why runs together make no certificate, each run by itself aside.
func Reasons(runs []reports.Result) []string {
	var reasons []string
	reason := func(format string, args ...any) { reasons = append(reasons, fmt.Sprintf(format, args...)) }
	if len(runs) != Runs {
		reason("a certificate rests on %d runs, and there are %d", Runs, len(runs))
	}
	for i, a := range runs {
		for k, b := range runs[:i] {
			if a.Run.Seed == b.Run.Seed {
				reason("runs %d and %d have the same seed %d, and so tried the same", k+1, i+1, a.Run.Seed)
			}
			if len(a.Scenarios) > 0 && reflect.DeepEqual(a.Scenarios, b.Scenarios) {
				reason("runs %d and %d agree in every time, to the microsecond: one is a copy of the other", k+1, i+1)
			}
		}
		if i > 0 {
			for _, what := range differences(runs[0], a) {
				reason("runs 1 and %d differ in %s, and all must be of one subject by one suite", i+1, what)
			}
		}
	}
	if flaky := with(Combine(runs), conformance.Flaky); len(flaky) > 0 {
		reason("%s held in one run and not in another, and what comes and goes never certifies", some(flaky))
	}
	return reasons
}

// differences lists what two runs of one subject must share and do not.
func differences(a, b reports.Result) []string {
	var all []string
	for _, part := range []struct {
		what string
		a, b any
	}{
		{"role", a.Subject.Role, b.Subject.Role},
		{"the subject's name", a.Subject.Name, b.Subject.Name},
		{"the subject's version", a.Subject.Version, b.Subject.Version},
		{"the subject's language", a.Subject.Language, b.Subject.Language},
		{"target", a.Subject.Target, b.Subject.Target},
		{"what the subject lacks", a.Subject.Lacks, b.Subject.Lacks},
		{"the offered features", a.Features.Offered, b.Features.Offered},
		{"suite", a.Suite, b.Suite},
	} {
		if !reflect.DeepEqual(part.a, part.b) {
			all = append(all, fmt.Sprintf("%s (%v, %v)", part.what, part.a, part.b))
		}
	}
	return all
}

// weakening are the flags that leave something out. The words of a run show them
// even where its filters do not.
var weakening = []string{"run", "skip", "label-filter", "shard", "baseline", "manual", "sessions", "lease"}

// filters lists the selections of a run.
func filters(r reports.Result) []string {
	var all []string
	for _, f := range []struct{ flag, value string }{
		{"--run", strings.Join(r.Filters.Run, ",")}, {"--skip", strings.Join(r.Filters.Skip, ",")},
		{"--label-filter", r.Filters.Labels}, {"--shard", r.Filters.Shard},
	} {
		if f.value != "" {
			all = append(all, f.flag+" "+f.value)
		}
	}
	for _, arg := range r.Run.Args {
		name, _, _ := strings.Cut(strings.TrimPrefix(arg, "--"), "=")
		flagged := strings.HasPrefix(arg, "--") && slices.Contains(weakening, name)
		if flagged && !slices.ContainsFunc(all, func(f string) bool { return strings.HasPrefix(f, "--"+name+" ") }) {
			all = append(all, "--"+name+" (in its command line)")
		}
	}
	return all
}

func excluded(r reports.Result) int {
	n := 0
	for _, s := range r.Scenarios {
		if s.Verdict == conformance.Excluded || slices.ContainsFunc(s.Requirements, func(j reports.Judgement) bool { return j.Verdict == conformance.Excluded }) {
			n++
		}
	}
	return n
}

func ids(r reports.Result, v conformance.Verdict) []spec.ID {
	var all []spec.ID
	for _, q := range r.Requirements {
		if q.Verdict == v {
			all = append(all, q.ID)
		}
	}
	return all
}

// someVerdicts lists the requirements with these verdicts, by verdict.
func someVerdicts(r reports.Result, verdicts ...conformance.Verdict) string {
	var parts []string
	for _, v := range verdicts {
		if found := ids(r, v); len(found) > 0 {
			parts = append(parts, fmt.Sprintf("%s %s", v, some(found)))
		}
	}
	if len(parts) == 0 {
		return "nothing was tested"
	}
	return strings.Join(parts, "; ")
}

// mustsNotShown lists the MUSTs without a feature that a conformant run has not
// shown, each with its reason. What failed is said elsewhere.
func mustsNotShown(r reports.Result) []string {
	var all []string
	for _, q := range r.Requirements {
		known, _ := spec.Get(q.ID)
		if q.Level != spec.LevelMust || len(known.Features) > 0 {
			continue
		}
		switch q.Verdict {
		case conformance.Unsupported, conformance.Excluded, conformance.Observed, conformance.Warn:
			all = append(all, fmt.Sprintf("%s %s (%s)", q.ID, q.Verdict, q.Detail))
		}
	}
	return all
}

// fittedLease is the lease of a run without --lease at the measured round trip, in
// milliseconds.
func fittedLease(run reports.Run) int64 {
	rtt := time.Duration(run.RTTUS) * time.Microsecond
	fitted := conformance.DefaultParams().Fitted(rtt).Lease.Milliseconds()
	if d := run.LeaseMS - fitted; d == 1 || d == -1 { // the round trip in the file is rounded
		return run.LeaseMS
	}
	return fitted
}
