//go:build unix

package conformance

import "syscall"

// OpenFileLimit is how many files this process may have open at a time.
func OpenFileLimit() uint64 {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return 0
	}
	return uint64(limit.Cur)
}
