package conformance

import (
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/subject"
)

// Params are the numbers of one run, the same for each of its scenarios.
type Params struct {
	Lease      time.Duration // base lease; every scenario scales from it
	IOTimeout  time.Duration // the io-timeout that the server was given
	Seed       uint64        // every random choice follows from it
	Sessions   int           // how many at once S-ROB-05 opens
	LockPrefix string        // every name that need not be otherwise begins so
	Nonce      string        // makes the names of one run its own
	RTT        time.Duration // measured round trip to the subject
	// Patience is added to every wait for something that must come, and to the windows
	// that judge it: for a person who starts the client by hand.
	Patience time.Duration
	// StartUp is how long the client's adapter took to its hello.
	StartUp time.Duration
	// StartTimeout is how long a started server may take to answer.
	StartTimeout time.Duration
}

// leaseRoundTrips is how many round trips a base lease must hold at least: the
// setting up of a scenario takes some, and must be over long before a lease is.
const leaseRoundTrips = 10

// Fitted returns p for a subject at that round trip: with a base lease that is long
// enough for it.
func (p Params) Fitted(rtt time.Duration) Params {
	p.RTT = rtt
	p.Lease = max(p.Lease, (leaseRoundTrips * rtt).Round(time.Millisecond))
	return p
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
		Sessions: DefaultSessions, LockPrefix: DefaultLockPrefix, StartTimeout: subject.DefaultStartTimeout,
	}
}
