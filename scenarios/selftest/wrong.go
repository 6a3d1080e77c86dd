// Package selftest shows what a verdict is worth: it runs the wrong servers and
// clients of refserver/defects and refclient/defects for real, over loopback, and
// tells which requirements failed. The whole matrix, each against every scenario,
// runs in virtual time in the tests of scenarios/server and scenarios/client.
package selftest

import (
	"context"
	"io"
	"slices"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/conformance/subject"
	"github.com/monolock-dev/monolock-conform/refclient/adapter"
	clients "github.com/monolock-dev/monolock-conform/refclient/defects"
	"github.com/monolock-dev/monolock-conform/refserver"
	servers "github.com/monolock-dev/monolock-conform/refserver/defects"
	"github.com/monolock-dev/monolock-conform/scenarios"
)

// Wrong is a server or a client that is wrong in one way.
type Wrong struct {
	Role         spec.Role
	ID, Sentence string
	Must, May    []spec.ID // requirements that fail, and that may fail with them

	regardless bool // it never serves, so no run would go on
	stand      func(ctx context.Context, o Options) (conformance.Target, func() error, error)
}

// All returns every wrong server and client, in the order of the catalogue's topics.
func All() []Wrong {
	var all []Wrong
	for _, d := range servers.All() {
		all = append(all, Wrong{
			Role: spec.RoleServer, ID: d.ID, Sentence: d.Sentence, Must: ids(d.Must), May: ids(d.May), regardless: d.Past,
			stand: func(ctx context.Context, o Options) (conformance.Target, func() error, error) {
				return standServer(ctx, d, o)
			},
		})
	}
	for _, d := range clients.All() {
		all = append(all, Wrong{
			Role: spec.RoleClient, ID: d.ID, Sentence: d.Sentence, Must: ids(d.Must), May: ids(d.May),
			stand: func(_ context.Context, o Options) (conformance.Target, func() error, error) { return standClient(d, o) },
		})
	}
	return all
}

func ids(list []string) []spec.ID {
	converted := make([]spec.ID, len(list))
	for i, id := range list {
		converted[i] = spec.ID(id)
	}
	return converted
}

// Scenarios returns those that judge or notice a requirement which w must fail.
func (w Wrong) Scenarios() []conformance.Scenario {
	return slices.DeleteFunc(scenarios.All(w.Role), func(s conformance.Scenario) bool {
		return !slices.ContainsFunc(s.Names(), func(id spec.ID) bool { return slices.Contains(w.Must, id) })
	})
}

// standServer starts a wrong server: in this program, or as a process where only
// that can show it.
func standServer(ctx context.Context, d servers.Defect, o Options) (conformance.Target, func() error, error) {
	var launcher subject.Launcher = subject.InProcess{
		Listen: subject.ListenLoopback, ListenOnly: true,
		New: func() subject.Running { return d.New(refserver.Config{IOTimeout: o.Params.IOTimeout}) },
	}
	if d.Process {
		template, err := subject.ParseTemplate(o.Defect(d.ID) + " --listen {listen}")
		if err != nil {
			return conformance.Target{}, nil, err
		}
		launcher = subject.Command{Template: template, LockPrefix: o.Params.LockPrefix}
	}
	shared, err := launcher.Launch(ctx)
	if err != nil {
		return conformance.Target{}, nil, err
	}
	return conformance.Target{Server: shared, Launcher: launcher}, shared.Close, nil
}

// standClient makes a wrong client's adapter ready, likewise.
func standClient(d clients.Defect, o Options) (conformance.Target, func() error, error) {
	target := conformance.Target{Listen: subject.ListenLoopback, Dial: subject.DialTCP, Features: conformance.ClientFeatures(nil)}
	target.Client = subject.InProcessClient{Run: func(ctx context.Context, getenv func(string) string, stdin io.Reader, stdout, stderr io.Writer) int {
		return adapter.Run(ctx, adapter.Env{Getenv: getenv, Stdin: stdin, Stdout: stdout, Stderr: stderr}, d.New)
	}}
	if d.Process {
		process, err := subject.ParseClient(o.Defect(d.ID))
		if err != nil {
			return conformance.Target{}, nil, err
		}
		target.Client = process
	}
	return target, func() error { return nil }, nil
}
