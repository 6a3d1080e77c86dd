package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/monolock-dev/monolock-conform/refserver"
)

const (
	exitOK    = 0
	exitFail  = 1
	exitUsage = 2

	// grace bounds an orderly stop. Telling a client and seeing it close
	// takes a second or two at most; more is a client that will not go.
	grace = 5 * time.Second
)

// run is the whole program. It blocks until ctx ends, which stops the server
// as a signal does, until a signal comes, or until the listener fails.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	s, err := readSettings(args, os.LookupEnv)
	if errors.Is(err, flag.ErrHelp) {
		printUsage(stdout)
		return exitOK
	}
	if err != nil {
		fmt.Fprintf(stderr, "%v\nTry monolock-refserver -help.\n", err)
		return exitUsage
	}
	// Signals count from before the port is open: who sees it open may stop us.
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(signals)

	l, err := new(net.ListenConfig).Listen(ctx, "tcp", s.listen)
	if err != nil {
		fmt.Fprintln(stderr, listenSentence(s.listen, err))
		return exitFail
	}
	return serve(ctx, l, s, newLogger(s, stderr), signals)
}

func serve(ctx context.Context, l net.Listener, s settings, log *slog.Logger, signals <-chan os.Signal) int {
	server := refserver.New(refserver.Config{IOTimeout: s.ioTimeout, Logger: log})
	served := make(chan error, 1)
	go func() { served <- server.Serve(l) }()

	select {
	case err := <-served:
		log.Error("serving failed", "error", err)
		_ = server.Close()
		return exitFail
	case got := <-signals:
		log.Info("stopping", "signal", got.String())
	case <-ctx.Done():
		log.Info("stopping")
	}
	return stop(server, served, log, signals)
}

// stop shuts server down, and gives up on its clients after the grace or at
// a second signal.
func stop(server *refserver.Server, served <-chan error, log *slog.Logger, signals <-chan os.Signal) int {
	ctx, cancel := context.WithTimeout(context.Background(), grace)
	defer cancel()
	stopped := make(chan error, 1)
	go func() { stopped <- server.Shutdown(ctx) }()

	select {
	case err := <-stopped:
		<-served
		if err != nil {
			log.Warn("clients were cut off", "error", err)
		}
		log.Info("stopped")
		return exitOK
	case got := <-signals:
		log.Warn("stopping at once", "signal", got.String())
		return exitOfSignal(got)
	}
}

// exitOfSignal is 128 plus the signal's number, as shells have it.
func exitOfSignal(s os.Signal) int {
	if n, ok := s.(syscall.Signal); ok {
		return 128 + int(n)
	}
	return exitFail
}

func listenSentence(addr string, err error) string {
	if errors.Is(err, syscall.EADDRINUSE) {
		return fmt.Sprintf("Cannot listen on %s: another program uses this address. Choose another with -listen.", addr)
	}
	return fmt.Sprintf("Cannot listen on %s: %v", addr, err)
}

func newLogger(s settings, w io.Writer) *slog.Logger {
	opts := &slog.HandlerOptions{Level: s.logLevel}
	if s.logFormat == "json" {
		return slog.New(slog.NewJSONHandler(w, opts))
	}
	return slog.New(slog.NewTextHandler(w, opts))
}
