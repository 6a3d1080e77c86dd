//go:build unix

package subject

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
)

// Manual is a client whose adapter a person starts by hand, in a debugger if need
// be: for each claim it prints the environment and two pipes to show, for the
// adapter's standard input and output. No time limit holds.
func Manual(show io.Writer) Client {
	return InProcessClient{
		Name: "an adapter started by hand", Unlimited: true,
		Run: func(ctx context.Context, getenv func(string) string, stdin io.Reader, stdout, _ io.Writer) int {
			if err := byHand(ctx, show, getenv, stdin, stdout); err != nil {
				fmt.Fprintf(show, "manual: %v\n", err)
				return 1
			}
			return 0
		},
	}
}

// byHand plays one claim through named pipes.
func byHand(ctx context.Context, show io.Writer, getenv func(string) string, stdin io.Reader, stdout io.Writer) error {
	dir, err := os.MkdirTemp("", "monolock-conform-manual-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	in, out := filepath.Join(dir, "stdin"), filepath.Join(dir, "stdout")
	for _, path := range []string{in, out} {
		if err := syscall.Mkfifo(path, 0o600); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	// Opened for both directions, the pipes stand before anybody comes.
	words, err := os.OpenFile(in, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer words.Close()
	lines, err := os.OpenFile(out, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer lines.Close()
	explainByHand(show, getenv, in, out)
	stop := context.AfterFunc(ctx, func() { lines.Close() })
	defer stop()
	go func() {
		io.Copy(words, stdin)
		lines.Close() // the end of input: the claim is over
	}()
	io.Copy(stdout, lines)
	return nil
}

// explainByHand prints what to start, and how.
func explainByHand(show io.Writer, getenv func(string) string, in, out string) {
	fmt.Fprintln(show, "\nStart your adapter with this environment, and with these files as its standard input and output:")
	for _, name := range contractVariables {
		if value := getenv(name); value != "" {
			fmt.Fprintf(show, "  export %s=%s\n", name, strconv.Quote(value))
		}
	}
	fmt.Fprintf(show, "  YOUR-ADAPTER <%s >%s\n\n", in, out)
}
