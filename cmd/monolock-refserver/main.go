// Command monolock-refserver is the reference server with the documented
// server's flags and variables.
//
// Exit codes: 0 after SIGTERM or SIGINT, 1 when it cannot serve, 2 for a
// usage error, 128 plus the signal's number after a second signal.
package main

import (
	"context"
	"os"
)

func main() {
	os.Exit(run(context.Background(), os.Args[1:], os.Stdout, os.Stderr))
}
