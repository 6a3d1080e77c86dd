package main

import (
	"context"
	"io"
	"os"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/conformance/subject"
	"github.com/monolock-dev/monolock-conform/refclient/adapter"
	"github.com/monolock-dev/monolock-conform/refserver"
)

// The names of the subjects of a run without one.
const (
	embeddedServer = "the embedded reference server"
	embeddedClient = "the embedded reference client"
)

// prepared is a subject that stands, with its end.
type prepared struct {
	conformance.Target
	name  string // for people
	close func() error
}

// prepare makes the subject ready that the options name. Its error is a usage
// error for a command that cannot be run, and undecided for a server that does
// not come up.
func prepare(ctx context.Context, o options, role spec.Role) (prepared, error) {
	if role == spec.RoleClient {
		return clientTarget(o)
	}
	switch {
	case o.server != "":
		return address(o)
	case o.serverCmd != "":
		template, err := subject.ParseTemplate(o.serverCmd)
		if err != nil {
			return prepared{}, usage("--server-cmd: %w", err)
		}
		command := subject.Command{Template: template, StartTimeout: o.startTimeout, LockPrefix: o.params.LockPrefix}
		return launch(ctx, command, o.serverCmd)
	}
	return launch(ctx, reference(o), embeddedServer)
}

// address is a server that runs somewhere.
func address(o options) (prepared, error) {
	server := subject.Address(o.server)
	p := prepared{name: o.server, close: func() error { return nil }}
	p.Server = server
	if o.restartCmd == "" {
		return p, nil
	}
	restart, err := subject.ParseRestart(o.restartCmd)
	if err != nil {
		return prepared{}, usage("--restart-cmd: %w", err)
	}
	restart.StartTimeout, restart.LockPrefix = o.startTimeout, o.params.LockPrefix
	p.Restart = func(ctx context.Context) error {
		_, err := restart.Run(ctx, server)
		return err
	}
	return p, nil
}

// launch starts the shared server; the launcher starts the others.
func launch(ctx context.Context, launcher subject.Launcher, name string) (prepared, error) {
	shared, err := launcher.Launch(ctx)
	if err != nil {
		return prepared{}, undecided(err)
	}
	return prepared{
		Target: conformance.Target{Server: shared, Launcher: launcher},
		name:   name, close: shared.Close,
	}, nil
}

// reference launches reference servers in this process, over loopback.
func reference(o options) subject.Launcher {
	return subject.InProcess{
		Listen: subject.ListenLoopback,
		New:    func() subject.Running { return refserver.New(refserver.Config{IOTimeout: o.params.IOTimeout}) },
	}
}

// clientTarget is the client under test. Without one it is the reference client in
// this process.
func clientTarget(o options) (prepared, error) {
	p := prepared{name: embeddedClient, close: func() error { return nil }}
	p.Listen, p.Dial = subject.ListenLoopback, subject.DialTCP
	if o.manual != "" {
		if p.Client, p.name = subject.Manual(os.Stderr), "an adapter started by hand"; p.Client == nil {
			return prepared{}, usage("--manual needs named pipes, which this system does not have")
		}
		return p, nil
	}
	if o.client == "" {
		p.Client = subject.InProcessClient{Run: referenceAdapter, Name: embeddedClient}
		return p, nil
	}
	process, err := subject.ParseClient(o.client)
	if err != nil {
		return prepared{}, usage("--client: %w", err)
	}
	process.StartTimeout = o.startTimeout
	p.Client, p.name = process, o.client
	return p, nil
}

// referenceAdapter is the reference client's adapter as a goroutine.
func referenceAdapter(ctx context.Context, getenv func(string) string, stdin io.Reader, stdout, stderr io.Writer) int {
	return adapter.Run(ctx, adapter.Env{Getenv: getenv, Stdin: stdin, Stdout: stdout, Stderr: stderr}, adapter.Standard)
}
