package subject

import (
	"cmp"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// Mode is which of its calls a client is asked to make.
type Mode string

// The modes of the adapter contract.
const (
	Once  Mode = "once"  // one attempt
	Retry Mode = "retry" // the client's own retrying call
)

// Claim is what a client is asked to do: the environment of the adapter
// contract. The name is any bytes, and the lease may be 0.
type Claim struct {
	Addr  string // host:port
	Name  string // the lock's
	Lease time.Duration
	Mode  Mode   // "": Once
	Case  string // for logs only
	TLS   ClaimTLS
}

// ClaimTLS is what a client needs for TLS. The zero value is plain TCP.
type ClaimTLS struct {
	CA         string // path, PEM: use TLS and verify against it
	Cert, Key  string // paths, PEM; the key PKCS#8, not encrypted: mutual TLS
	ServerName string // the name to verify instead of the host
}

// The variables of the adapter contract.
const (
	envContract      = "MONOLOCK_CONTRACT"
	envAddr          = "MONOLOCK_ADDR"
	envName          = "MONOLOCK_NAME"
	envNameHex       = "MONOLOCK_NAME_HEX"
	envLease         = "MONOLOCK_LEASE_MS"
	envMode          = "MONOLOCK_MODE"
	envCase          = "MONOLOCK_CASE"
	envTLSCA         = "MONOLOCK_TLS_CA"
	envTLSCert       = "MONOLOCK_TLS_CERT"
	envTLSKey        = "MONOLOCK_TLS_KEY"
	envTLSServerName = "MONOLOCK_TLS_SERVER_NAME"
)

// contractVersion is the version of the adapter contract spoken here.
const contractVersion = "1"

// contractVariables are all of them: an adapter must not inherit one, since
// some mean something where they are set.
var contractVariables = []string{
	envContract, envAddr, envName, envNameHex, envLease, envMode, envCase,
	envTLSCA, envTLSCert, envTLSKey, envTLSServerName,
}

// Env returns the contract's variables, "KEY=value" each. MONOLOCK_NAME is
// left out where the name holds a NUL, which no environment can; the TLS
// variables are left out where they are empty.
func (c Claim) Env() []string {
	env := []string{envContract + "=" + contractVersion, envAddr + "=" + c.Addr}
	if !strings.Contains(c.Name, "\x00") {
		env = append(env, envName+"="+c.Name)
	}
	env = append(env,
		envNameHex+"="+hex.EncodeToString([]byte(c.Name)),
		envLease+"="+strconv.FormatInt(c.Lease.Milliseconds(), 10),
		envMode+"="+string(c.mode()),
		envCase+"="+c.Case,
	)
	for _, v := range []struct{ name, value string }{
		{envTLSCA, c.TLS.CA}, {envTLSCert, c.TLS.Cert}, {envTLSKey, c.TLS.Key}, {envTLSServerName, c.TLS.ServerName},
	} {
		if v.value != "" {
			env = append(env, v.name+"="+v.value)
		}
	}
	return env
}

func (c Claim) mode() Mode { return cmp.Or(c.Mode, Once) }

// maxLease is the longest lease that the protocol can carry.
const maxLease = math.MaxUint32 * time.Millisecond

// check finds what the contract cannot express.
func (c Claim) check() error {
	var errs []error
	if c.Lease < 0 || c.Lease > maxLease || c.Lease%time.Millisecond != 0 {
		errs = append(errs, fmt.Errorf("a claim's lease is whole milliseconds, 0 to 2^32-1, not %v", c.Lease))
	}
	if c.mode() != Once && c.Mode != Retry {
		errs = append(errs, fmt.Errorf("a claim's mode is %s or %s, not %q", Once, Retry, c.Mode))
	}
	for _, variable := range c.Env() {
		if strings.Contains(variable, "\x00") {
			errs = append(errs, fmt.Errorf("a claim's variable holds a NUL: %q", variable))
		}
	}
	return errors.Join(errs...)
}
