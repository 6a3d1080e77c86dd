package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/conformance/tree"
	"github.com/monolock-dev/monolock-conform/reports"
	"github.com/monolock-dev/monolock-conform/scenarios"
)

// judge runs the suite against the subject that the options name, or against both
// embedded ones, reports, and returns nil where all are conformant.
func judge(ctx context.Context, o options, c console) error {
	if err := o.validate(); err != nil {
		return err
	}
	if o.manual != "" {
		o.byHand()
	}
	selected, err := selection(o)
	if err != nil {
		return err
	}
	if err := checkDescriptors(); err != nil {
		return err
	}
	if o.format == "json-lines" {
		o.feed = &feed{w: c.out}
	}
	o.params.Nonce, o.params.StartTimeout = conformance.NewNonce(), o.startTimeout
	if o.known, err = readBaseline(o.baselineFile); err != nil {
		return err
	}
	places := map[spec.Role]*outputs{}
	for role := range selected {
		if places[role], err = reserveOutputs(o.reports, o.folderOf(role), c.out); err != nil {
			return err
		}
		defer places[role].discard()
	}
	var worst error
	for _, role := range o.roles() {
		if len(selected[role]) == 0 {
			continue // the filters leave nothing of this one
		}
		if len(o.roles()) > 1 {
			fmt.Fprintf(o.textTo(c), "%s\n\n", map[spec.Role]string{spec.RoleServer: embeddedServer, spec.RoleClient: embeddedClient}[role])
		}
		in := input(o, role, selected[role])
		interrupted := perform(ctx, o, c, role, selected[role], &in)
		worst = worse(worst, conclude(in, o, c, places[role], interrupted))
	}
	return worst
}

// leastDescriptors is what scenarios side by side need, but for those that count
// their sessions themselves.
const leastDescriptors = 512

// checkDescriptors looks at the suite's own limit, so that no server is blamed for it.
func checkDescriptors() error {
	if limit := conformance.OpenFileLimit(); limit < leastDescriptors {
		return undecided(fmt.Errorf("this process may open only %d files, and the suite needs %d: raise the limit (ulimit -n 1024)", limit, leastDescriptors))
	}
	return nil
}

// worse returns the error that counts of two: an interrupt, then not conformant,
// then undecided.
func worse(a, b error) error {
	rank := func(err error) int {
		var exit *exitError
		if !errors.As(err, &exit) {
			return 0
		}
		return slices.Index([]int{exitUndecided, exitNotConformant, exitUsage, exitInterrupted}, exit.code) + 1
	}
	if rank(b) > rank(a) {
		return b
	}
	return a
}

// perform brings the subject up, asks whether it is one, and runs the plan. What
// keeps it from that stands in the input as Preflight.
func perform(ctx context.Context, o options, c console, role spec.Role, selected []conformance.Scenario, in *reports.Input) (interrupted bool) {
	limited, cancel := context.WithTimeoutCause(ctx, o.timeout, fmt.Errorf("--timeout %v is over", o.timeout))
	defer cancel()
	subject, err := prepare(limited, o, role)
	if err != nil {
		in.Preflight = err
		return errors.Is(context.Cause(ctx), errInterrupted)
	}
	defer subject.close()
	in.Subject.Target = subject.name
	in.Preflight = preflight(limited, &o, &subject, in)
	in.Offered, in.Params = subject.Offers(), o.params
	if in.Preflight == nil {
		shown, done := observers(o, c, *in)
		defer done()
		in.Outcome, _ = tree.Run(limited, conformance.Plan{
			Scenarios: selected, Target: subject.Target, Params: o.params, Jobs: jobs(o, role), Repeat: o.repeat,
			Observer: shown, Quiet: o.manual != "", // a person would have to play everything again
		})
	}
	return errors.Is(context.Cause(ctx), errInterrupted)
}

// preflight asks whether the target is a subject, and learns what the run needs to
// know of it.
func preflight(ctx context.Context, o *options, p *prepared, in *reports.Input) (err error) {
	if o.manual != "" {
		p.Features = conformance.ClientFeatures(nil)
		return nil // a person starts each claim; one for the preflight is too many
	}
	if p.Client == nil {
		rtt, err := conformance.Preflight(ctx, p.Target, o.params)
		o.params = o.params.Fitted(rtt)
		return err
	}
	hello, startUp, err := conformance.PreflightClient(ctx, p.Target, o.params)
	o.params.StartUp = startUp
	p.Features = conformance.ClientFeatures(hello.Lacks)
	in.Subject.Name, in.Subject.Version, in.Subject.Language, in.Subject.Lacks = hello.Client, hello.Version, hello.Language, hello.Lacks
	return err
}

