package conformance

import "time"

// Params are the numbers of one run, the same for each of its scenarios.
type Params struct {
	Lease      time.Duration // base lease; every scenario scales from it
	IOTimeout  time.Duration // the io-timeout that the server was given
	Seed       uint64        // every random choice follows from it
	Sessions   int           // how many at once S-ROB-05 opens
	LockPrefix string        // every name that need not be otherwise begins so
	Nonce      string        // makes the names of one run its own
	RTT        time.Duration // measured round trip to the subject
}

// The defaults of the flags of the same names.
const (
	DefaultLease      = 500 * time.Millisecond
	DefaultIOTimeout  = 5 * time.Second
	DefaultSessions   = 1000
	DefaultLockPrefix = "conform/"
	DefaultSeed       = 1
)

// DefaultParams returns the parameters of a run without flags.
func DefaultParams() Params {
	return Params{
		Lease: DefaultLease, IOTimeout: DefaultIOTimeout, Seed: DefaultSeed,
		Sessions: DefaultSessions, LockPrefix: DefaultLockPrefix,
	}
}
