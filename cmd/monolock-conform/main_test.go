package main

import (
	"bytes"
	"context"
	"io"
	"net"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/monolock-dev/monolock-conform/refserver"
	"github.com/monolock-dev/monolock-conform/reports"
)

// asCommand makes the test binary be the command itself, so that tests run it as a
// process; asReference makes it a reference server, asAdapter the reference
// client's adapter.
const (
	asKey       = "MONOLOCK_CONFORM_TEST_AS"
	asCommand   = "command"
	asReference = "reference"
	asAdapter   = "adapter"
)

func TestMain(m *testing.M) {
	switch os.Getenv(asKey) {
	case asCommand:
		main()
	case asAdapter:
		os.Exit(referenceAdapter(context.Background(), os.Getenv, struct{ io.Reader }{os.Stdin}, os.Stdout, os.Stderr))
	case asReference:
		serveReference(os.Args[len(os.Args)-1])
	default:
		os.Exit(m.Run())
	}
}

// serveReference serves until SIGTERM.
func serveReference(address string) {
	ctx, stop := interruptible(context.Background())
	defer stop()
	l, err := net.Listen("tcp", address)
	if err != nil {
		panic(err)
	}
	server := refserver.New(refserver.Config{})
	go server.Serve(l)
	<-ctx.Done()
	server.Shutdown(context.Background())
}

// process is the command line as a process.
func process(t *testing.T, as string, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, args...)
	cmd.Env = append(os.Environ(), asKey+"="+as)
	return cmd
}

// self is the test binary as the words of --server-cmd, being the command.
func self(t *testing.T, words string) string {
	t.Helper()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return "env " + asKey + "=" + asCommand + " '" + path + "' " + words
}

// conform runs the command line in this process.
func conform(args ...string) (code int, stdout, stderr string) {
	var out, err bytes.Buffer
	code = run(context.Background(), args, console{out: &out, err: &err, getenv: func(string) string { return "" }})
	return code, out.String(), err.String()
}

// readResult reads a result file.
func readResult(t *testing.T, path string) reports.Result {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	result, err := reports.ReadJSON(file)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

func wantText(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("the text lacks %q:\n%s", part, text)
		}
	}
}
