// Command monolock-refclient is the reference client under the adapter
// contract: the suite starts it, one process a claim.
//
//	monolock-conform --client monolock-refclient
//
// Exit codes: 0 after a result and at the end of input, 2 where the
// environment is not the contract's.
package main

import (
	"context"
	"io"
	"os"

	"github.com/monolock-dev/monolock-conform/refclient/adapter"
)

func main() {
	os.Exit(adapter.Run(context.Background(), adapter.Env{
		Getenv: os.Getenv,
		Stdin:  struct{ io.Reader }{os.Stdin}, // not to be closed: a read may be under way
		Stdout: os.Stdout,
		Stderr: os.Stderr,
	}, adapter.Standard))
}
