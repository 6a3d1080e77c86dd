package main

import (
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

// judge runs the suite against the subject that the options name, reports, and
// returns nil for a conformant one.
func judge(ctx context.Context, o options, c console) error {
	if err := o.validate(); err != nil {
		return err
	}
	selected, err := selection(o)
	if err != nil {
		return err
	}
	sink, err := reserve(o.json, c.out)
	if err != nil {
		return usage("--json: %w", err)
	}
	defer sink.discard()
	o.params.Nonce = conformance.NewNonce()
	in := input(o, selected)
	interrupted := perform(ctx, o, c, selected, &in)
	return conclude(in, o, c, sink, interrupted)
}

// perform brings the subject up, asks whether it is one, and runs the plan. What
// keeps it from that stands in the input as Preflight.
func perform(ctx context.Context, o options, c console, selected []conformance.Scenario, in *reports.Input) (interrupted bool) {
	limited, cancel := context.WithTimeoutCause(ctx, o.timeout, fmt.Errorf("--timeout %v is over", o.timeout))
	defer cancel()
	subject, err := prepare(limited, o)
	if err != nil {
		in.Preflight = err
		return errors.Is(context.Cause(ctx), errInterrupted)
	}
	defer subject.close()
	in.Subject.Target = subject.name
	in.Offered = subject.Offers()
	o.params.RTT, in.Preflight = conformance.Preflight(limited, subject.Target, o.params)
	in.Params = o.params
	if in.Preflight == nil {
		shown := progress(o, c, len(selected))
		defer shown.Close()
		in.Outcome, _ = tree.Run(limited, conformance.Plan{
			Scenarios: selected, Target: subject.Target, Params: o.params, Jobs: o.jobs, Repeat: o.repeat,
			Observer: shown,
		})
	}
	return errors.Is(context.Cause(ctx), errInterrupted)
}

// selection resolves --run, --skip and --label-filter before anything starts.
// An empty one is never green.
func selection(o options) ([]conformance.Scenario, error) {
	selected, err := conformance.Select(scenarios.All(spec.RoleServer), o.run, o.skip)
	if err != nil {
		return nil, usage("%w", err)
	}
	if selected, err = tree.Select(selected, o.labelFilter); err != nil {
		return nil, usage("%w", err)
	}
	if len(selected) == 0 {
		return nil, usage("--run, --skip and --label-filter together leave no scenario; `monolock-conform list --json` shows all IDs and labels")
	}
	return selected, nil
}

// input is what the result is made of, as far as it is known before the run.
func input(o options, selected []conformance.Scenario) reports.Input {
	excluded := slices.DeleteFunc(scenarios.All(spec.RoleServer), func(s conformance.Scenario) bool {
		return slices.ContainsFunc(selected, func(chosen conformance.Scenario) bool { return chosen.ID == s.ID })
	})
	target := o.server
	if target == "" {
		target = o.serverCmd
	}
	return reports.Input{
		Suite:   reports.Suite{Version: version, Commit: commit()},
		Subject: reports.Subject{Role: spec.RoleServer, Target: target},
		Params:  o.params, Jobs: o.jobs, Args: os.Args[1:],
		Filters:  reports.Filters{Run: o.run, Skip: o.skip, Labels: o.labelFilter, Strict: o.strict},
		Selected: selected, Excluded: excluded, Started: time.Now(),
	}
}

// conclude writes the reports and turns the result into an exit.
func conclude(in reports.Input, o options, c console, sink *sink, interrupted bool) error {
	var exit *exitError
	if errors.As(in.Preflight, &exit) && exit.code == exitUsage {
		return in.Preflight
	}
	result := reports.New(in)
	files, err := keepEvidence(in.Outcome, o.json)
	if err == nil {
		err = sink.commit(func(w writer) error { return reports.WriteJSON(w, result) })
	}
	if shown := reports.Text(o.textTo(c), result, textOptions(o, c)); err == nil {
		err = shown
	}
	for _, file := range files {
		fmt.Fprintf(c.err, "kept %s\n", file)
	}
	if err != nil {
		return undecided(fmt.Errorf("writing the reports: %w", err))
	}
	if code := result.ExitCode(interrupted); code != exitConformant {
		return &exitError{code, errSaid}
	}
	return nil
}
