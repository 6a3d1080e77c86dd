package subject

import (
	"os"
	"testing"

	"go.uber.org/goleak"
)

// childKey names the variable that makes this test binary a server of a kind.
const childKey = "SUBJECT_TEST_CHILD"

func TestMain(m *testing.M) {
	if kind, ok := os.LookupEnv(childKey); ok {
		os.Exit(child(kind, os.Args[1:]))
	}
	if kind, ok := os.LookupEnv(adapterKey); ok {
		os.Exit(adapterChild(kind))
	}
	goleak.VerifyTestMain(m)
}
