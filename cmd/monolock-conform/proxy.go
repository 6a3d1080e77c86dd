package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/spf13/cobra"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/subject"
	"github.com/monolock-dev/monolock-conform/faultproxy"
)

// proxyOptions are the flags of the proxy command.
type proxyOptions struct {
	listen, upstream, control string
	rules                     []string
	seed                      uint64
}

func newProxy(c console) *cobra.Command {
	var o proxyOptions
	cmd := &cobra.Command{
		Use: "proxy", Short: "Run the fault-injecting proxy by itself", Args: cobra.NoArgs,
		Long: proxyHelp(),
		RunE: func(cmd *cobra.Command, _ []string) error { return runProxy(cmd.Context(), o, c) },
	}
	f := cmd.Flags()
	f.StringVar(&o.listen, "listen", "127.0.0.1:7071", "where clients connect, `HOST:PORT`")
	f.StringVar(&o.upstream, "upstream", "127.0.0.1:7070", "the server, `HOST:PORT`")
	f.StringVar(&o.control, "control", "", "an HTTP port to add, list and remove rules and to heal, `HOST:PORT`; a port alone is on loopback")
	f.StringArrayVar(&o.rules, "rule", nil, "a `rule` in force from the start; may be given several times")
	f.Uint64Var(&o.seed, "seed", conformance.DefaultSeed, "every random decision follows from it")
	cmd.SetFlagErrorFunc(flagError)
	return cmd
}

// proxyHelp lists the faults, from the proxy's own table.
func proxyHelp() string {
	text := "The proxy passes bytes between clients and a server, and disturbs them by rules.\n\nFaults:\n"
	for _, f := range faultproxy.Faults() {
		text += fmt.Sprintf("  %-15s %s\n  %-15s e.g. %s\n", f.Fault, f.Sentence, "", f.Example)
	}
	return text + "\nWith --control, rules change while it runs:\n" +
		"  curl localhost:7072/rules\n" +
		"  curl -X POST localhost:7072/rules -d '{\"fault\":\"partition\"}'\n" +
		"  curl -X DELETE localhost:7072/rules/1\n" +
		"  curl -X POST localhost:7072/heal\n"
}

func runProxy(ctx context.Context, o proxyOptions, c console) error {
	rules, err := parseRules(o.rules)
	if err != nil {
		return err
	}
	l, err := net.Listen("tcp", o.listen)
	if err != nil {
		return usage("--listen: %w", err)
	}
	p := faultproxy.New(faultproxy.Config{
		Seed: o.seed, Rules: rules, Frames: len(rules) > 0 || o.control != "",
		Dial: func(ctx context.Context) (faultproxy.Conn, error) { return subject.DialTCP(ctx, o.upstream) },
	})
	defer p.Close()
	stop, err := serveControl(o.control, p, c)
	if err != nil {
		l.Close()
		return err
	}
	defer stop()
	fmt.Fprintf(c.err, "proxy: %s to %s, seed %d\n", l.Addr(), o.upstream, o.seed)
	served := make(chan error, 1)
	go func() { served <- p.Serve(l) }()
	select {
	case <-ctx.Done():
		p.Close()
		<-served
		return nil
	case err := <-served:
		return undecided(fmt.Errorf("the proxy ended: %w", err))
	}
}

// parseRules reads the rules of the flags and joins what is wrong.
func parseRules(lines []string) ([]faultproxy.Rule, error) {
	var rules []faultproxy.Rule
	var faults []error
	for _, line := range lines {
		rule, err := faultproxy.ParseRule(line)
		if err != nil {
			faults = append(faults, fmt.Errorf("--rule %q: %w", line, err))
		}
		rules = append(rules, rule)
	}
	if err := errors.Join(faults...); err != nil {
		return nil, &exitError{exitUsage, err}
	}
	return rules, nil
}

// serveControl serves the control port; "" is none.
func serveControl(address string, p *faultproxy.Proxy, c console) (stop func(), err error) {
	if address == "" {
		return func() {}, nil
	}
	if _, _, err := net.SplitHostPort(address); err != nil {
		address = net.JoinHostPort("127.0.0.1", address)
	}
	l, err := net.Listen("tcp", address)
	if err != nil {
		return nil, usage("--control: %w", err)
	}
	const header = 10 * time.Second
	server := &http.Server{Handler: faultproxy.Control(p), ReadHeaderTimeout: header}
	done := make(chan struct{})
	go func() {
		defer close(done)
		server.Serve(l)
	}()
	fmt.Fprintf(c.err, "control: http://%s\n", l.Addr())
	return func() {
		server.Close()
		<-done
	}, nil
}
