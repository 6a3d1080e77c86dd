//go:build !unix

package conformance

// OpenFileLimit is how many files this process may have open at a time; this
// system sets no such limit.
func OpenFileLimit() uint64 { return 1 << 32 }