// jobs is how many scenarios of a role run at once.
func jobs(o options, role spec.Role) int {
	switch {
	case o.jobs > 0:
		return o.jobs
	case role == spec.RoleClient:
		return conformance.DefaultClientJobs
	}
	return conformance.DefaultJobs
}

// selection resolves --run, --skip and --label-filter before anything starts. An
// empty one is never green.
func selection(o options) (map[spec.Role][]conformance.Scenario, error) {
	var all []conformance.Scenario
	for _, role := range o.roles() {
		all = append(all, scenarios.All(role)...)
	}
	selected, err := conformance.Select(all, o.run, o.skip)
	if err != nil {
		return nil, usage("%w", otherwiseKnown(err, o.roles()))
	}
	if selected, err = tree.Select(selected, o.labelFilter); err != nil {
		return nil, usage("%w", err)
	}
	if len(selected) == 0 {
		return nil, usage("--run, --skip and --label-filter together leave no scenario; `monolock-conform list --json` shows all IDs and labels")
	}
	return shardsByRole(selected, o.shard)
}

// shardsByRole sorts scenarios by role, and keeps the part of each that --shard names.
func shardsByRole(selected []conformance.Scenario, shard string) (map[spec.Role][]conformance.Scenario, error) {
	part, of := 1, 1
	if shard != "" {
		var err error
		if part, of, err = conformance.ParseShard(shard); err != nil {
			return nil, usage("--shard: %w", err)
		}
	}
	byRole := map[spec.Role][]conformance.Scenario{}
	for _, role := range roles {
		ofRole := slices.DeleteFunc(slices.Clone(selected), func(s conformance.Scenario) bool { return s.Role != role })
		if mine := conformance.Shard(ofRole, part, of); len(mine) > 0 {
			byRole[role] = mine
		}
	}
	if len(byRole) == 0 {
		return nil, usage("--shard %s: there are only %d scenarios, and none is left for this part", shard, len(selected))
	}
	return byRole, nil
}

// input is what the result is made of, as far as it is known before the run.
func input(o options, role spec.Role, selected []conformance.Scenario) reports.Input {
	excluded := slices.DeleteFunc(scenarios.All(role), func(s conformance.Scenario) bool {
		return slices.ContainsFunc(selected, func(chosen conformance.Scenario) bool { return chosen.ID == s.ID })
	})
	return reports.Input{
		Suite:   reports.Suite{Version: version, Commit: commit()},
		Subject: reports.Subject{Role: role, Target: cmp.Or(o.server, o.serverCmd, o.client)},
		Params:  o.params, Jobs: jobs(o, role), Args: os.Args[1:],
		Filters:  reports.Filters{Run: o.run, Skip: o.skip, Labels: o.labelFilter, Shard: o.shard, Strict: o.strict},
		Selected: selected, Excluded: excluded, Started: time.Now(),
	}
}

// conclude writes the reports and turns the result into an exit.
func conclude(in reports.Input, o options, c console, places *outputs, interrupted bool) error {
	var exit *exitError
	if errors.As(in.Preflight, &exit) && exit.code == exitUsage {
		return in.Preflight
	}
	var err error
	in.Traces, err = keepTraces(in.Outcome, o.traces(), places.folder)
	result := reports.New(in)
	o.known.Apply(&result)
	files, kept := keepEvidence(in.Outcome, places.folder)
	err = errors.Join(err, kept, places.commit(result))
	if o.feed != nil {
		err = errors.Join(err, o.feed.conclude(in, result, interrupted))
	} else {
		err = errors.Join(err, show(o, c, result))
	}
	for _, file := range files {
		fmt.Fprintf(c.err, "kept %s: a drawing to open in a browser; it says how to read it\n", file)
	}
	if err != nil {
		return undecided(fmt.Errorf("writing the reports: %w", err))
	}
	if code := result.ExitCode(interrupted); code != exitConformant {
		return &exitError{code, errSaid}
	}
	return nil
}
