package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/monolock-dev/monolock-conform/refclient/adapter"
	clients "github.com/monolock-dev/monolock-conform/refclient/defects"
	"github.com/monolock-dev/monolock-conform/refserver"
	"github.com/monolock-dev/monolock-conform/refserver/defects"
)

// newDefect is the hidden command that runs a wrong server, or a wrong client's
// adapter, as a process, so that the suite's own tests can judge it over real TCP.
func newDefect(c console) *cobra.Command {
	var listen string
	var ioTimeout time.Duration
	cmd := &cobra.Command{
		Use: "defect ID", Short: "Run a wrong server or a wrong client's adapter", Hidden: true, Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			// Some names are both a server's and a client's; only a server listens.
			if wrong, ok := clients.Get(args[0]); ok && !cmd.Flags().Changed("listen") {
				return runAdapter(cmd.Context(), wrong)
			}
			defect, ok := defects.Get(args[0])
			if !ok {
				return usage("unknown defect %q%s", args[0], didYouMean(args[0], defectIDs()))
			}
			fmt.Fprintf(c.err, "defect %s: %s\n", defect.ID, defect.Sentence)
			return serveDefect(cmd.Context(), defect, listen, ioTimeout)
		},
	}
	cmd.Flags().StringVar(&listen, "listen", "127.0.0.1:7070", "the address to listen on; needed where a client's defect has that name, too")
	cmd.Flags().DurationVar(&ioTimeout, "io-timeout", refserver.DefaultIOTimeout, "as the reference server's")
	return cmd
}

// serveDefect serves until the context ends, and then stops as the defect does.
func serveDefect(ctx context.Context, defect defects.Defect, listen string, ioTimeout time.Duration) error {
	l, err := net.Listen("tcp", listen)
	if err != nil {
		return usage("--listen: %w", err)
	}
	server := defect.New(refserver.Config{IOTimeout: ioTimeout})
	served := make(chan error, 1)
	go func() { served <- server.Serve(l) }()
	select {
	case <-ctx.Done():
	case err := <-served:
		return undecided(fmt.Errorf("the server ended: %w", err))
	}
	const grace = 5 * time.Second
	end, cancel := context.WithTimeout(context.Background(), grace)
	defer cancel()
	server.Shutdown(end)
	server.Close()
	<-served
	return nil
}

// runAdapter speaks the adapter contract for a wrong client.
func runAdapter(ctx context.Context, wrong clients.Defect) error {
	code := adapter.Run(ctx, adapter.Env{
		Getenv: os.Getenv, Stdin: struct{ io.Reader }{os.Stdin}, Stdout: os.Stdout, Stderr: os.Stderr,
	}, wrong.New)
	if code != 0 {
		return &exitError{code, errSaid}
	}
	return nil
}

func defectIDs() []string {
	var ids []string
	for _, d := range clients.All() {
		ids = append(ids, d.ID)
	}
	for _, d := range defects.All() {
		ids = append(ids, d.ID)
	}
	return ids
}
